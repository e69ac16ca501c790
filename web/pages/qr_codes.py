"""QR codes as pictures."""

import io

import segno
from flask import Response


def qr_picture(address: str) -> Response:
    out = io.BytesIO()
    segno.make(address, error="m").save(
        out, kind="svg", border=2, xmldecl=False, svgns=True, omitsize=True, dark="#000", light="#fff"
    )
    return Response(out.getvalue(), mimetype="image/svg+xml")
