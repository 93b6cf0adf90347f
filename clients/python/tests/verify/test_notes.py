from __future__ import annotations

from fractions import Fraction
from typing import Optional, Sequence

import pytest

from broadside._verify.log.checkpoints import Checkpoint, open_checkpoint
from broadside._verify.log.notes import COSIGNATURE_KEY, NOTE_KEY, cosignature_times, key_id, parse_note, parse_vkey
from broadside._verify.encoding import encode_base64
from broadside._verify.log.merkle import inclusion_root, leaf_hash
from broadside._verify.log.proofs import commitment_of, entry_of, parse_proof
from broadside._verify.refusal import Refusal

from .signing import Signer, seed_from

ORIGIN, WITNESS = "posts.example/log", "witness.example/w1"
LOG_SIGNER, WITNESS_SIGNER = Signer(seed_from(0)), Signer(seed_from(0x20))
LOG_VKEY = "posts.example/log+e171adb4+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4"
WITNESS_VKEY = "witness.example/w1+20324abe+BCmsuuFBvMrwsi4alNNNC8c2HlJtC/4SyJeUvJMilm3X"
ROOT = "2t/EhthBZQcmYIMtDTDuJbWIN8xyazo7sxNZHBDkUWc="
TEXT = f"{ORIGIN}\n3\n{ROOT}\n"
LOG_LINE = "— posts.example/log 4XGttEhRrg7xh3kq+83JHvizXcomswaZnRRB0ZgXWmViuoxuqyw4ms+Kog554UwrUPcalcay2flilG9q94+Ex7XRBwo=\n"
WITNESS_LINE = (
    "— witness.example/w1 IDJKvgAAAABqsTuAmKyvPNS4Z/TZm+2V4Y4fE1p3xSdWWuJsNKsh2zNi8pvZ/lj+SQ8SrvGZlE1Nx16Lfrd02O/Cu3"
    "BpNM/cgvmaDQ==\n"
)
NOTE = f"{TEXT}\n{LOG_LINE}{WITNESS_LINE}"
TIME = 1790000000

POST = {
    "id": "p_2",
    "published_at": "2026-11-16T00:00:01Z",
    "text": "Second",
    "signature": {
        "alg": "Ed25519",
        "key_id": "WeVHjIQTOLKu-P74oC-WL-MNn_sLM5CvrzuMjDFC3-s",
        "created_at": "2026-11-16T00:00:01Z",
        "value": "J14TEB0Nt-ctgOKnV6SejnOsBY0waNgDgiGhHJXUN5KCX7DctaUc-zhNzZsvoq0xn08ziGqzGFrMozJUFz7QAQ",
    },
}
HASHES = ["IOIeyiYeQplYxt7LOuFpU1HWERJZQ7MMk09S1GB5oUU=", "KpRXVKz7grQaAwGLMidqbLRVeqd++BsJ9XUsgpQDegk="]
PROOF = f"c2sp.org/tlog-proof@v1\nextra {encode_base64(bytes([0xB0]) * 32)}\nindex 1\n"


def opened(
    note: object, witnesses: Sequence[str] = (WITNESS_VKEY,), log: str = LOG_VKEY, not_before: float = 0, now: float = TIME
) -> Checkpoint:
    data = note if isinstance(note, bytes) else str(note).encode()
    keys = [parse_vkey(vkey, COSIGNATURE_KEY) for vkey in witnesses]
    return open_checkpoint(data, parse_vkey(log, NOTE_KEY), keys, now=now, not_before=Fraction(not_before))


def refused(note: object, witnesses: Sequence[str] = (WITNESS_VKEY,), not_before: float = 0, now: float = TIME) -> str:
    with pytest.raises(Refusal) as raised:
        opened(note, witnesses, LOG_VKEY, not_before, now)
    return raised.value.code


def signed(text: str, *more: str) -> str:
    return f"{text}\n{LOG_SIGNER.note_line(ORIGIN, text)}{''.join(more)}"


def test_the_checkpoint_of_the_vector_verifies() -> None:
    checkpoint = opened(NOTE)
    assert (checkpoint.tree.size, encode_base64(checkpoint.tree.root)) == (3, ROOT)
    assert list(checkpoint.witnesses.values()) == [(WITNESS, TIME)]
    assert cosignature_times(parse_note(NOTE.encode()), parse_vkey(WITNESS_VKEY, COSIGNATURE_KEY)) == [TIME]
    assert signed(TEXT, WITNESS_SIGNER.cosignature_line(WITNESS, TEXT, TIME)) == NOTE
    assert (LOG_SIGNER.vkey(ORIGIN, 1), WITNESS_SIGNER.vkey(WITNESS, 4)) == (LOG_VKEY, WITNESS_VKEY)


