"""Drawing the next round of all events at once: pairings, feeding events, storing."""

import pytest
from django.contrib.auth.models import User

from clocks.engine.refusals import Refused
from clocks.models import Pairing, Player, Round, Section, Tournament
from clocks.tournament import advance, events, sections
from tests.server.hall import drawn, summer_open

pytestmark = pytest.mark.django_db(transaction=True)


def event(method: str, *lines: str, **more: object) -> Section:
    """Create a tournament with one event and draw its first round."""
    round_ = summer_open(policy="on-request")
    section = sections.make(round_.tournament, method)
    Section.objects.filter(pk=section.pk).update(**more)
    sections.put(round_, Section.objects.get(pk=section.pk))
    drawn(round_, *lines)
    return Section.objects.get(pk=section.pk)


def played(winner: str = "") -> None:
    """Enter results: the alphabetically first player wins."""
    for pairing in Pairing.objects.filter(winner="", match=None):
        names = pairing.setup["names"]
        Pairing.objects.filter(pk=pairing.pk).update(winner="left" if min(names) == names[0] else "right")


def following() -> dict[str, list[str]]:
    """Proposed pairings, or notes if there are none, by name of the next round."""
    found = advance.of_tournament(Tournament.objects.get(), 0)
    return {
        each.round.name or str(each.section): ["–".join(pair) for pair in each.pairs] or list(each.notes)
        for each in found
    }


def step() -> dict[str, list[str]]:
    """Draw everything that can be drawn, enter results; return what was drawn."""
    user, _made = User.objects.get_or_create(username="dora")
    found = [each for each in advance.of_tournament(Tournament.objects.get(), 0) if each.text]
    done = {each.round.name: ["–".join(pair) for pair in each.pairs] for each in found}
    assert advance.store(found, user) == [each.round for each in found]
    played()
    return done


def test_a_knockout_goes_on_to_its_final() -> None:
    event("knockout", "1,A,B", "2,C,D", "3,E,F", "4,G,H")
    played()
    assert following() == {"Knockout": ["A–C", "E–G"]}
    step(), step()
    assert [round_.pairings.count() for round_ in Round.objects.all()] == [4, 2, 1]
    assert following() == {"Knockout": ["There is nobody left to play, so this was the last round."]}


def test_a_double_elimination_follows_from_its_results() -> None:
    main = event("knockout", "1,A,B", "2,C,D", "3,E,F", "4,G,H")
    lower = sections.make(main.tournament, "knockout", "Lower", losers_of=main)
    sections.make(main.tournament, "knockout", "Final")
    final = Section.objects.get(name="Final")
    Section.objects.exclude(pk=final.pk).update(feeds=final)
    assert following()["Lower, round 1"] == [
        "loser of table 1 (Main, round 1)–loser of table 2 (Main, round 1)",
        "loser of table 3 (Main, round 1)–loser of table 4 (Main, round 1)",
    ]
    played()
    assert step() == {"Main, round 2": ["A–C", "E–G"], "Lower, round 1": ["B–D", "F–H"]}
    assert step() == {"Main, round 3": ["A–E"], "Lower, round 2": ["B–G", "F–C"]}
    assert step() == {"Lower, round 3": ["B–C"]}
    assert following()["Final, round 1"] == ["Not final yet: Lower."]
    assert step() == {"Lower, round 4": ["B–E"]}
    assert step() == {"Final, round 1": ["A–B"]}
    assert lower.rounds.count() == 4 and step() == {}


def test_a_consolation_takes_only_the_losers_of_its_rounds() -> None:
    main = event("knockout", "1,A,B", "2,C,D", "3,E,F", "4,G,H")
    sections.make(main.tournament, "knockout", "Consolation", losers_of=main, losers_rounds=1)
    played()
    step()
    assert step() == {"Main, round 3": ["A–E"], "Consolation, round 2": ["B–F"]}
    assert step() == {}


