# Time zones from the data of the host. A denial would show as a wrong hour, not as an error.


def work(scene):
    import datetime, zoneinfo

    summer = datetime.datetime(2024, 7, 1, 12, tzinfo=zoneinfo.ZoneInfo("Europe/Paris"))
    assert summer.utcoffset() == datetime.timedelta(hours=2)
    winter = datetime.datetime(2024, 1, 1, 12, tzinfo=zoneinfo.ZoneInfo("America/New_York"))
    assert winter.utcoffset() == datetime.timedelta(hours=-5)
