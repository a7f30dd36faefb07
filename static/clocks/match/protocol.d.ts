// Written by `make format` from the types in clocks/live/frames.py and clocks/engine/.
//
// Times are integer milliseconds; what ends in `_at`, `since` and `now` are instants of server time. A `Pair` is
// [left, right]. Times may be null in a snapshot for spectators: then the rules hide them.

export type Pair = [number, number];

export type ServerFrame =
  | Snapshot
  | Pong
  | Ack
  | Refusal
  | MessageFrame
  | ProgramFrame
  | RestartFrame
  | ProbeFrame
  | BoardsFrame
  | MatchesFrame
  | SeenFrame
  | GoneFrame
  | StartsFrame
  | AsksFrame
  | TakenFrame
  | KeptFrame;

/** The whole match as of `now`: a `match` frame. */
export type Snapshot = {
  status: Status;
  turn: Seat | null;
  turn_number: number;
  reserve_ms: Pair | null;
  delay_ms: Pair | null;
  score: Pair;
  game: number;
  crawford: boolean;
  cube: ShownCube;
  flagged: Seat | null;
  flag_at: number | null;
  control: number;
  limits: boolean;
  offences: Pair;
  forfeit: [boolean, boolean];
  wait_until: number | null;
  proposal: ShownTerms & Pending | null;
  winner: Seat | null;
  hits: Pair;
  called: boolean;
  since: number | null;
  used_ms: number | null;
  turn_reserve_ms: Pair | null;
  turn_delay_ms: number;
  kind: Kind;
  stop: Stop | null;
  hall_stop: HallStop | null;
  declined: Declined | null;
  resumed_by: Seat | Official | null;
  confirmed: [boolean, boolean];
  undo: Seat | null;
  reopens: EndOf | null;
  won_by: WonBy | null;
  just_played: Seat | null;
  cite: string;
  owed_hit: Seat | null;
  called_by: string;
  called_at: number | null;
  call_note: string;
  lag_used_ms: Pair | null;
  lag_presses: Pair;
  game_presses: Pair;
  names: [string, string];
  length: number;
  rules: string;
  format: Format;
  t: 'match';
  match: number;
  v: number;
  now: number;
  table: string;
  code: string;
  tournament: string;
  round: string;
  round_number: number | null;
  made_at: number;
  rules_name: string;
  features: Features;
  lag_credit_ms: number;
  late: LatePress | null;
  lent_at: [number | null, number | null];
  between: boolean;
  by_players?: string[];
  seats: [ShownSeat, ShownSeat];
  alone?: Alone;
};

/** State of a match: `ready` before a game, `flagged` until a flag is settled. */
export type Status = 'setup' | 'ready' | 'running' | 'stopped' | 'flagged' | 'over';

/** A side of the table. */
export type Seat = 'left' | 'right';

/** Doubling cube: `owner` is null if it is centred; `offered_by` has doubled. */
export type ShownCube = { value: number; owner: Seat | null; offered_by: Seat | null; frozen: boolean };

export type ShownTerms =
  | GameResult
  | Offer
  | DicePenalty
  | DropForfeit
  | UndoHit
  | SetScore
  | SetCube
  | ShownGiveTime
  | EndMatch
  | Reopen
  | ResumePlay
  | ShownExpiry;

/** The game is over: `winner` scores `points`. */
export type GameResult = { winner: Seat; points: number; what: 'game' };

/** Concession (the other seat wins) or claim (the proposer wins). */
export type Offer = { winner: Seat; outcome: Win; what: 'offer' };

/** Single game, gammon or backgammon. */
export type Win = 'single' | 'gammon' | 'backgammon';

/** `against` picked up the dice too soon and forfeits a delay (US 4.1). */
export type DicePenalty = { against: Seat; what: 'dice-penalty' };

/** The pending forfeit of a delay by `seat` is dropped. */
export type DropForfeit = { seat: Seat; what: 'drop-forfeit' };

/** The last hit is taken back. */
export type UndoHit = { what: 'undo' };

/** Corrected score; if `crawford` is None it is derived from the score. */
export type SetScore = { score: Pair; crawford: Crawford | null; what: 'score' };

/** Crawford game: still to come, now, or played. */
export type Crawford = 'none' | 'now' | 'done';

/** Corrected cube; `owner` is None if it is centred. */
export type SetCube = { value: number; owner: Seat | null; what: 'cube' };

/** Change of a seat's reserve by `by_ms`, which may be negative. */
export type ShownGiveTime = { seat: Seat; by_ms: number | null; note: string; what: 'time' };

/** The match ends, and `winner` wins it. */
export type EndMatch = { winner: Seat; note: string; what: 'end' };

/** Take back the end of the match or, between games, of the last game. */
export type Reopen = { note: string; what: 'reopen' };

