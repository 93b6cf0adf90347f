"""Ed25519 verification after RFC 8032, section 5.1.7. It handles public data only, so it need not take constant time."""

from __future__ import annotations

import hashlib
from typing import NamedTuple, Optional

from .refusal import Refusal

_P = 2**255 - 19
_L = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, _P - 2, _P) % _P
_SMALL_ORDER = (
    0,
    1,
    _P - 1,
    0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7,
    0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826,
)
"""The y coordinates of the eight points of small order."""
_ROOT_OF_MINUS_1 = pow(2, (_P - 1) // 4, _P)


class _Point(NamedTuple):
    """x = X/Z, y = Y/Z, xy = T/Z."""

    x: int
    y: int
    z: int
    t: int


_IDENTITY = _Point(0, 1, 1, 0)


def check_public_key(public_key: bytes) -> _Point:
    """Refuses what is not the only encoding of a point of large order. A key of small order verifies every message."""
    point = _decode(public_key)
    if point is None:
        raise Refusal("key_malformed")
    if _is_identity(_multiply(8, point)):
        raise Refusal("key_small_order")
    return point


def check_signature_form(signature: bytes) -> int:
    """Refuses the second form that each signature would otherwise have, and what implementations judge differently.

    Returns the number S.
    """
    if len(signature) != 64:
        raise Refusal("signature_malformed", f"It has {len(signature)} bytes, not 64.")
    s = int.from_bytes(signature[32:], "little")
    if s >= _L:
        raise Refusal("signature_malformed", "Its number S is too large.")
    y = int.from_bytes(signature[:32], "little") & (2**255 - 1)
    if y >= _P or y in _SMALL_ORDER:
        raise Refusal("signature_malformed", "Its point R is not canonical, or of small order.")
    return s


def is_signed_by(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether the signature is by the key. Raises Refusal if one of them is malformed."""
    key = check_public_key(public_key)
    encoded_r, s = signature[:32], check_signature_form(signature)
    h = int.from_bytes(hashlib.sha512(encoded_r + public_key + message).digest(), "little") % _L
    # R = S·B − h·A. Comparing the encodings also refuses an R that is not in its one form.
    minus_key = _Point(-key.x % _P, key.y, key.z, -key.t % _P)
    return _encode(_add(_multiply(s, _BASE), _multiply(h, minus_key))) == encoded_r


def _add(a: _Point, b: _Point) -> _Point:
    low = (a.y - a.x) * (b.y - b.x) % _P
    high = (a.y + a.x) * (b.y + b.x) % _P
    c = 2 * a.t * b.t * _D % _P
    d = 2 * a.z * b.z % _P
    e, f, g, h = high - low, d - c, d + c, high + low
    return _Point(e * f % _P, g * h % _P, f * g % _P, e * h % _P)


def _multiply(scalar: int, point: _Point) -> _Point:
    result = _IDENTITY
    while scalar:
        if scalar & 1:
            result = _add(result, point)
        point = _add(point, point)
        scalar >>= 1
    return result


def _is_identity(point: _Point) -> bool:
    return point.x % _P == 0 and (point.y - point.z) % _P == 0


def _encode(point: _Point) -> bytes:
    inverse = pow(point.z, _P - 2, _P)
    x, y = point.x * inverse % _P, point.y * inverse % _P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def _decode(encoded: bytes) -> Optional[_Point]:
    if len(encoded) != 32:
        return None
    number = int.from_bytes(encoded, "little")
    sign, y = number >> 255, number & (2**255 - 1)
    x = _x_of(y, sign) if y < _P else None
    return None if x is None else _Point(x, y, 1, x * y % _P)


def _x_of(y: int, sign: int) -> Optional[int]:
    square = (y * y - 1) * pow(_D * y * y + 1, _P - 2, _P) % _P
    x = pow(square, (_P + 3) // 8, _P)
    if (x * x - square) % _P:
        x = x * _ROOT_OF_MINUS_1 % _P
    if (x * x - square) % _P or (x == 0 and sign):
        return None
    return _P - x if x & 1 != sign else x


def _base() -> _Point:
    y = 4 * pow(5, _P - 2, _P) % _P
    x = _x_of(y, 0) or 0
    return _Point(x, y, 1, x * y % _P)


_BASE = _base()
