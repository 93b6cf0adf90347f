"""Everything that does no input or output. The sync and the async client share it."""
