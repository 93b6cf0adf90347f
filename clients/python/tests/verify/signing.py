"""Signs for tests. The package itself only verifies."""

from __future__ import annotations

import hashlib

from broadside._verify import ed25519
from broadside._verify.encoding import encode_base64, encode_base64url
from broadside._verify.log.notes import key_id


class Signer:
    """An Ed25519 key, from its seed (RFC 8032, section 5.1.6)."""

    def __init__(self, seed: bytes) -> None:
        digest = hashlib.sha512(seed).digest()
        self._scalar = int.from_bytes(digest[:32], "little") & (2**254 - 8) | 2**254
        self._prefix = digest[32:]
        self.public_key = ed25519._encode(ed25519._multiply(self._scalar, ed25519._BASE))
        self.x = encode_base64url(self.public_key)

    def sign(self, message: bytes) -> bytes:
        r = self._number(self._prefix + message)
        encoded = ed25519._encode(ed25519._multiply(r, ed25519._BASE))
        h = self._number(encoded + self.public_key + message)
        return encoded + ((r + h * self._scalar) % ed25519._L).to_bytes(32, "little")

    def _number(self, data: bytes) -> int:
        return int.from_bytes(hashlib.sha512(data).digest(), "little") % ed25519._L

    def vkey(self, name: str, type: int) -> str:
        typed = bytes([type]) + self.public_key
        return f"{name}+{key_id(name, typed).hex()}+{encode_base64(typed)}"

    def note_line(self, name: str, text: str) -> str:
        return self._line(name, 1, self.sign(text.encode()))

    def cosignature_line(self, name: str, text: str, time: int) -> str:
        signature = self.sign(f"cosignature/v1\ntime {time}\n{text}".encode())
        return self._line(name, 4, time.to_bytes(8, "big") + signature)

    def _line(self, name: str, type: int, blob: bytes) -> str:
        return f"\u2014 {name} {encode_base64(key_id(name, bytes([type]) + self.public_key) + blob)}\n"


def seed_from(first: int) -> bytes:
    return bytes(range(first, first + 32))