/** Resume with the turn of `turn_of`, with a full delay or after a contested stop. */
export type ResumePlay = { turn_of: Seat; fresh_delay: boolean; what: 'resume' };

/** The flag of `seat` fell. Proposed by the server, never by a command. */
export type ShownExpiry = { seat: Seat; consequence: ShownConsequence; what: 'expiry' };

/** Consequence of a flag: points for the opponent, and both reserves afterwards. */
export type ShownConsequence = { kind: ConsequenceKind; points: number; reserve_ms: Pair | null; cube_frozen: boolean };

/** Consequence of one flag: that of the policy, or the grace that some books allow. */
export type ConsequenceKind = 'lose-match' | 'penalty' | 'grace' | 'next-control' | 'overtime';

/** Fields of a pending proposal other than its terms; `number` only in snapshots. */
export type Pending = { by: Party; agreed: Seat[]; disputed: boolean; number: number };

export type Party = Seat | Official;

/** Parties without a seat: the director and the server. */
export type Official = 'director' | 'server';

/** Kind of delay: none, simple (US 2013, 1.1) or Bronstein (US 2007, 1.1). */
export type Kind = 'none' | 'simple' | 'bronstein';

/** A stop of both clocks. */
export type Stop = { by: Party; reason: Reason; at: number };

/** Reason to stop both clocks. */
export type Reason =
  | 'concession'
  | 'break'
  | 'dice'
  | 'contest'
  | 'dice-picked-up'
  | 'score'
  | 'director'
  | 'other'
  | 'outage'
  | 'flag'
  | 'dice-contested'
  | 'game'
  | 'offer'
  | 'dice-penalty'
  | 'drop-forfeit'
  | 'undo'
  | 'cube'
  | 'time'
  | 'end'
  | 'reopen';

/** The stop of the whole hall that stopped this match. */
export type HallStop = { id: number; note: string };

/** The last declined proposal, and who declined it. */
export type Declined = { by: Party; at: number; proposal: Terms & Pending };

export type Terms =
  | GameResult
  | Offer
  | DicePenalty
  | DropForfeit
  | UndoHit
  | SetScore
  | SetCube
  | GiveTime
  | EndMatch
  | Reopen
  | ResumePlay
  | Expiry;

/** Change of a seat's reserve by `by_ms`, which may be negative. */
export type GiveTime = { seat: Seat; by_ms: number; note: string; what: 'time' };

/** The flag of `seat` fell. Proposed by the server, never by a command. */
export type Expiry = { seat: Seat; consequence: Consequence; what: 'expiry' };

/** Consequence of a flag: points for the opponent, and both reserves afterwards. */
export type Consequence = { kind: ConsequenceKind; points: number; reserve_ms: Pair; cube_frozen: boolean };

/** End that a reopening takes back: of the match or of the last game. */
export type EndOf = 'match' | 'game';

/** Way a match was won, for the announcement of its end. */
export type WonBy = 'single' | 'gammon' | 'backgammon' | 'pass' | 'time' | 'ended';

/** Singles or doubles. */
export type Format = 'singles' | 'doubles';

/** Features of a rule set for pages; see `RuleSet` for the fields. */
export type Features = {
  offers: OfferKind[];
  dice_penalty: boolean;
  dice_picked_up: boolean;
  fresh_delay: boolean;
  time_by_agreement: boolean;
  hides_times: boolean;
  declined_offer: DeclinedOffer;
  top_concession_binds: boolean;
  freezes_next: boolean;
  second_delay_ms: number;
  saves: 'gin' | 'claim' | '';
};

/** Offers of a player: concession or claim. */
export type OfferKind = 'concession' | 'claim';

/** Consequence of declining an offer. */
export type DeclinedOffer = 'dispute' | 'offerer-hits' | 'opponent-runs';

/** Press that arrived `late_ms` late, of which `credit_ms` were credited. */
export type LatePress = { seat: Seat; at: number; late_ms: number; credit_ms: number; charged_ms: number };

/** Seat: whether a phone holds it, and when that phone was last heard from. */
export type ShownSeat = { held: boolean; seen_at: number | null };

/** State and rules that let a shared phone continue offline. */
export type Alone = { state: Match; book: Book };

/** State of a match; whatever is shown at a given time is computed from it. */
export type Match = {
  setup: Setup;
  clock: Clock;
  score: Pair;
  crawford: Crawford;
  at: number;
  status: Status;
  turn_number: number;
  game: number;
  control: number;
  cube: Cube;
  halt: Halt | null;
  proposal: Proposal | null;
  proposals: number;
  last_hit: LastHit | null;
  owed_hit: Seat | null;
  confirmed: [boolean, boolean];
  called: boolean;
  called_by: string;
  called_at: number | null;
  call_note: string;
  flagged: Seat | null;
  offences: Pair;
  graced: [boolean, boolean];
  forfeit: [boolean, boolean];
  hits: Pair;
  freeze_next: boolean;
  winner: Seat | null;
  won_by: WonBy | null;
  last_end: LastEnd | null;
  lag: Lag;
  set_aside: SetAside | null;
  declined: Rejection | null;
};

