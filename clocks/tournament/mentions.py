"""Remove names from messages, tournament logs and Django's admin log."""

import json
import re
from collections.abc import Callable, Iterable
from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.db.models import Q, QuerySet

from clocks.host.slices import update_in_slices
from clocks.journal import entries, removal
from clocks.journal.names import called, former
from clocks.models import HallEntry, InstallationEntry, Message, Tournament

REMOVED = "…"
MESSAGE = f"UPDATE {Message._meta.db_table} SET text = %s WHERE id = %s"


def forget_mentions(name: str, within: Tournament | None) -> None:
    """Remove a name from messages and tournament logs, in all tournaments or in one."""
    found = mention(name)
    messages, log = _texts(within)
    texts = messages.values_list("pk", "text")
    update_in_slices(MESSAGE, [(found.sub(REMOVED, text), key) for key, text in texts if found.search(text)])
    rewrite(log, lambda data: _replaced(data, found))


def is_mentioned(name: str, within: Tournament | None) -> bool:
    """True if a message or a tournament log mentions this name."""
    found = mention(name)
    messages, log = _texts(within)
    texts = [*messages.values_list("text", flat=True), *log.values_list("data", flat=True)]
    return any(_replaced(text, found) != text for text in texts)


def _texts(within: Tournament | None) -> tuple[QuerySet[Message], QuerySet[HallEntry]]:
    if within is None:
        return Message.objects.all(), HallEntry.objects.all()
    return Message.objects.filter(tournament=within), HallEntry.objects.filter(tournament=within)


def mention(name: str) -> re.Pattern[str]:
    """Regex that matches a name as whole words."""
    words = r"\s+".join(map(re.escape, name.split()))
    return re.compile(rf"(?<!\w){words}(?!\w)", re.IGNORECASE)


def _replaced(value: Any, found: re.Pattern[str]) -> Any:
    if isinstance(value, dict):
        return {key: _replaced(each, found) for key, each in value.items()}
    return found.sub(REMOVED, value) if isinstance(value, str) else value


def forget_account(user: User) -> None:
    """Anonymise and deactivate an account; its actions stay, as a former user's."""
    written = HallEntry.objects.filter(user=user).values_list("user_name", flat=True)
    once = {*written, *entries.names_of_user(user.pk)} - {""}  # earlier names too
    before, after = (user.get_username(), called(user), *once), former(user.pk)
    rewrite(
        HallEntry.objects.filter(Q(data__of__in=before) | Q(data__by__in=before)),
        lambda data: {key: after if value in before else value for key, value in data.items()},
    )
    _forget_in_admin(before, after)
    InstallationEntry.objects.filter(user=user).update(user_name=after)
    named = list(HallEntry.objects.filter(user=user).exclude(user_name="").values_list("pk"))
    # Without a stored name, an entry shows the name of the account.
    update_in_slices(f"UPDATE {HallEntry._meta.db_table} SET user_name = '' WHERE id = %s", named)
    removal.forget_user(user.pk)
    user.username, user.is_active = after, False
    user.first_name = user.last_name = user.email = ""
    user.set_unusable_password()
    user.save()


def _forget_in_admin(names: Iterable[str], after: str) -> None:
    """Replace a user's names in Django's admin log, whose messages are JSON."""
    written = {*names, *(json.dumps(name)[1:-1] for name in names)}
    found = re.compile("|".join(mention(name).pattern for name in written), re.IGNORECASE)
    changed = [
        (found.sub(after, shown)[:200], found.sub(after, said), key)
        for key, *texts in LogEntry.objects.values_list("pk", "object_repr", "change_message")
        for shown, said in [texts]
        if any(map(found.search, texts))
    ]
    update_in_slices(
        f"UPDATE {LogEntry._meta.db_table} SET object_repr = %s, change_message = %s WHERE id = %s", changed
    )


def rewrite(log: QuerySet[HallEntry], changed: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Rewrite the data of log entries with `changed`."""
    rows = [(json.dumps(new), key) for key, data in log.values_list("pk", "data") if (new := changed(data)) != data]
    update_in_slices(f"UPDATE {HallEntry._meta.db_table} SET data = %s WHERE id = %s", rows)
