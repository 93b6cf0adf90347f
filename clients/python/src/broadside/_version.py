"""The version of this package, which pyproject.toml repeats."""

__version__ = "1.0.0"