def test_the_post_of_the_vector_is_in_its_log() -> None:
    proof = parse_proof(f"{PROOF}{HASHES[0]}\n{HASHES[1]}\n\n{NOTE}".encode())
    commitment = commitment_of(POST, proof.extra, "posts.example")
    assert commitment == "gubM4H5lIUWHMzfb63jXtc0ltbw5tDoOab57a7EWpyY"
    leaf = leaf_hash(entry_of("post", commitment))
    assert encode_base64(leaf) == "intg5NpN10BOBkVTggPKWtEKORZdUibJ94Xp4CsIO28="
    assert inclusion_root(proof.position, 3, leaf, proof.hashes) == opened(proof.checkpoint).tree.root


@pytest.mark.parametrize(
    "note", [TEXT + LOG_LINE, NOTE[:-1], f"\n\n{LOG_LINE}", "", "\n", TEXT, f"{TEXT}\n"], ids=range(7)
)
def test_a_note_needs_its_blank_line_and_final_newline(note: str) -> None:
    assert refused(note) in ("note_malformed", "note_signature_line", "checkpoint_malformed")


@pytest.mark.parametrize(
    "note", [NOTE.replace("\n", "\r\n"), NOTE.replace("3\n", "3\t\n"), NOTE + "\0", NOTE.encode() + b"\xff"], ids=range(4)
)
def test_a_note_is_text_without_control_characters(note: object) -> None:
    assert refused(note) == "note_not_text"


@pytest.mark.parametrize("dash", ["-", "–", "―", "—\u00a0", ""])
def test_a_signature_line_starts_with_an_em_dash(dash: str) -> None:
    assert refused(NOTE.replace("— posts", f"{dash} posts")) == "note_signature_line"


@pytest.mark.parametrize("name", ["", "a b", "a+b", "a\u2003b", " "])
def test_a_key_name_is_not_empty_and_has_no_space_or_plus(name: str) -> None:
    assert refused(f"{NOTE}— {name} {encode_base64(bytes(68))}\n") == "note_key_name"


def test_a_signature_is_canonical_base64() -> None:
    assert refused(NOTE.replace("XRBwo=", "XRBwp=")) == "base64_not_canonical"
    assert refused(NOTE.replace("XRBwo=", "XRBwo")) == "base64_not_canonical"


@pytest.mark.parametrize(("line", "type"), [(LOG_SIGNER, 1), (WITNESS_SIGNER, 4)], ids=["log", "witness"])
@pytest.mark.parametrize("length", [1, 63, 65, 71, 73])
def test_a_signature_has_the_length_of_its_type(line: Signer, type: int, length: int) -> None:
    name = ORIGIN if type == 1 else WITNESS
    blob = encode_base64(key_id(name, bytes([type]) + line.public_key) + bytes(length))
    assert refused(f"{NOTE}— {name} {blob}\n") == "note_signature_length"


def test_a_wrong_signature_of_a_known_key_spoils_the_note() -> None:
    other = TEXT.replace("\n3\n", "\n4\n")
    assert refused(f"{other}\n{LOG_LINE}") == "note_signature_wrong"
    assert refused(signed(other, WITNESS_LINE)) == "note_signature_wrong"
    assert refused(NOTE + LOG_SIGNER.note_line(ORIGIN, other)) == "note_signature_wrong"
    assert opened(signed(other, WITNESS_LINE), witnesses=[]).tree.size == 4


def test_signatures_of_unknown_keys_alone_are_not_enough() -> None:
    stranger = Signer(seed_from(0x80))
    assert refused(f"{TEXT}\n{stranger.note_line(ORIGIN, TEXT)}") == "note_unsigned"
    assert refused(f"{TEXT}\n{WITNESS_LINE}") == "note_unsigned"
    assert opened(NOTE + stranger.note_line(ORIGIN, TEXT)).tree.size == 3


def test_a_checkpoint_of_another_log_is_refused() -> None:
    text = TEXT.replace("posts.example/log", "posts.example/other")
    assert refused(signed(text)) == "foreign_origin"


@pytest.mark.parametrize("size", ["03", "+3", "-3", "3 ", "", "0x3", "3.0", "٣", str(2**63), "1" * 30])
def test_a_size_has_one_form(size: str) -> None:
    assert refused(signed(f"{ORIGIN}\n{size}\n{ROOT}\n")) in ("checkpoint_size", "checkpoint_malformed")


def test_the_largest_size_is_accepted() -> None:
    assert opened(signed(f"{ORIGIN}\n{2**63 - 1}\n{ROOT}\n")).tree.size == 2**63 - 1


