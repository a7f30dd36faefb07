// What the scripts of the players' clock hand to each other.
import type { Child } from '../browser/dom.js';
import type { Ask, Command, Pair, Seat, Win } from '../match/protocol.d.ts';
import type { ShownMatch } from '../words/phrases.js';

/** What a half shows. */
export type Mode =
  | 'setup'
  | 'ready'
  | 'turn'
  | 'hold'
  | 'checking'
  | 'asked'
  | 'wait'
  | 'sent'
  | 'sending'
  | 'accepted'
  | 'owed'
  | 'stopped'
  | 'flag'
  | 'flag-other'
  | 'over';

/** How far a seat's press has come; null: none is on its way. */
export type Waiting = 'sent' | 'sending' | 'accepted' | null;

/** What only this phone knows of a seat. */
export type Local = { waiting: Waiting; zero: boolean; held: boolean };

/** `news`: every screen shows the hint. */
export type HalfWords = { title: string; hint: string; aside?: string; news?: boolean };

/** A button of a sheet; `note` is its second line. */
export type Answer = { label: string; note?: Child; kind?: string; act: () => void };

/** A sheet: `lasts` means the same in any turn; `rests` takes no tap at first. */
export type SheetParts = { title: string; parts: Element[]; lasts?: boolean; rests?: boolean };

export type Show = (sheet: SheetParts) => void;

/** What the sheets of a seat know and do; `turn_number` is of the turn in which a sheet was opened. */
export type Desk = {
  seat: Seat;
  shared: boolean;
  turn_number: number;
  match: () => ShownMatch;
  reserve: (of: Seat) => number | null;
  show: Show;
  ask: (ask: Command) => void;
};

/** What a request for a seat needs of the page. */
export type SeatPage = {
  match: () => ShownMatch;
  now: () => number | null;
  show: Show;
  close: () => void;
  answer: (ask: Ask, give: boolean) => void;
};
