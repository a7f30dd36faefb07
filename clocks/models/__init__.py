"""Database models: no rules, no queries except filters, no writes except `save`."""

from clocks.models.match import SEATS, TAKES, Bye, Device, JournalEntry, Match, Pairing, Place, SeatAsk, SignOfLife
from clocks.models.outside import ApiAnswer, ApiToken, Delivery, FeedEvent, Stage, Webhook
from clocks.models.people import FailedSignIn, Invite, Membership, SignInLink, Spending
from clocks.models.players import Entrant, Player
from clocks.models.tournament import (
    CASUAL,
    HallEntry,
    InstallationEntry,
    Message,
    RetiredCode,
    Round,
    Section,
    Table,
    Tournament,
    Wifi,
)

__all__ = [
    "CASUAL",
    "SEATS",
    "TAKES",
    "ApiAnswer",
    "ApiToken",
    "Bye",
    "Delivery",
    "Device",
    "Entrant",
    "FailedSignIn",
    "FeedEvent",
    "HallEntry",
    "InstallationEntry",
    "Invite",
    "JournalEntry",
    "Match",
    "Membership",
    "Message",
    "Pairing",
    "Place",
    "Player",
    "RetiredCode",
    "Round",
    "SeatAsk",
    "Section",
    "SignInLink",
    "SignOfLife",
    "Spending",
    "Stage",
    "Table",
    "Tournament",
    "Webhook",
    "Wifi",
]
