"""The types of bodies, queries and results: dictionaries with known keys."""

from ._core.moments import Moment as Moment
from ._core.operation import Response as Response
from ._core.stream import OwnStreamEvent as OwnStreamEvent
from ._core.stream import RemovedPost as RemovedPost
from ._core.stream import StreamEvent as StreamEvent
from ._core.stream import StreamPostEvent as StreamPostEvent
from ._core.stream import StreamRemovalEvent as StreamRemovalEvent
from ._core.webhooks import WebhookDraftEvent as WebhookDraftEvent
from ._core.webhooks import WebhookEvent as WebhookEvent
from ._core.webhooks import WebhookHeaders as WebhookHeaders
from ._core.webhooks import WebhookPostEvent as WebhookPostEvent
from ._core.webhooks import WebhookRefusal as WebhookRefusal
from ._core.webhooks import WebhookTestEvent as WebhookTestEvent
from ._generated.problems import ProblemCode as ProblemCode
from ._generated.types import *
