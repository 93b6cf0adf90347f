"""Every error that the client raises. Each problem of the service has a class, such as InsufficientBalanceError."""

from ._core.errors import ApprovalRequiredError as ApprovalRequiredError
from ._core.errors import BroadsideConnectionError as BroadsideConnectionError
from ._core.errors import BroadsideError as BroadsideError
from ._core.errors import BroadsideProblem as BroadsideProblem
from ._core.errors import BroadsideTimeoutError as BroadsideTimeoutError
from ._core.errors import WaitTimeoutError as WaitTimeoutError
from ._core.settings import ConfigurationError as ConfigurationError
from ._core.webhooks import WebhookVerificationError as WebhookVerificationError
from ._generated.problems import *
