import base64
import binascii
import hashlib
import hmac
import time

TOLERANCE_SECONDS = 5 * 60


def is_genuine(secret, webhook_id, timestamp, signature, body, now=None):
    """Return True if we sent this delivery less than five minutes ago.

    webhook_id, timestamp and signature are the headers webhook-id,
    webhook-timestamp and webhook-signature, as text.
    body is the raw body as bytes, exactly as it arrived.
    """
    now = time.time() if now is None else now
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) < 16):
        return False
    if abs(now - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{webhook_id}.{timestamp}.".encode() + body
    expected = hmac.new(key, signed, hashlib.sha256).digest()
    for one in signature.split(" "):
        version, _, value = one.partition(",")
        if version != "v1":
            continue
        try:
            given = base64.b64decode(value, validate=True)
        except (binascii.Error, ValueError):
            continue
        if hmac.compare_digest(given, expected):
            return True
    return False
