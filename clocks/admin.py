"""Django's admin for support: view everything, repair memberships and tournaments.

Matches and records are read-only, because only the desk changes them; tokens and their hashes are hidden.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from django.contrib import admin
from django.contrib.admin.widgets import AutocompleteSelect
from django.db.models import Model
from django.http import HttpRequest

from clocks.models import (
    ApiAnswer,
    ApiToken,
    Bye,
    Delivery,
    Device,
    Entrant,
    FailedSignIn,
    FeedEvent,
    HallEntry,
    InstallationEntry,
    Invite,
    JournalEntry,
    Match,
    Membership,
    Message,
    Pairing,
    Place,
    Player,
    RetiredCode,
    Round,
    SeatAsk,
    Section,
    SignInLink,
    SignOfLife,
    Spending,
    Stage,
    Table,
    Tournament,
    Webhook,
    Wifi,
)

admin.site.site_header = admin.site.site_title = "Backgammon clock: support"


class ReadOnlyAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # Django 5.2 takes no arguments at run time
    """Admin without permission to add, change or delete."""

    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    has_delete_permission = has_change_permission


@admin.display(description="at (UTC)", ordering="at")
def moment(entry: Any) -> str:
    """Admin column: the entry's time, stored in ms of server time, in UTC."""
    return datetime.fromtimestamp(entry.at / 1000, UTC).isoformat(sep=" ", timespec="milliseconds")[:-6]


class KeyCheckingAutocomplete(AutocompleteSelect):
    """Django's autocomplete widget, able to redisplay an invalid key."""

    def optgroups(self, name: str, value: Sequence[str], attr: dict[str, Any] | None = None) -> Any:
        """Options for valid keys only; the form rejects other values as invalid choices."""
        return super().optgroups(name, [key for key in value if key.isdecimal() and len(key) < 19], attr)


class AutocompleteMixin:
    """Admin mixin that autocompletes foreign keys (users and tournaments)."""

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **options: Any) -> Any:
        """Use the autocomplete widget for foreign keys."""
        widget = KeyCheckingAutocomplete(db_field, admin.site)
        return super().formfield_for_foreignkey(db_field, request, **options | {"widget": widget})  # type: ignore[misc]


class Members(AutocompleteMixin, admin.TabularInline):  # type: ignore[type-arg]
    """Memberships of a tournament."""

    model = Membership
    extra = 0
    autocomplete_fields = ("user",)


