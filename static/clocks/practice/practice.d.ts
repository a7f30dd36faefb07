// Types of a practice match, and of the data for its form (clocks/rulebook/practice.py).
import type { Tally } from '../alone/tally.js';
import type { Book, FlagPolicy, Format, Kind, Match, Pair } from '../match/protocol.d.ts';

/** `reserve_ms[n]` is the time on each clock if both players together need n points. */
export type FormatTimes = { reserve_ms: number[]; kind: Kind; delay_ms: number };

export type PracticeBook = Book & {
  key: string;
  formats: { singles: FormatTimes; doubles?: FormatTimes };
  options: string[];
};

export type PracticeData = { books: PracticeBook[]; first: Match };

/** Settings that the players chose. */
export type OwnAmounts = {
  kind?: Kind;
  reserve_ms?: number;
  delay_ms?: number;
  flag?: FlagPolicy;
  overtime_ms?: number;
  second_control?: Kind;
};

export type Setting = { format: Format; length: number; score: Pair; names: [string, string]; own?: OwnAmounts };

/** A stored match, with the engine's state and rules; earlier versions stored no tally. */
export type Practice = { state: Match; book: Book; setting: Setting; v: number; tally?: Tally };

export type Rules = typeof import('./rules.js');

/** Interface of the practice page for its clock. */
export type PracticePage = { first: Match; bookOf: (rules: string) => PracticeBook; showForm: () => void };
