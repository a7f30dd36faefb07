// Summary of a finished match, from the server or from the engine on this phone.
import type { Pair, Seat, Win } from './protocol.d.ts';

/** Points that a player scored, and the resulting score; `how` is '' if the cube does not explain the points. */
export type Scored = {
  game: number;
  winner: Seat;
  points: number;
  cube: number;
  how: Win | 'pass' | 'time' | '';
  score: Pair;
};

/** Summary of a finished match for its players; `link` is the public result, if there is one. */
export type MatchSummary = {
  games: Scored[];
  times: Record<
    Seat,
    { turns: number; average_ms: number; longest_ms: number; left_ms: number; given_ms: number }
  >;
  link: string | null;
};