@admin.register(Tournament)
class TournamentAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Tournaments and their members; the slug is fixed, because printed URLs have it."""

    list_display = ("name", "slug", "created_at")
    search_fields = ("name", "slug")
    readonly_fields = ("slug",)
    inlines = (Members,)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False  # created on the director's page, which derives the slug

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(Membership)
class MembershipAdmin(AutocompleteMixin, admin.ModelAdmin):  # type: ignore[type-arg]
    """Memberships."""

    list_display = ("user", "role", "tournament")
    list_filter = ("role",)
    list_select_related = ("user", "tournament")
    search_fields = ("user__username", "tournament__name")
    autocomplete_fields = ("user", "tournament")


@admin.register(Invite)
class InviteAdmin(ReadOnlyAdmin):
    """Invitations, without token hashes."""

    list_display = ("tournament", "role", "made_by", "made_at", "expires_at", "used_at", "revoked_at")
    list_select_related = ("tournament", "made_by")
    search_fields = ("tournament__name", "made_by__username")
    exclude = ("token_hash",)


@admin.register(SignInLink)
class SignInLinkAdmin(ReadOnlyAdmin):
    """Sign-in links, without token hashes."""

    list_display = ("user", "expires_at", "used_at")
    search_fields = ("user__username",)
    exclude = ("token_hash",)


@admin.register(ApiToken)
class ApiTokenAdmin(ReadOnlyAdmin):
    """API tokens, without hashes."""

    list_display = ("name", "tournament", "role", "made_by", "made_at", "expires_at", "last_used_at", "revoked_at")
    list_select_related = ("tournament", "made_by")
    search_fields = ("name", "tournament__name", "made_by__username")
    exclude = ("token_hash",)


@admin.register(ApiAnswer)
class ApiAnswerAdmin(ReadOnlyAdmin):
    """Stored API responses."""

    list_display = ("token", "key", "status", "made_at")
    list_select_related = ("token__tournament",)
    exclude = ("asked",)


@admin.register(FeedEvent)
class FeedEventAdmin(ReadOnlyAdmin):
    """Feed events, read-only."""

    list_display = ("tournament", "number", moment, "kind", "match")
    list_select_related = ("tournament", "match")
    list_filter = ("kind",)
    ordering = ("-pk",)


@admin.register(Webhook)
class WebhookAdmin(ReadOnlyAdmin):
    """Webhooks, without their secrets."""

    list_display = ("url", "tournament", "private", "made_by", "last_answer", "last_at")
    list_select_related = ("tournament", "made_by")
    exclude = ("secret",)


@admin.register(Delivery)
class DeliveryAdmin(ReadOnlyAdmin):
    """Webhook deliveries."""

    list_display = ("webhook", "event", "state", "tries")
    list_filter = ("state",)
    list_select_related = ("webhook", "event__tournament")


@admin.register(SeatAsk)
class SeatAskAdmin(ReadOnlyAdmin):
    """Requests for seats that another phone holds."""

    list_display = ("match", "device", "seats", "answer")
    list_select_related = ("match", "device")


@admin.register(FailedSignIn)
class FailedSignInAdmin(ReadOnlyAdmin):
    """Failed sign-ins that still count; delete them to let the user try again at once."""

    list_display = ("account", "address", "at")
    search_fields = ("account", "address")
    has_delete_permission = admin.ModelAdmin.has_delete_permission


@admin.register(Round)
class RoundAdmin(ReadOnlyAdmin):
    """Rounds and their settings."""

    list_display = ("tournament", "number", "name", "policy", "rules", "format", "length")
    list_filter = ("policy", "rules")
    list_select_related = ("tournament",)
    search_fields = ("name", "tournament__name")


@admin.register(Table)
class TableAdmin(ReadOnlyAdmin):
    """Tables, searchable by name and code."""

    list_display = ("name", "code", "tournament", "current")
    list_select_related = ("tournament", "current")
    search_fields = ("name", "code", "tournament__name")


@admin.register(RetiredCode)
class RetiredCodeAdmin(ReadOnlyAdmin):
    """Retired codes."""

    list_display = ("code", "table")
    list_select_related = ("table",)
    search_fields = ("code",)


@admin.register(Match)
class MatchAdmin(ReadOnlyAdmin):
    """Matches, searchable by player, code or table."""

    list_display = ("pk", "__str__", "table", "status", "version", "created_at")
    list_display_links = ("pk", "__str__")
    list_filter = ("status",)
    list_select_related = ("table",)
    search_fields = ("=pk", "setup__names", "table__code", "=table__name", "table__tournament__name")


@admin.register(Pairing)
class PairingAdmin(ReadOnlyAdmin):
    """Pairings of all draws."""

    list_display = ("__str__", "round", "table", "match", "winner")
    list_select_related = ("round", "table", "match")
    search_fields = ("setup__names", "=table__name", "round__tournament__name")


@admin.register(Place)
class PlaceAdmin(ReadOnlyAdmin):
    """Places in draws for the winner or loser of another match."""

    list_display = ("words", "pairing", "source", "filled")
    list_select_related = ("pairing", "source")


@admin.register(Bye)
class ByeAdmin(ReadOnlyAdmin):
    """Byes."""

    list_display = ("name", "round")
    list_select_related = ("round",)
    search_fields = ("name",)


@admin.register(Player)
class PlayerAdmin(ReadOnlyAdmin):
    """Players."""

    list_display = ("name", "number", "club", "country", "rating", "tournament")
    list_select_related = ("tournament",)
    search_fields = ("name", "tournament__name")


@admin.register(JournalEntry)
class JournalEntryAdmin(ReadOnlyAdmin):
    """Journal entries."""

    list_display = ("match_id", "seq", moment, "by", "user", "device_id", "event")
    list_filter = ("event", "by")
    list_select_related = ("user",)
    search_fields = ("=match__pk", "=command_id", "user__username")
    ordering = ("-match_id", "-seq")


@admin.register(HallEntry)
class HallEntryAdmin(ReadOnlyAdmin):
    """Log entries of tournaments."""

    list_display = ("tournament", moment, "user", "event", "data")
    list_filter = ("event",)
    list_select_related = ("tournament", "user")
    search_fields = ("tournament__name", "user__username")
    ordering = ("-pk",)


@admin.register(InstallationEntry)
class InstallationEntryAdmin(ReadOnlyAdmin):
    """Log entries about deleted tournaments."""

    list_display = (moment, "user_name", "event", "data")
    ordering = ("-pk",)


@admin.register(Wifi)
class WifiAdmin(ReadOnlyAdmin):
    """Wi-Fi networks of halls, without passwords."""

    list_display = ("name", "tournament")
    list_select_related = ("tournament",)
    exclude = ("password",)


@admin.register(Message)
class MessageAdmin(ReadOnlyAdmin):
    """Messages to phones."""

    list_display = ("text", "tournament", "sent_by", "sent_at", "until", "withdrawn_at")
    list_select_related = ("tournament", "sent_by")
    search_fields = ("text", "tournament__name")


@admin.register(Device)
class DeviceAdmin(ReadOnlyAdmin):
    """Phones, without token hashes."""

    list_display = ("pk", "created_at")
    search_fields = ("=pk",)
    exclude = ("token_hash", "old_token_hash")


@admin.register(SignOfLife)
class SignOfLifeAdmin(ReadOnlyAdmin):
    """Heartbeats of server processes."""

    list_display = ("process", moment)


admin.site.register((Entrant, Section, Spending, Stage), ReadOnlyAdmin)
