from __future__ import annotations

from typing import Any

from ..._client import Broadside
from ..._core.errors import BroadsideError, BroadsideProblem
from ..._generated.problems import InsufficientBalanceError, InsufficientScopeError, KeyReadOnlyError
from ..error_report import exit_of
from ..table import TABLE
from ..terminal.text import one_line, usd
from .findings import Finding, failed, passed, warning


def check_account(client: Broadside) -> list[Finding]:
    """Key, scopes, email, standing and balance."""
    try:
        account: Any = client.get_account()
        pricing = client.get_pricing()
        return [
            passed("key", f"valid, account {one_line(account['name'])} ({account['id']})"),
            _check_publishing(client),
            _check_email(account),
            _check_standing(account),
            _check_balance(account, pricing["posts"]),
        ]
    except BroadsideProblem as problem:
        return [failed("key", exit_of(problem), one_line(problem.detail), _advice_for(problem))]
    except BroadsideError as error:
        return [failed("key", "unavailable", one_line(str(error)), "Try again in a few minutes.")]


def _advice_for(problem: BroadsideProblem) -> str:
    advice = str(TABLE["advice"].get(problem.code, "Read the page of this problem."))
    return f"{advice} {problem.account_url}" if problem.account_url else advice


def _check_publishing(client: Broadside) -> Finding:
    """A dry run: it needs the same scopes as a post, stores nothing and costs nothing."""
    try:
        client.check("message", {"text": "The ferry to Lisbon leaves at nine from the second pier."})
    except InsufficientBalanceError:
        # The balance has a line of its own.
        pass
    except (InsufficientScopeError, KeyReadOnlyError) as problem:
        return warning("publishing", "this key may read, not publish", _advice_for(problem))
    except BroadsideProblem as problem:
        return failed("publishing", exit_of(problem), one_line(problem.detail), _advice_for(problem))
    return passed("publishing", "this key may publish")


def _check_email(account: Any) -> Finding:
    if account["email_verified"]:
        return passed("email", "the owner’s address is verified")
    return warning("email", "the owner’s address is not verified", f"Ask the owner to open {account['account_url']}")


def _check_standing(account: Any) -> Finding:
    standing, strikes = account["standing"], account["strikes"]
    if standing == "good":
        return passed("standing", f"good, strikes: {strikes}" if strikes else "good")
    return failed("standing", "key", standing, "Read the decisions on your posts: broadside mine --status rejected")


def _check_balance(account: Any, prices: Any) -> Finding:
    owed = account["owed_micros"]
    available = account["balance_micros"] - owed
    too_dear = [price["kind"] for price in prices if price["post_micros"] > available]
    detail = usd(account["balance_micros"]) + (f", owed {usd(owed)}" if owed > 0 else "")
    advice = f"Ask the owner to top up at {account['account_url']}"
    if not too_dear:
        return passed("balance", f"{detail}, enough for a post of each kind")
    if len(too_dear) == len(prices):
        return failed("balance", "owner", f"{detail}, too low for any post", advice)
    return warning("balance", f"{detail}, too low for: {', '.join(too_dear)}", advice)