def test_a_lower_event_goes_on_if_all_losers_of_a_round_withdraw() -> None:
    main = event("knockout", "1,A,B", "2,C,D", "3,E,F", "4,G,H")
    sections.make(main.tournament, "knockout", "Lower", losers_of=main)
    played()
    step()
    Player.objects.filter(name__in=["C", "G"]).update(withdrawn=True)
    assert step() == {"Main, round 3": ["A–E"], "Lower, round 2": ["B–F"]}
    assert step() == {"Lower, round 3": ["B–E"]}


def test_a_lower_event_begins_with_the_first_losers_who_stay() -> None:
    main = event("knockout", "1,A,B", "2,C,D", "3,E,F", "4,G,H")
    sections.make(main.tournament, "knockout", "Lower", losers_of=main)
    Player.objects.filter(name__in="BDFH").update(withdrawn=True)
    played()
    assert step() == {"Main, round 2": ["A–C", "E–G"]}
    assert step() == {"Main, round 3": ["A–E"], "Lower, round 1": ["C–G"]}


def test_the_only_loser_of_a_round_waits_for_those_of_the_next() -> None:
    main = event("knockout", "1,H,I")
    for place, name in enumerate("ABCDEFG", 1):
        main.rounds.get().byes.create(name=name, position=place)
    Pairing.objects.update(position=0)
    sections.make(main.tournament, "knockout", "Lower", losers_of=main)
    waits = ["Its next players are the losers of a round of Main that is not drawn yet."]
    assert following()["Lower, round 1"] == waits
    played()
    assert following()["Lower, round 1"] == waits
    assert step() == {"Main, round 2": ["H–A", "B–C", "D–E", "F–G"]}
    assert step() == {"Main, round 3": ["A–B", "D–F"], "Lower, round 1": ["I–H", "C–E", "G–bye"]}


def test_no_bracket_gives_one_player_byes_up_to_the_final() -> None:
    event("knockout", *(f"{n},{left},{right}" for n, (left, right) in enumerate(["AB", "CD", "EF", "GH", "IJ"], 1)))
    Pairing.objects.filter(table__name="1").update(position=0)
    for table in "2345":
        Pairing.objects.filter(table__name=table).update(position=int(table) - 1)
    played()
    assert [step()[""] for _round in range(3)] == [["A–C", "E–G", "I–bye"], ["A–I", "E–bye"], ["A–E"]]


def test_the_only_loser_of_all_rounds_has_nobody_to_play() -> None:
    main = event("knockout", "1,A,B")
    main.rounds.get().byes.create(name="C")
    sections.make(main.tournament, "knockout", "Lower", losers_of=main, losers_rounds=1)
    played()
    step()
    assert following()["Lower, round 1"] == ["There is nobody left to play, so this was the last round."]


def test_the_only_loser_who_stays_waits_too() -> None:
    main = event("knockout", "1,A,B", "2,C,D", "3,E,F", "4,G,H")
    sections.make(main.tournament, "knockout", "Lower", losers_of=main)
    Player.objects.filter(name__in="BDF").update(withdrawn=True)
    played()
    assert step() == {"Main, round 2": ["A–C", "E–G"]}
    assert step() == {"Main, round 3": ["A–E"], "Lower, round 1": ["H–C", "G–bye"]}
    assert [step() for _round in range(2)] == [{"Lower, round 2": ["C–G"]}, {"Lower, round 3": ["C–E"]}]


def test_players_whose_opponents_have_all_withdrawn_meet_next() -> None:
    event("knockout", "1,A,B", "2,C,D", "3,E,F", "4,G,H")
    played()
    Player.objects.filter(name__in="CG").update(withdrawn=True)
    assert [step()[""] for _round in range(2)] == [["A–bye", "E–bye"], ["A–E"]]
    assert following() == {"Knockout": ["There is nobody left to play, so this was the last round."]}


def test_a_final_without_an_opponent_ends_the_event() -> None:
    main = event("knockout", "1,A,B", "2,C,D")
    sections.make(main.tournament, "knockout", "Lower", losers_of=main)
    played()
    Player.objects.filter(name__in="CD").update(withdrawn=True)
    assert step() == {"Main, round 2": ["A–bye"]}
    over = ["There is nobody left to play, so this was the last round."]
    assert following() == {"Main, round 3": over, "Lower, round 1": over}
    (found,) = events.of_tournament(main.tournament)
    assert (found.final, found.winners) == (True, ["A"])


