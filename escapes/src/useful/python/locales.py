# Locales, encodings and names of files in every script.


def work(scene):
    import codecs, gettext, locale, os, unicodedata

    locale.setlocale(locale.LC_ALL, "C")
    locale.setlocale(locale.LC_ALL, "")
    assert locale.localeconv()["decimal_point"]
    for encoding in ("latin-1", "utf-16", "cp1252", "shift_jis", "gb18030", "koi8-r", "idna", "punycode"):
        assert codecs.lookup(encoding)
    assert "\u65e5\u672c".encode("shift_jis").decode("shift_jis") == "\u65e5\u672c"
    assert unicodedata.normalize("NFD", "\u00e9") == "e\u0301"
    assert gettext.NullTranslations().gettext("text") == "text"
    for name in ("d\u00e9j\u00e0", "\u65e5\u672c\u8a9e", "\U0001f40d", "with space\nand line"):
        with open(os.path.join(scene.run, name), "w", encoding="utf-8") as file:
            file.write(name)
        assert name in os.listdir(scene.run)
    raw = os.fsencode(scene.run) + b"/\xff\xfe"
    with open(raw, "wb"):
        pass
    assert b"\xff\xfe" in os.listdir(os.fsencode(scene.run))