/** Validated settings; `options` holds only what the director chose. */
export type Setup = {
  rules: string;
  format: Format;
  length: number;
  score: Pair;
  crawford: Crawford;
  names: [string, string];
  options: ([string, Option])[];
  director: boolean;
};

export type Option = string | number | Pair;

/** Both reserves at the start of the turn, and the state of the turn. */
export type Clock = {
  control: TimeControl;
  reserve_ms: Pair;
  turn: Seat | null;
  used_ms: number;
  since: number | null;
  precredit: boolean;
};

/** Kind and length of the delay (0 for `none`). */
export type TimeControl = { kind: Kind; delay_ms: number };

/** Doubling cube. */
export type Cube = { value: number; owner: Seat | null; offered_by: Seat | null; frozen: boolean };

/** A stop of both clocks: who stopped them, why and when. */
export type Halt = { by: Party; reason: Reason; at: number; hall: number | null; note: string };

/** Pending proposal: which seats agreed, and whether one declined (`disputed`). */
export type Proposal = { by: Party; terms: Terms; agreed: Seat[]; disputed: boolean };

/** State before the last hit (made by `seat`), restored by an undo. */
export type LastHit = {
  seat: Seat;
  clock: Clock;
  cube: Cube;
  turn_number: number;
  hits: Pair;
  forfeit: [boolean, boolean];
  last_end: LastEnd | null;
  set_aside: SetAside | null;
};

/** State just before a game or the match ended, restored by a reopening. */
export type LastEnd = {
  status: Status;
  clock: Clock;
  score: Pair;
  crawford: Crawford;
  turn_number: number;
  game: number;
  control: number;
  cube: Cube;
  halt: Halt | null;
  last_hit: LastHit | null;
  owed_hit: Seat | null;
  confirmed: [boolean, boolean];
  offences: Pair;
  graced: [boolean, boolean];
  forfeit: [boolean, boolean];
  hits: Pair;
  freeze_next: boolean;
  last_end: LastEnd | null;
  lag: Lag;
  set_aside: SetAside | null;
};

/** Lag credit used in this game, credited presses, and all presses: [left, right]. */
export type Lag = { used_ms: Pair; credited: Pair; presses: Pair };

/** A turn that `by` interrupted by giving the turn to the other seat. */
export type SetAside = {
  by: Party;
  clock: Clock;
  turn_number: number;
  forfeit: [boolean, boolean];
  last_hit: LastHit | null;
  uncredited: boolean;
};

/** A proposal that `by` declined. */
export type Rejection = { by: Party; proposal: Proposal; at: number };

/** Rules of one match; `cites` has the book's paragraphs by topic. */
export type Book = {
  name: string;
  features: Features;
  lost_time_stays_lost: boolean;
  flag: FlagRules;
  cites: Record<string, string>;
};

/** Flag policy with its amounts; `overtime_ms` is null if there is no overtime. */
export type FlagRules = {
  policy: FlagPolicy;
  points: Pair;
  reset_ms: number;
  reset: Reset;
  deciding: Deciding;
  overtime_ms: number | null;
  second: SecondControl;
};

/** Consequence of a flag under a rule set. */
export type FlagPolicy = 'lose-match' | 'penalty' | 'next-control' | 'overtime';

/** Effect of a flag penalty on the clocks. */
export type Reset = 'expired' | 'add' | 'set';

/** Flags in a game that decides the match: as usual, none, or one grace each. */
export type Deciding = 'limited' | 'unlimited' | 'grace';

/** Second time control, which the first flag starts under `next-control`. */
export type SecondControl = { kind: Kind; delay_ms: number; reserve_ms: number; precredit: boolean };

/** Reply to a ping. */
export type Pong = { t: 'pong'; c: number; now: number; v: number };

/** Reply to a command that was stored as version `v`. */
export type Ack = { t: 'ack'; id: string; v: number; credit_ms: number };

/** Rejection of a frame: `code` for programs, `words` for people. */
export type Refusal = { t: 'refused'; id: string | null; code: Why; v: number; words: string };

/** Reasons to reject a command; the values are the codes on the wire. */
export type Why =
  | 'not-your-turn'
  | 'stale'
  | 'stopped'
  | 'not-stopped'
  | 'not-running'
  | 'not-ready'
  | 'match-over'
  | 'flagged'
  | 'setup-not-confirmed'
  | 'proposal-pending'
  | 'no-proposal'
  | 'not-yours-to-settle'
  | 'cube-not-yours'
  | 'cube-frozen'
  | 'crawford'
  | 'no-double'
  | 'double-pending'
  | 'no-offer-of-that-kind'
  | 'not-director'
  | 'no-seat'
  | 'overruled'
  | 'bad-message'
  | 'bad-value'
  | 'not-stored';

