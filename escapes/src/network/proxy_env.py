def attempt(scene):
    import http.client, urllib.request

    # Without a proxy the library would look for the host itself.
    if "http" not in urllib.request.getproxies_environment():
        return
    try:
        urllib.request.urlopen("http://give.invalid/", timeout=5)
    except http.client.BadStatusLine as answer:
        return str(answer).encode()
    except urllib.error.URLError as error:
        raise error.reason
