"""Signed notes, checkpoints, tiles and proofs of a transparency log."""
