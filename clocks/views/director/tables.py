"""Create, rename and remove the tables of a tournament."""

from typing import Any

from django import forms
from django.contrib import messages
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST

from clocks import desk
from clocks.desk.requests import Request
from clocks.engine.closed_sets import Official, Status
from clocks.engine.commands import ReplaceCode
from clocks.engine.refusals import Refused
from clocks.host.server_time import now_ms
from clocks.models import Table, Tournament
from clocks.people import roles
from clocks.people.roles import Action
from clocks.tournament import draw
from clocks.tournament.tables import (
    add_tables,
    prepare,
    replace_code_of_empty,
    table_named,
    table_names,
    table_order,
    tables_named,
)
from clocks.tournament.tables_beside import TablesBeside
from clocks.views import access
from clocks.views.access import signed_in
from clocks.views.errors import WayOn, problem
from clocks.views.forms.name_field import NameField
from clocks.views.forms.note import NoteField
from clocks.views.forms.posted import posted
from clocks.views.page import FORM, page
from clocks.wording.language import said


class TablesForm(forms.Form):
    """Names of new tables, such as `1-32, Final`. `names` is set once valid."""

    tables = NameField(label=_("New tables"), max_length=400, help_text=_("1-32, or names separated by commas"))

    names: list[str]
    MOST = 500

    def __init__(self, tournament: Tournament, *args: Any, **kwargs: Any) -> None:
        self.tournament = tournament
        super().__init__(*args, **kwargs)
        self.fields["tables"].widget.attrs |= {"autocomplete": "off", "placeholder": "1-32"}

    def clean_tables(self) -> str:
        """Parse the names; reject taken or long ones, too many, or none."""
        given: str = self.cleaned_data["tables"]
        self.names = table_names(given)
        if len(self.names) > self.MOST:
            raise forms.ValidationError(_("At most %(number)s tables at once.") % {"number": self.MOST})
        long = [name for name in self.names if len(name) > draw.LONGEST_TABLE]
        if long:
            words = _("A table’s name has at most %(number)s characters: “%(name)s”.")
            raise forms.ValidationError(words % {"number": draw.LONGEST_TABLE, "name": long[0]})
        taken = list(tables_named(self.tournament.tables.all(), self.names))
        if taken:
            raise forms.ValidationError(_("There is already a table %(table)s.") % {"table": taken[0]})
        if not self.names:
            raise forms.ValidationError(_("Name at least one table."))
        return given


class TableForm(forms.ModelForm):  # type: ignore[type-arg]  # Django 5.2 takes no arguments at run time
    """The name of a table."""

    class Meta:
        model = Table
        fields = ("name",)
        field_classes = {"name": NameField}

    def clean_name(self) -> str:
        """Reject the name of another table."""
        name = " ".join(str(self.cleaned_data["name"]).split())
        others = Table.objects.filter(tournament=self.instance.tournament_id).exclude(pk=self.instance.pk)
        if table_named(others, name) is not None:
            raise forms.ValidationError(_("There is already a table %(table)s.") % {"table": name})
        return name


class NewCode(forms.Form):
    """Reason why a table gets a new code."""

    note = NoteField(label=_("Why it needs a new code"), widget=forms.TextInput(attrs={"autocomplete": "off"}))


