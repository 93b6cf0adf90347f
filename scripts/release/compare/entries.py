"""Prints each entry of an archive (tar, tar.gz, zip, wheel, image) as a line of JSON, in the order of the archive."""

import hashlib
import io
import json
import sys
import tarfile
import zipfile


def show(path, about, content):
    about["sha256"] = hashlib.sha256(content).hexdigest() if content is not None else ""
    print(json.dumps({"path": path, "about": about}))


def show_tar(source, prefix=""):
    with tarfile.open(fileobj=source, mode="r|*") as archive:
        for entry in archive:
            about = {
                "type": entry.type.decode("latin-1"),
                "mode": oct(entry.mode),
                "time": entry.mtime,
                "owner": f"{entry.uid}:{entry.gid} {entry.uname}:{entry.gname}",
                "link": entry.linkname,
            }
            opened = archive.extractfile(entry) if entry.isreg() else None
            show(prefix + entry.name, about, opened.read() if opened else None)


def show_zip(path):
    with zipfile.ZipFile(path) as archive:
        for entry in archive.infolist():
            about = {"mode": oct(entry.external_attr >> 16), "time": list(entry.date_time), "method": entry.compress_type}
            show(entry.filename, about, archive.read(entry))


def show_image(path):
    """Blobs are named after their digests: the layers are compared file by file instead."""
    with tarfile.open(path) as archive:
        read = lambda name: archive.extractfile(name).read()
        [image] = json.loads(archive.extractfile("./manifest.json").read())
        show("config", {}, read("./" + image["Config"]))
        for number, layer in enumerate(image["Layers"], 1):
            show_tar(io.BytesIO(read("./" + layer)), f"layer {number}: ")


def main(path):
    if zipfile.is_zipfile(path):
        return show_zip(path)
    if not tarfile.is_tarfile(path):
        return None
    if path.endswith(".tar") and "-image-" in path:
        return show_image(path)
    with open(path, "rb") as source:
        return show_tar(source)


main(sys.argv[1])
