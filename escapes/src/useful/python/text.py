# Text, numbers and data: what most scripts are made of.


def work(scene):
    import base64, csv, hashlib, hmac, io, json, re, struct, zlib

    value = {"text": "d\u00e9j\u00e0 vu", "numbers": [1, 2.5, None, True], "deep": {"a": {"b": [{}]}}}
    assert json.loads(json.dumps(value)) == value
    with open(scene.run + "/value.json", "w") as file:
        json.dump(value, file, indent=1)
    with open(scene.run + "/value.json") as file:
        assert json.load(file) == value
    assert re.sub(r"(?P<word>\w+)-(\d+)", r"\2:\g<word>", "ab-12 cd-34") == "12:ab 34:cd"
    digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert hashlib.sha256(b"abc").hexdigest() == digest
    assert hashlib.md5(b"").hexdigest() == "d41d8cd98f00b204e9800998ecf8427e"
    assert len(hashlib.pbkdf2_hmac("sha256", b"word", b"salt", 1000)) == 32
    assert hmac.new(b"key", b"text", "sha256").digest() != hmac.new(b"yek", b"text", "sha256").digest()
    table = io.StringIO()
    csv.writer(table).writerows([["a", 'quo"ted'], ["b", "li\nne"]])
    table.seek(0)
    assert list(csv.reader(table)) == [["a", 'quo"ted'], ["b", "li\nne"]]
    assert struct.unpack("<IQ", struct.pack("<IQ", 7, 1 << 40)) == (7, 1 << 40)
    assert zlib.decompress(zlib.compress(b"x" * 100000)) == b"x" * 100000
    assert base64.b64decode(base64.b64encode(bytes(range(256)))) == bytes(range(256))
