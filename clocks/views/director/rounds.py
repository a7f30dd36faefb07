"""List, show, create, change and remove the rounds of a tournament."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clocks import desk
from clocks.engine.books.published import RULESETS
from clocks.engine.books.rule_set import RuleSet
from clocks.engine.closed_sets import Official
from clocks.engine.setup import LONGEST_MATCH, Setup
from clocks.host.server_time import now_ms
from clocks.interchange import tournament_files
from clocks.models import Pairing, Round, Section, Tournament
from clocks.people.roles import Action
from clocks.record import expected_ends
from clocks.tournament import results, sections
from clocks.tournament.draw_plan import has_begun
from clocks.tournament.rounds import LARGEST, like_the_last, only_section, with_counts
from clocks.views import access
from clocks.views.director.advance import MINUTES
from clocks.views.errors import WayOn, problem
from clocks.views.forms.instants import instant
from clocks.views.forms.matches import FORMATS, RULES
from clocks.views.forms.name_field import NameField
from clocks.views.forms.posted import posted
from clocks.views.forms.refusals import refusals_as_errors
from clocks.views.forms.setting import Setting, facts_of_rules
from clocks.views.page import FORM, find, page


class RoundForm(Setting):
    """Number, event, name, start time, clock policy and match settings of a round."""

    number = forms.IntegerField(label=_("Number"), min_value=1, max_value=LARGEST)
    section = forms.ModelChoiceField(
        label=_("Event"), queryset=Section.objects.none(), required=False, empty_label=None
    )
    name = NameField(label=_("Name"), max_length=60, required=False)
    starts_at = instant(_("Start time"))
    policy = forms.ChoiceField(
        label=_("Posted on the draw sheet"),
        choices=[(key, _(words)) for key, words in Round.Policy.choices],
        widget=forms.RadioSelect,
    )
    rules = forms.ChoiceField(label=_("Rules"), choices=RULES)
    format = forms.ChoiceField(label=_("Format"), choices=FORMATS, widget=forms.RadioSelect)
    length = forms.IntegerField(label=_("Points"), min_value=1, max_value=LONGEST_MATCH)

    def __init__(self, round_: Round, *args: Any, **kwargs: Any) -> None:
        self.round = round_
        names = ("number", "name", "starts_at", "policy", "rules", "format", "length")
        initial = {name: getattr(round_, name) for name in names}
        super().__init__(*args, initial=initial, options=round_.options, **kwargs)
        sections_ = Section.objects.filter(tournament=round_.tournament_id).exclude(name="").order_by("pk")
        self.fields["section"].queryset = sections_  # type: ignore[attr-defined]
        self.initial["section"] = round_.section_id
        if not sections_:
            del self.fields["section"]
        usual = "" if sections_ else _("Round %(number)s") % {"number": round_.number}
        self.fields["name"].widget.attrs |= {"placeholder": usual, "autocomplete": "off"}

    def clean_number(self) -> int:
        """Reject the number of another round."""
        number: int = self.cleaned_data["number"]
        others = Round.objects.filter(tournament=self.round.tournament_id, number=number).exclude(pk=self.round.pk)
        if others.exists():
            raise forms.ValidationError(_("There is already a round %(number)s.") % {"number": number})
        return number

    def clean(self) -> dict[str, Any] | None:
        """Validate the settings with the engine."""
        given = super().clean() or self.cleaned_data
        if self.errors:
            return given
        with refusals_as_errors():
            setup = Setup.parse(
                {name: given[name] for name in ("rules", "format", "length")} | {"options": self.given_options()}
            )
        self.options = setup.to_dict()["options"]
        return given

    def save(self) -> Round:
        """Store the round."""
        for name in ("number", "name", "starts_at", "policy", "rules", "format", "length"):
            setattr(self.round, name, self.cleaned_data[name])
        self.round.options = self.options
        section = self.cleaned_data.get("section") or self.round.section or only_section(self.round.tournament)
        if section is None:
            self.round.save()
        else:
            sections.put(self.round, section)
        return self.round


@require_safe
@access.to(Action.WATCH)
def rounds(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """List the rounds with their progress, and links for arranging the tournament."""
    listed = list(with_counts(tournament.rounds.select_related("section")))
    counts = {"tables": tournament.tables.count(), "players": tournament.players.count()}
    return page(request, tournament, "rounds", rounds=listed, drawn=any(each.drawn for each in listed), **counts)


@require_http_methods(FORM)
@access.to(Action.ARRANGE)
def new_round(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Create a round; its form is prefilled from the last one."""
    return _edit(request, tournament, like_the_last(tournament))


