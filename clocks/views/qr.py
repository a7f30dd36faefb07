"""QR codes."""

import re
from io import BytesIO

import segno
from segno import helpers


def qr_svg(url: str) -> bytes:
    """QR code of an address as SVG: upper case (denser), level Q (against dirt)."""
    out = BytesIO()
    segno.make(url.upper(), error="q", micro=False, boost_error=False).save(
        out, kind="svg", border=4, scale=8, light="#fff", omitsize=True, xmldecl=False, svgclass=None, lineclass=None
    )
    return out.getvalue()


def qr_path(url: str) -> tuple[int, str]:
    """Code of `qr_svg` without quiet zone: modules per side, SVG path of dark ones."""
    return _path(segno.make(url.upper(), error="q", micro=False, boost_error=False))


def wifi_path(name: str, password: str) -> tuple[int, str]:
    """QR code for joining a Wi-Fi network, in the same form as from `qr_path`.

    Level M suffices on clean paper.
    """
    secured = {"password": password, "security": "WPA"} if password else {"password": None, "security": "nopass"}
    return _path(segno.make(helpers.make_wifi_data(ssid=name, **secured), error="m", micro=False, boost_error=False))


def _path(code: segno.QRCode) -> tuple[int, str]:
    rows = [bytes(row) for row in code.matrix]
    runs = [
        f"M{found.start()} {y}h{len(found.group())}v1h-{len(found.group())}z"
        for y, row in enumerate(rows)
        for found in re.finditer(b"\x01+", row)
    ]
    return len(rows), "".join(runs)


def qr_data(url: str) -> str:
    """QR code of a case-sensitive address, as a `data:` URL of an image."""
    return segno.make(url, error="m", micro=False).svg_data_uri(border=4, dark="#000", light="#fff", omitsize=True)