def test_a_group_of_three_ends_after_a_withdrawal() -> None:
    group = event("circle", "1,A,B")
    group.rounds.get().byes.create(name="C")
    group.tournament.players.create(name="C", withdrawn=True)
    played()
    assert [step()[""] for _round in range(2)] == [["A–bye", "B–bye"]] * 2
    assert step() == {}
    (found,) = events.of_tournament(group.tournament)
    assert (found.final, found.winners) == (True, ["A"])


def test_an_event_takes_its_own_book_and_length() -> None:
    main = event("knockout", "1,A,B", "2,C,D")
    sections.make(main.tournament, "knockout", "Consolation", losers_of=main, length=5, rules="unified-2001")
    played()
    step()
    found = Round.objects.order_by("number").values_list("name", "number", "rules", "length", "policy")
    assert list(found) == [
        ("Main, round 1", 1, "us-2013", 3, "on-request"),
        ("Main, round 2", 2, "us-2013", 3, "on-request"),
        ("Consolation, round 1", 3, "unified-2001", 5, "on-request"),
    ]


def test_a_swiss_ends_after_its_planned_rounds() -> None:
    event("swiss", "1,A,B", "2,C,D", rounds_planned=2)
    assert following() == {
        "Swiss": [
            "Table 1 is not decided: A – B.",
            "Table 2 is not decided: C – D.",
            "A Swiss round needs every result of the round before it.",
        ]
    }
    played()
    step()
    assert following() == {"Swiss": ["All 2 rounds are drawn."]}
    (found,) = events.of_tournament(Tournament.objects.get())
    assert found.final


def two_groups() -> None:
    """Two groups of four that feed a knockout, each with its first round played."""
    one = event("circle", "1,A,B", "2,C,D")
    two = sections.make(one.tournament, "circle", "Group 2")
    round_ = sections.new_round(two)
    round_.policy, round_.number = "on-request", 2
    sections.put(round_, two)
    drawn(round_, "3,P,Q", "4,R,S")
    sections.make(one.tournament, "knockout", "Knockout")
    Section.objects.exclude(name="Knockout").update(feeds=Section.objects.get(name="Knockout"))
    played()


def test_the_best_two_of_each_group_meet_the_others() -> None:
    two_groups()
    assert following()["Knockout, round 1"] == ["Not final yet: Main, Group 2."]
    step(), step()
    assert following()["Knockout, round 1"] == ["A–Q", "P–B"]


def test_a_group_with_a_withdrawn_player_ends_all_the_same() -> None:
    two_groups()
    Player.objects.filter(name="D").update(withdrawn=True)
    assert sorted(step()["Main, round 2"]) == ["A–bye", "B–C"]
    step()
    assert following()["Knockout, round 1"] == ["A–Q", "P–B"]
    Player.objects.filter(name="A").update(withdrawn=True)
    assert following()["Knockout, round 1"] == ["B–Q", "P–C"]


def test_a_draw_that_is_impossible_says_which_line() -> None:
    section = event("knockout", "1,A,B", "2,C,D")
    played()
    (found,) = advance.of_tournament(section.tournament, 0)
    with pytest.raises(Refused, match="C – C"):
        advance.store([found._replace(text="left,right\nA,C\nC,C\n")], User.objects.create(username="dora"))
    assert Pairing.objects.count() == 2


def test_a_final_waits_until_the_groups_that_feed_it_are_drawn() -> None:
    tournament = summer_open().tournament
    final = sections.make(tournament, "knockout", "Final")
    sections.make(tournament, "circle", "Group A", feeds=final)
    assert advance.of_section(final, 0).notes == ("Its first round is not drawn yet.",)


def test_two_losers_who_stay_meet_at_once() -> None:
    main = event("knockout", "1,A,B", "2,C,D", "3,E,F", "4,G,H")
    sections.make(main.tournament, "knockout", "Lower", losers_of=main)
    Player.objects.filter(name__in="BD").update(withdrawn=True)
    played()
    assert following()["Lower, round 1"] == ["F–H"]