@require_http_methods(FORM)
@access.to(Action.ARRANGE)
def edit_round(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Change a round. Matches already drawn keep their settings."""
    return _edit(request, tournament, find(tournament, number))


def _edit(request: HttpRequest, tournament: Tournament, round_: Round) -> HttpResponse:
    made, title = round_.pk is None, str(round_)
    form = RoundForm(round_, posted(request))
    if request.method == "POST" and form.is_valid():
        form.save()
        if not made:
            # Matches that waited for a clock on request may start now.
            tables = round_.pairings.filter(Pairing.waiting()).values_list("table_id", flat=True)
            desk.start_pairings(list(tables), by=Official.DIRECTOR, user_id=request.user.pk)
        words = (
            gettext("%(round)s has been created. Import its draw now.")
            if made
            else gettext("%(round)s has been changed.")
        )
        messages.success(request, words % {"round": round_})
        return redirect("draw" if made else "round", tournament.slug, round_.number)
    drawn = 0 if made else round_.pairings.count()
    return page(
        request,
        tournament,
        "round-edit",
        form,
        title=title,
        made=made,
        facts=facts_of_rules(),
        drawn=drawn,
        round=round_,
    )


@require_POST
@access.to(Action.DELETE)
def remove_round(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Remove a round without matches."""
    round_ = find(tournament, number)
    if round_.pairings.exists() or round_.matches.exists():
        words = gettext(
            "A round with matches cannot be removed. Take its matches back first; a match that has begun "
            "stays for good."
        )
        return problem(
            request,
            409,
            gettext("%(round)s has matches") % {"round": round_},
            words,
            WayOn(gettext("Back to the round"), request.path + "../"),
        )
    round_.delete()
    messages.success(request, gettext("%(round)s has been removed.") % {"round": round_})
    return redirect("rounds", tournament.slug)


@require_safe
@access.to(Action.WATCH)
def show_round(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Show the matches of a round with their states and actions."""
    round_ = find(tournament, number)
    now = now_ms()
    ends = expected_ends.cached(tournament, now)
    lines = expected_ends.with_expected_ends(results.of_round(round_, now), ends)
    return page(
        request,
        tournament,
        "round",
        round=round_,
        rules=RULESETS[round_.rules],
        options=options_in_words(round_.options, RULESETS[round_.rules]),
        lines=lines,
        over=sum(result.over for result in lines),
        end=ends.rounds.get(round_.number),
        byes=round_.byes.order_by("pk"),
        undoable=bool(lines) and not any(each.pairing and has_begun(each.pairing) for each in lines),
        start_in=MINUTES if lines and not any(result.over for result in lines) else (),
        players=not lines and tournament.players.exists(),
        next=tournament.rounds.filter(number__gt=number).first(),
        trf_gaps=tournament_files.trf_gaps(tournament),
    )


def options_in_words(options: dict[str, Any], rules: RuleSet) -> list[tuple[str, str]]:
    """Options that a round sets, as pairs of label and value."""
    form = RoundForm(Round(rules=rules.key, options=options))
    pairs = []
    for field in form.option_fields():
        if field.name in options:
            choices = dict(getattr(field.field, "choices", ()))
            value = field.field.prepare_value(options[field.name])
            pairs.append((str(field.label), str(choices.get(value, value))))
    return pairs