/** Director's message to phones or hall screens; `id` 0: none. */
export type MessageFrame = { t: 'message'; now: number; id: number; text: string; at: number; until: number };

/** Version of the program. */
export type ProgramFrame = { t: 'program'; version: string };

/** Notice of a restart: reconnect after `after_ms`. */
export type RestartFrame = { t: 'restart'; after_ms: number };

/** Round-trip probe and its reply, used by servers without control pings. */
export type ProbeFrame = { t: 'probe'; p: number };

/** All tables of a tournament: the first frame of its page. */
export type BoardsFrame = { t: 'boards'; now: number; version: string; boards: Snapshot[] };

/** Several changed matches, optionally with `seen` times. */
export type MatchesFrame = {
  t: 'matches';
  now: number;
  matches: Snapshot[];
  seats?: Record<string, (number | null)[]>;
};

/** When each seat's phone was last heard from, by match. */
export type SeenFrame = { t: 'seen'; now: number; seats: Record<string, (number | null)[]> };

/** Matches that are no longer at any table. */
export type GoneFrame = { t: 'gone'; now: number; matches: number[] };

/** Start times of rounds, by name, and penalties: [minutes late, penalty]. */
export type StartsFrame = { t: 'starts'; now: number; starts: Record<string, number>; lateness: ([number, string])[] };

/** Pending seat requests. */
export type AsksFrame = { t: 'asks'; now: number; asks: Ask[] };

/** A request as sent to pages. */
export type Ask = { id: number; match: number; seats: Seat[]; at: number; until: number };

/** Handled alerts, and the directors who handle them. */
export type TakenFrame = { t: 'taken'; taken: Record<string, Taken> };

/** Director who handles an alert, and since when (server time in ms). */
export type Taken = { by: string; at: number };

/** State of the backups and of the disk. */
export type KeptFrame = { t: 'kept'; at: number | null; overdue_at: number | null; free: number; little: boolean };

/** `do` frame without arguments; `by` is the sender if `seat` is an argument. */
export type Address = { t: 'do'; id: string; at?: number; match?: number; seat?: Seat; by?: Seat };

/** Fields of a command in a hand-over other than its arguments. */
export type KeptAt = { at: number; id?: string; seat?: Seat; by?: Seat };

/** Request for the server's time; `c` is the client's. */
export type Ping = { t: 'ping'; c: number };

/** Claim of an alert by a director. */
export type Claim = { t: 'take'; id: string; alert: string };

/** Answer to a seat request. */
export type SeatAnswer = { t: 'seat'; id: string; ask: number; give: boolean };

/** Terms as a command proposes them. */
export type Proposable =
  | { winner: Seat; points: number; what: 'game' }
  | { winner: Seat; outcome: Win; what: 'offer' }
  | { against: Seat; what: 'dice-penalty' }
  | { seat: Seat; what: 'drop-forfeit' }
  | { what: 'undo' }
  | { score: Pair; crawford?: Crawford | null; what: 'score' }
  | { value: number; owner?: Seat | null; what: 'cube' }
  | { seat: Seat; by_ms: number; note?: string; what: 'time' }
  | { winner: Seat; note?: string; what: 'end' }
  | { note?: string; what: 'reopen' }
  | { turn_of: Seat; fresh_delay?: boolean; what: 'resume' };

/** What a `do` frame asks for. */
export type Command =
  | { do: 'confirm' }
  | { do: 'hit'; turn_number?: number | null }
  | { do: 'double'; turn_number?: number | null }
  | { do: 'take'; turn_number?: number | null }
  | { do: 'pass'; turn_number?: number | null }
  | {
    do: 'stop';
    reason?: 'concession' | 'break' | 'dice' | 'contest' | 'dice-picked-up' | 'score' | 'director' | 'other';
  }
  | { do: 'resume'; turn_of?: Seat | null; fresh_delay?: boolean }
  | ({ do: 'propose'; note?: string; turn_number?: number | null } & Proposable)
  | { do: 'agree'; note?: string; proposal?: number | null }
  | { do: 'decline'; note?: string; proposal?: number | null }
  | { do: 'withdraw' }
  | { do: 'call'; note?: string }
  | { do: 'answer'; note?: string }
  | { do: 'release-seat'; seat: Seat; note?: string }
  | { do: 'grant-seat'; seat: Seat; note?: string }
  | { do: 'move'; to: string; note?: string }
  | { do: 'replace-code'; note?: string }
  | { do: 'hand-over'; kept: (Command & KeptAt)[] };

export type DoFrame = Command & Address;

export type ClientFrame = DoFrame | Ping | ProbeFrame | Claim | SeatAnswer;