def test_nobody_comes_from_a_final_whose_loser_has_withdrawn() -> None:
    main = event("knockout", "1,A,B")
    sections.make(main.tournament, "knockout", "Lower", losers_of=main)
    Player.objects.filter(name="B").update(withdrawn=True)
    played()
    assert following()["Lower, round 1"] == ["There is nobody left to play, so this was the last round."]


def test_a_circle_whose_players_have_changed_has_no_next_round() -> None:
    group = event("circle", "1,A,B", "2,C,D")
    second = sections.new_round(group)
    sections.put(second, group)
    drawn(second, "1,A,C", "2,E,F")
    words = "The circle method needs the same players in every round, at most one of them with a bye."
    assert following() == {"All play all": [words]}
    Pairing.objects.filter(round=second, table__name="2").delete()
    second.byes.create(name="B")
    assert following() == {"All play all": [words]}


def test_only_the_last_two_matches_of_an_odd_bracket_change() -> None:
    names = "ABCDEFGHIJKLMNOPQR"
    event("knockout", *(f"{n + 1},{names[2 * n]},{names[2 * n + 1]}" for n in range(9)))
    for n in range(9):
        Pairing.objects.filter(table__name=str(n + 1)).update(position=n)
    played()
    step()
    assert step()[""] == ["A–E", "I–Q", "M–bye"]


def test_a_shared_second_place_of_a_group_is_noted() -> None:
    group = event("circle", "1,A,B", "2,C,D")
    final = sections.make(group.tournament, "knockout", "Final")
    Section.objects.filter(pk=group.pk).update(feeds=final)
    for lines in (["1,A,C", "2,D,B"], ["1,A,D", "2,B,C"]):
        round_ = sections.new_round(group, group.rounds.first())
        sections.put(round_, group)
        drawn(round_, *lines)
    Pairing.objects.update(winner="left")
    found = advance.of_section(final, 0)
    assert (found.pairs, found.notes) == ([["A", "B"]], ("Places are shared in Main: B, C, D.",))


def test_a_win_and_a_bye_count_the_same_in_a_swiss() -> None:
    swiss = event("swiss", "1,A,C", "2,B,D")
    swiss.rounds.get().byes.create(name="E")
    second = sections.new_round(swiss, swiss.rounds.get())
    sections.put(second, swiss)
    drawn(second, "1,B,A", "2,C,E")
    second.byes.create(name="D")
    Pairing.objects.update(winner="left")
    assert following() == {"Swiss": ["B–E", "A–D", "C–bye"]}


def test_an_event_for_losers_waits_for_the_first_draw() -> None:
    tournament = summer_open().tournament
    main = sections.make(tournament, "knockout")
    lower = sections.make(tournament, "knockout", "Lower", losers_of=main)
    assert advance.of_section(lower, 0).notes == ("Nobody has lost yet in Knockout.",)


def test_losers_with_places_in_the_draw_come_no_second_time() -> None:
    main = event("knockout", "1,A,B", "2,C,D", "3,E,F", "4,G,H")
    lower = sections.make(main.tournament, "knockout", "Lower", losers_of=main)
    advance.store([advance.of_section(lower, 0)], User.objects.create(username="dora"))
    assert lower.rounds.get().pairings.count() == 2
    waits = ["Its next players are the losers of a round of Main that is not drawn yet."]
    assert following()["Lower, round 2"] == waits


def test_a_round_is_clear_once_nothing_needs_a_decision() -> None:
    section = event("knockout", "1,A,B", "2,C,D")
    clear = [advance.of_section(section, 0).clear]
    played()
    clear.append(advance.of_section(section, 0).clear)
    step()
    clear.append(advance.of_section(section, 0).clear)
    assert clear == [False, True, False]


def test_a_group_whose_players_have_all_withdrawn_sends_nobody() -> None:
    two_groups()
    step(), step()
    Player.objects.filter(name__in="ABCD").update(withdrawn=True)
    assert following()["Knockout, round 1"] == ["P–Q"]
