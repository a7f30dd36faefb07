// Types that the scripts of the players' clock share.
import type { Child } from '../browser/dom.js';
import type { Ask, Command, Pair, Seat, Win } from '../match/protocol.d.ts';
import type { ShownMatch } from '../words/phrases.js';

/** Mode of a half. */
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

/** Progress of a seat's press; null if none is pending. */
export type Waiting = 'sent' | 'sending' | 'accepted' | null;

/** State of a seat that only this phone has. */
export type Local = { waiting: Waiting; zero: boolean; held: boolean };

/** A hint; `news` if screens of every size show it. */
export type HalfWords = { title: string; hint: string; aside?: string; news?: boolean };

/** A button of a sheet; `note` is its second line. */
export type Answer = { label: string; note?: Child; kind?: string; act: () => void };

/** A sheet; `lasts` if it stays open across turns, `rests` if it ignores taps at first. */
export type SheetParts = { title: string; parts: Element[]; lasts?: boolean; rests?: boolean };

export type Show = (sheet: SheetParts) => void;

/** Data and actions of a seat's sheets; `turn_number` is the turn in which the sheet was opened. */
export type Desk = {
  seat: Seat;
  shared: boolean;
  turn_number: number;
  match: () => ShownMatch;
  reserve: (of: Seat) => number | null;
  show: Show;
  ask: (ask: Command) => void;
};

/** Interface of the page for a request for a seat. */
export type SeatPage = {
  match: () => ShownMatch;
  now: () => number | null;
  show: Show;
  close: () => void;
  answer: (ask: Ask, give: boolean) => void;
};
