# Small stores: pickles, shelves, configuration, XML.


def work(scene):
    import configparser, dbm.dumb, os, pickle, shelve, xml.etree.ElementTree as tree

    with dbm.dumb.open(scene.run + "/store", "c") as store:
        store["key"] = "value"
    with dbm.dumb.open(scene.run + "/store", "r") as store:
        assert store["key"] == b"value"
    with open(scene.run + "/pickle", "wb") as file:
        pickle.dump({"list": list(range(1000))}, file)
    with open(scene.run + "/pickle", "rb") as file:
        assert pickle.load(file)["list"][-1] == 999
    shelf = shelve.Shelf(dbm.dumb.open(scene.run + "/shelf", "c"))
    shelf["key"] = [1, 2]
    assert shelf["key"] == [1, 2]
    shelf.close()
    configuration = configparser.ConfigParser()
    configuration["part"] = {"name": "value"}
    with open(scene.run + "/configuration", "w") as file:
        configuration.write(file)
    assert configparser.ConfigParser().read(scene.run + "/configuration")
    root = tree.Element("root", name="a&b")
    tree.SubElement(root, "child").text = "<text>"
    tree.ElementTree(root).write(scene.run + "/tree.xml")
    assert tree.parse(scene.run + "/tree.xml").find("child").text == "<text>"
