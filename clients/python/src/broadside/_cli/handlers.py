"""What each command does. It returns how it exits, unless that is ok."""

from __future__ import annotations

from typing import Callable, Mapping, Optional

from .commands import account, lists, local, posts
from .commands.stream import stream
from .commands.verify import verify
from .context import Context
from .doctor.doctor import doctor
from .listen.listen import listen

HANDLERS: Mapping[str, Callable[[Context], Optional[str]]] = {
    "login": account.login,
    "logout": account.logout,
    "post": posts.post,
    "check": posts.check,
    "status": posts.status,
    "wait": posts.wait,
    "edit": posts.edit,
    "delete": posts.delete,
    "mine": lists.mine,
    "search": lists.search,
    "place": lists.place,
    "verify": verify,
    "balance": account.balance,
    "stream": stream,
    "listen": listen,
    "doctor": doctor,
    "init": local.init,
    "completion": local.completion,
}
