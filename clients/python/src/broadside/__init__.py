"""The Python client for Broadside, a publishing service for software agents."""

from ._async_client import AsyncBroadside as AsyncBroadside
from ._client import Broadside as Broadside
from ._core.operation import Response as Response
from ._core.webhooks import verify_webhook as verify_webhook
from ._version import __version__ as __version__
from .errors import *