@require_http_methods(FORM)
@access.to(Action.WATCH)
def tables(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """List the tables with their matches, and add more if the user may."""
    may_make = Action.ARRANGE in roles.actions_of(request.user, tournament)
    form = TablesForm(tournament, request.POST if request.method == "POST" and may_make else None)
    if form.is_bound and form.is_valid() and _add(tournament, form):
        words = ngettext("%(number)s table created.", "%(number)s tables created.", len(form.names))
        messages.success(request, words % {"number": len(form.names)})
        return redirect("tables", tournament.slug)
    listed = sorted(tournament.tables.select_related("current"), key=lambda table: table_order(table.name))
    beside = TablesBeside(signed_in(request), tournament).all if may_make else []
    return page(request, tournament, "tables", form, tables=listed, beside=beside)


def _add(tournament: Tournament, form: TablesForm) -> bool:
    try:
        add_tables(tournament, form.names)
    except IntegrityError:
        form.add_error(
            "tables",
            gettext("Somebody else has just created one of these tables. Check the list and send the form again."),
        )
        return False
    return True


@require_http_methods(FORM)
@access.to(Action.ARRANGE)
def edit_table(request: HttpRequest, tournament: Tournament, table_id: int) -> HttpResponse:
    """Rename a table that has no unfinished match. Its code stays valid."""
    table = _find(tournament, table_id)
    form = TableForm(posted(request), instance=table)
    if request.method == "POST" and form.is_valid():
        if is_busy(Table.objects.select_related("current").get(pk=table.pk)):
            form.add_error("name", gettext("There is a match at this table. Rename the table when it is over."))
        else:
            form.save()
            messages.success(
                request, gettext("This is now table %(table)s. Print its card again.") % {"table": table.name}
            )
            return redirect("tables", tournament.slug)
    return _edit_page(request, tournament, table, form, NewCode())


def _edit_page(
    request: HttpRequest, tournament: Tournament, table: Table, form: TableForm, code_form: NewCode
) -> HttpResponse:
    stored = Table.objects.get(pk=table.pk)  # because `table` may hold a rejected name
    shown = {
        "table": stored,
        "code_form": code_form,
        "used": table.matches.exists() or table.pairings.exists(),
        "busy": is_busy(stored),
        "earlier": table.matches.select_related("round").order_by("-pk"),
    }
    return page(request, tournament, "table-edit", form, 400 if code_form.is_bound else 200, **shown)


@require_POST
@access.to(Action.TABLE)
def new_code(request: HttpRequest, tournament: Tournament, table_id: int) -> HttpResponse:
    """Give a table a new code, with a reason; its old card stops working."""
    table = _find(tournament, table_id)
    form = NewCode(request.POST)
    if not form.is_valid():
        return _edit_page(request, tournament, table, TableForm(instance=table), form)
    user, reason = signed_in(request), form.cleaned_data["note"]
    back = WayOn(gettext("Back to the tables"), reverse("tables", args=[tournament.slug]))
    try:
        if table.current_id is None:
            replace_code_of_empty(table, user, reason)
        else:
            command, alongside = prepare(table.current_id, ReplaceCode("", "", reason))
            asked = Request(
                table.current_id, command, Official.DIRECTOR, now_ms(), user_id=user.pk, alongside=alongside
            )
            (answer,) = desk.submit_all_and_wait([asked])
            if not answer.ok:
                return problem(request, 409, gettext("Nothing was changed"), said(answer.words), back)
    except Refused as refused:
        return problem(request, 409, gettext("Nothing was changed"), said(refused.words), back)
    code = Table.objects.get(pk=table.pk).code
    words = gettext("Table %(table)s now has the code %(code)s. Print its card again.")
    messages.success(request, words % {"table": table.name, "code": code})
    return redirect("edit-table", tournament.slug, table.pk)


@require_POST
@access.to(Action.DELETE)
def remove_table(request: HttpRequest, tournament: Tournament, table_id: int) -> HttpResponse:
    """Remove a table that never had a match."""
    table = _find(tournament, table_id)
    if table.matches.exists() or table.pairings.exists():
        back = WayOn(gettext("Back to the tables"), reverse("tables", args=[tournament.slug]))
        return problem(
            request,
            409,
            gettext("Table %(table)s cannot be removed") % {"table": table.name},
            gettext("The records of its matches need it."),
            back,
        )
    table.delete()
    messages.success(request, gettext("Table %(table)s has been removed.") % {"table": table.name})
    return redirect("tables", tournament.slug)


def is_busy(table: Table) -> bool:
    """True if the table has an unfinished match."""
    return table.current is not None and table.current.status != Status.OVER


def _find(tournament: Tournament, table_id: int) -> Table:
    return get_object_or_404(tournament.tables.select_related("current"), pk=table_id)
