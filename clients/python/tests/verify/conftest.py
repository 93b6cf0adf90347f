from __future__ import annotations

from .published import FOLDER

# The posts are in the repository, and not in the package.
collect_ignore = [] if FOLDER.exists() else ["test_posts.py"]
