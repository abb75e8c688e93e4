"""Makes the wheel of the package, with the standard library alone, so that `pip install` needs no network.

The shared library goes into the wheel where it is found: at ZWANG_LIBRARY, or built beside this folder (../build). Without it
the package looks for an installed one.
"""
import base64
import hashlib
import os
import sysconfig
import tomllib
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))


def _project():
    with open(os.path.join(HERE, "pyproject.toml"), "rb") as f:
        return tomllib.load(f)["project"]


def _name():
    """of the library at run time, as meson.build says it"""
    first, second = _project()["version"].split(".")[:2]
    return f"libzwang.so.0.{second}" if first == "0" else f"libzwang.so.{first}"


def _library():
    named = os.environ.get("ZWANG_LIBRARY")
    near = os.path.join(HERE, "..", "build", _name())
    return named if named and os.path.exists(named) else near if os.path.exists(near) else None


def _tag(library):
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return f"py3-none-{platform}" if library else "py3-none-any"


def _metadata():
    p = _project()
    lines = ["Metadata-Version: 2.1", f"Name: {p['name']}", f"Version: {p['version']}", f"Summary: {p['description']}",
             f"Requires-Python: {p['requires-python']}"]
    return "\n".join(lines + [f"Requires-Dist: {d}" for d in p["dependencies"]]) + "\n"


def _info():
    p = _project()
    return f"{p['name']}-{p['version']}.dist-info"


def _wheel_text(library):
    return f"Wheel-Version: 1.0\nGenerator: wheel_of_zwang\nRoot-Is-Purelib: {'false' if library else 'true'}\nTag: {_tag(library)}\n"


def _write(path, files, library):
    """files: pairs of a name in the wheel and its bytes"""
    record = []
    info = _info()
    files = files + [(f"{info}/METADATA", _metadata().encode()), (f"{info}/WHEEL", _wheel_text(library).encode())]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as z:
        for name, data in files:
            z.writestr(name, data)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(data)}")
        z.writestr(f"{info}/RECORD", "\n".join(record + [f"{info}/RECORD,,"]) + "\n")


def _read(path):
    with open(path, "rb") as f:
        return f.read()


def _modules():
    folder = os.path.join(HERE, "zwang")
    return [(f"zwang/{name}", _read(os.path.join(folder, name))) for name in sorted(os.listdir(folder))
            if name.endswith(".py") or name == "py.typed"]


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    library = _library()
    p = _project()
    name = f"{p['name']}-{p['version']}-{_tag(library)}.whl"
    files = _modules() + ([("zwang/" + _name(), _read(library))] if library else [])
    _write(os.path.join(wheel_directory, name), files, library)
    return name


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    p = _project()
    name = f"{p['name']}-{p['version']}-py3-none-any.whl"
    _write(os.path.join(wheel_directory, name), [("zwang.pth", (HERE + "\n").encode())], None)
    return name
