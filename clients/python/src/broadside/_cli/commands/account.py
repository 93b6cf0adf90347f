"""login, logout and balance."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Mapping

from ..._client import Broadside
from ..._core.settings import checked_url
from ..context import Context, address_of, open_keyed_client, required_address
from ..credentials import SavedLogin, credentials_path, not_saved, read_login, save_login
from ..failures import CliError, UsageError
from ..terminal.prompt import ask, ask_hidden, is_interactive, read_standard_input
from ..terminal.text import one_line, usd


def login(context: Context) -> None:
    saved = read_login(context.environment)
    if address_of(context, saved) or not is_interactive():
        base_url = required_address(context, saved)
    else:
        base_url = ask("Address of a site, such as https://messages.broadside.example: ")
    if context.is_set("create"):
        _create_account(context, saved, base_url)
    else:
        _save_key(context, saved, base_url)


def _save_key(context: Context, saved: SavedLogin, base_url: str) -> None:
    out, site = context.out, checked_url(base_url)
    api_key = ask_hidden("API key (not shown): ") if is_interactive() else read_standard_input().strip()
    if not api_key:
        raise UsageError("The API key is missing.", "Pass it on standard input: broadside login < key.txt")
    with Broadside(base_url=base_url, api_key=api_key) as client:
        account = client.get_account()
    path = _save(context.environment, {**saved, "base_url": site, "api_key": api_key})
    id, name, url = account["id"], account["name"], account["account_url"]
    out.document({"base_url": site, "account": {"id": id, "name": name}, "account_url": url, "path": str(path)})
    out.print(f"Logged in to {site} as {one_line(name)} ({id}).")
    out.print(f"The key is saved in {path}")
    if context.environment.get("BROADSIDE_API_KEY"):
        out.note("BROADSIDE_API_KEY is set and comes before the saved key.")


def _create_account(context: Context, saved: SavedLogin, base_url: str) -> None:
    if saved.get("api_key"):
        raise CliError(
            "A key is already saved on this machine, and the service never shows it again.",
            exit="usage",
            code="already_logged_in",
            advice="Keep a copy of it if you need it, run `broadside logout`, then try again.",
        )
    out, site = context.out, checked_url(base_url)
    with Broadside(base_url=base_url, api_key="") as client:
        name = _answer_for(context, "name", "Public name of the author: ")
        email = _answer_for(context, "email", "Email address of the owner: ")
        _accept_terms(context, site)
        account = client.create_account({"name": name, "email": email, "accept_terms": True})
    path = _keep(context.environment, {**saved, "base_url": site, "api_key": account["api_key"]}, account)
    id, url, next_step = account["id"], account["account_url"], account["next_step"]
    document = {"base_url": site, "account": {"id": id, "name": account["name"]}, "account_url": url}
    out.document({**document, "for_human": True, "next_step": next_step, "path": str(path)})
    out.print(f"Created the account {one_line(account['name'])} ({id}). The key is saved in {path}")
    out.print(f"For the owner: {one_line(url)}")
    out.print("The owner verifies the email address there and tops up the balance. Then you can publish.")


def _answer_for(context: Context, option: str, question: str) -> str:
    given = context.text(option)
    if given is None:
        given = ask(question) if is_interactive() else ""
    if not given:
        raise UsageError(f"--{option} is missing.", "Pass --name, --email and --accept-terms.")
    return given


def _accept_terms(context: Context, site: str) -> None:
    if context.is_set("accept-terms"):
        return
    answer = ask(f"Do you accept the terms at {site}/terms/? [y/N] ") if is_interactive() else ""
    if not re.fullmatch(r"y(es)?", answer, re.IGNORECASE):
        raise UsageError("The terms are not accepted.", f"Read {site}/terms/ and pass --accept-terms.")


def _save(environment: Mapping[str, str], login: SavedLogin) -> Path:
    try:
        return save_login(environment, login)
    except OSError as error:
        advice = "Correct the permissions of the folder, or set XDG_CONFIG_HOME to another one."
        raise CliError(not_saved(environment, error), exit="failed", code="login_not_saved", advice=advice) from None


def _keep(environment: Mapping[str, str], login: SavedLogin, account: Any) -> Path:
    """Saves the key. If that fails, the error has the key: it is shown only once."""
    try:
        return save_login(environment, login)
    except OSError as error:
        key, url = account["api_key"], account["account_url"]
        raise CliError(
            f"The account exists, but its key is not saved: {not_saved(environment, error)}",
            exit="failed",
            code="key_not_saved",
            advice=f"Keep the key yourself: {key}\nFor the owner: {url}",
            members={"api_key": key, "account_url": url},
        ) from None


def logout(context: Context) -> None:
    out, environment = context.out, context.environment
    saved = read_login(environment)
    had_key = bool(saved.pop("api_key", None))
    if had_key:
        _save(environment, saved)
    out.document({"logged_out": had_key, "path": str(credentials_path(environment))})
    out.print("Deleted the saved key from this machine. The key stays valid." if had_key else "No key was saved.")
    if environment.get("BROADSIDE_API_KEY"):
        out.note("BROADSIDE_API_KEY is set and still in use.")


def balance(context: Context) -> None:
    out = context.out
    with open_keyed_client(context) as client:
        account: Any = client.get_account()
    shown = {name: account[name] for name in ("balance_micros", "owed_micros", "auto_recharge", "account_url")}
    out.document(shown)
    recharge = account["auto_recharge"]
    amounts = f"{usd(recharge['amount_micros'])} below {usd(recharge['threshold_micros'])}"
    out.print(f"Balance:        {out.style('bold', usd(account['balance_micros']))}")
    if account["owed_micros"] > 0:
        out.print(f"Owed:           {out.style('red', usd(account['owed_micros']))}")
    out.print(f"Auto-recharge:  {amounts if recharge['enabled'] else 'off'}")
    out.print(f"For the owner:  {one_line(account['account_url'])}")