@pytest.mark.parametrize("root", ["", "AAAA", encode_base64(bytes(31)), encode_base64(bytes(33)), ROOT[:-2] + "d="])
def test_a_root_is_32_bytes_in_canonical_base64(root: str) -> None:
    assert refused(signed(f"{ORIGIN}\n3\n{root}\n")) in ("checkpoint_root", "base64_not_canonical", "note_signature_line")


def test_a_checkpoint_has_no_further_lines() -> None:
    assert refused(signed(f"{TEXT}more\n")) == "checkpoint_malformed"
    assert refused(signed(f"{ORIGIN}\n3\n")) == "checkpoint_malformed"


def vkey_refusal(vkey: str, type: int) -> Optional[str]:
    try:
        parse_vkey(vkey, type)
    except Refusal as refusal:
        return refusal.code
    return None


def test_a_vkey_is_refused_if_its_id_type_or_key_is_wrong() -> None:
    assert vkey_refusal(LOG_VKEY, NOTE_KEY) is None
    assert vkey_refusal(LOG_VKEY.replace("e171", "e172"), NOTE_KEY) == "vkey_id"
    assert vkey_refusal(LOG_VKEY, COSIGNATURE_KEY) == "vkey_type"
    assert vkey_refusal(WITNESS_VKEY, NOTE_KEY) == "vkey_type"
    for bad in ("", "a", "a+b", "+e171adb4+AQ==", "a b+e171adb4+AQ==", LOG_VKEY.upper(), LOG_VKEY + "=", LOG_VKEY[:-4]):
        assert vkey_refusal(bad, NOTE_KEY) in ("vkey_malformed", "vkey_id", "note_key_name", "vkey_type", "base64_not_canonical", "key_malformed"), bad
    small = b"\x01" + b"\x01" + bytes(31)
    assert vkey_refusal(f"a+{key_id('a', small).hex()}+{encode_base64(small)}", NOTE_KEY) == "key_small_order"


def test_a_witness_key_counts_once() -> None:
    again = WITNESS_SIGNER.cosignature_line(WITNESS, TEXT, TIME - 5)
    assert len(opened(NOTE + again, witnesses=[WITNESS_VKEY, WITNESS_VKEY]).witnesses) == 1


@pytest.mark.parametrize(("time", "not_before"), [(0, 0), (TIME + 301, 0), (2**64 - 1, 0), (TIME - 1000, TIME - 1)])
def test_a_cosignature_has_a_time_after_the_post_and_not_in_the_future(time: int, not_before: int) -> None:
    note = signed(TEXT, WITNESS_SIGNER.cosignature_line(WITNESS, TEXT, time))
    assert refused(note, not_before=not_before) == "cosignature_time"


def test_sixteen_signatures_are_accepted_and_an_oversized_note_is_not() -> None:
    largest = "".join(f"— w{number} {encode_base64(bytes(4 + 8 + 2420))}\n" for number in range(14))
    assert len(opened(NOTE + largest).witnesses) == 1
    assert len(parse_note((NOTE + largest).encode()).signatures) == 16
    assert refused(NOTE + largest * 2) == "note_too_large"


@pytest.mark.parametrize(
    ("proof", "code"),
    [
        ("", "proof_malformed"),
        (PROOF, "proof_malformed"),
        (f"{PROOF}\n\n{NOTE}".replace("@v1", "@v2"), "proof_malformed"),
        (f"{PROOF}\n{NOTE}".replace("index 1", "index 01"), "checkpoint_size"),
        (f"{PROOF}\n{NOTE}".replace("index 1", "index -1"), "checkpoint_size"),
        (f"{PROOF}AAAA\n\n{NOTE}", "proof_malformed"),
        (f"{PROOF}{HASHES[0][:-2]}V=\n\n{NOTE}", "base64_not_canonical"),
        (f"{PROOF}{(HASHES[0] + chr(10)) * 64}\n{NOTE}", "proof_length"),
        ("c2sp.org/tlog-proof@v1\nextra AAAA\n\n" + NOTE, "proof_malformed"),
        ("c2sp.org/tlog-proof@v1\nextra AAA\nindex 1\n\n" + NOTE, "base64_not_canonical"),
    ],
    ids=range(10),
)
def test_a_proof_has_one_form(proof: str, code: str) -> None:
    with pytest.raises(Refusal) as raised:
        parse_proof(proof.encode())
    assert raised.value.code == code


@pytest.mark.parametrize("salt", [None, b"", bytes(31), bytes(33)], ids=["none", "empty", "short", "long"])
def test_a_salt_is_32_bytes(salt: Optional[bytes]) -> None:
    with pytest.raises(Refusal) as raised:
        commitment_of(POST, salt, ORIGIN)
    assert raised.value.code == "salt_length"
