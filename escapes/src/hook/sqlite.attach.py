MORE = ["create table outside.here (it)", "insert into outside.here values ('was')"]


def attempt(scene):
    execute("attach database ? as outside", scene["outside"] + "/database")
