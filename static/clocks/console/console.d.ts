// Types that the scripts of the director's page share.
import type { Alarm } from './alarm.js';
import type { Child } from '../browser/dom.js';
import type { SeatState } from '../match/boards.js';
import type { Turn } from '../match/clocks.js';
import type {
  Ask,
  Command,
  LatePress,
  Pair,
  Proposable,
  Seat,
  ShownTerms,
  Snapshot,
  StartsFrame,
  Taken,
} from '../match/protocol.d.ts';

/** A snapshot as directors get it: no time is hidden. */
export type Board = Snapshot & Turn & { lag_used_ms: Pair };

/** Expected end of a match; `since` is when this page learned that the match holds up its round. */
export type End = { at: number; spread_ms: number; holds_up: boolean; since?: number };

/** 1: urgent, 2: soon, 3: good to know. */
export type Level = 1 | 2 | 3;

type AlertFacts = {
  flag: object;
  call: object;
  awaited: object;
  declined: object;
  proposal: object;
  stop: object;
  late: { press: LatePress };
  lent: { seat: Seat };
  seat: { ask: Ask };
  alone: object;
  'both-gone': object;
  'one-gone': { seat: Seat };
  low: { seat: Seat; left: number };
  'holds-up': { end: End };
  'not-started': object;
  entered: object;
};

export type AlertKind = keyof AlertFacts;

/** An alert without its board. */
export type Found<Kind extends AlertKind = AlertKind> = {
  [K in Kind]: { kind: K; key?: string; level: Level; since: number; mark?: number } & AlertFacts[K];
}[Kind];

export type Alert<Kind extends AlertKind = AlertKind> = {
  [K in Kind]: Found<K> & { key: string; board: Board; taken?: Taken; group?: undefined; event?: LineEvent };
}[Kind];

/** Many alerts of a kind, in one line. */
export type AlertGroup = {
  key: string;
  kind: AlertKind;
  level: Level;
  since: number;
  group: Alert[];
  board?: undefined;
  event?: LineEvent;
};

/** Another event whose alert a line shows; undefined for the page's own. */
export type LineEvent = { name: string; describe: Describe };

/** An event that a page watches: name, addresses, the user's permissions and start times of rounds. */
export type EventAddress = {
  name: string;
  director: string;
  socket: string;
  pace: string;
  may: string[];
  starts: StartsFrame['starts'];
  lateness: StartsFrame['lateness'];
};

/** An event with the address of its page. */
export type NamedEvent = { name: string; director: string };

/** Names of tables in use both on this page and in another event. */
export type SharedTables = { event: string; tables: string[] };

/** Interface of the page for an event that it watches. */
export type EventPage = {
  me: string;
  alarm: Alarm;
  say: (words: string) => void;
  second: () => void;
  expect: (matches: number[]) => void;
  beside: (events: EventAddress[], more: NamedEvent[]) => void;
  open: (match: number, reach?: Reach) => void;
  strikeOut: (board: Board) => void;
  showKind: (kind: AlertKind) => void;
};

/** Director who has claimed the alert with this key. */
export type TakenBy = (key: string) => Taken | undefined;

/** A button of a line in the lane; `proposal` is the number of the proposal that it answers. */
export type LaneButton = {
  label: string;
  act: () => unknown;
  main?: boolean;
  confirm?: string | null;
  key?: string;
  proposal?: number;
};

/** Contents of a line in the lane. */
export type LaneLine = {
  head: string;
  event?: string;
  players: string;
  score?: string;
  what: string;
  detail: string;
  coming?: string;
  open: () => void;
  buttons: LaneButton[];
};

/** Contents of an alert's line, without the parts that all lines have. */
export type Said = { what: string; detail?: string; buttons?: LaneButton[] };
export type Says<Kind extends AlertKind = AlertKind> = (board: Board, alert: Alert<Kind>, page: AlertPage) => Said;

export type Describe = (alert: Alert | AlertGroup) => LaneLine;

/** Focus target when the drawer opens. */
export type Reach = 'title' | 'note';

/** Interface of the page for the lane. */
export type AlertPage = {
  me: string;
  mayRule: boolean;
  may: Set<string>;
  played: Set<string>;
  ask: (match: number, command: Command) => Promise<boolean>;
  settleSeat: (board: Board, ask: Ask, give: boolean) => Promise<void>;
  coming: (alert: Alert) => Promise<boolean>;
  open: (match: number, reach?: Reach) => void;
  dismiss: (alert: Alert) => void;
  strikeOut: (board: Board) => void;
  showKind: (kind: AlertKind) => void;
  missing: (board: Board) => string;
};

/** Interface of the page for the drawer. */
export type DrawerPage = {
  mayRule: boolean;
  may: Set<string>;
  address: string;
  director: string;
  send: (match: number, command: Command) => Promise<string>;
  board: (match: number) => Board | undefined;
  seats: (board: Board) => SeatState[];
  aloneSince: (board: Board) => number | null;
  end: (board: Board) => string;
  now: () => number;
  onClose: (match: number) => void;
  message: (table: string) => void;
};

/** A board as it is at `now`. */
export type Current = { board: Board; now: number };

/** Send a command for the open board; false if it was rejected. */
export type AskBoard = (command: Command) => Promise<boolean>;

/** The decision that a board needs: text, changes and buttons. */
export type DuePart = {
  words: Child;
  refresh?: (board: Board) => void;
  lines?: (board: Board, now: number) => ChangeLine[];
  form?: Child;
};

/** A change: [label, before, after]. */
export type ChangeLine = [string, string, string];

/** Terms of a proposal, or of a ruling not yet made. */
export type Terms = ShownTerms | Proposable;
export type TermsOf<What extends Terms['what']> = Extract<Terms, { what: What }>;

export type TableCommand = Extract<Command, { do: 'release-seat' | 'move' | 'replace-code' }>;

/** Result of a form: terms to propose, or a command about the table. */
export type Asked = Proposable | TableCommand;

/** A ruling, or an action on a table: its button, its form, and the command or terms that the form yields. */
export type Ruling<T extends Asked = Asked> = {
  label: string;
  title: string;
  blocked(board: Board): string;
  offered?(board: Board): boolean;
  page?(board: Board): string;
  fields(board: Board): HTMLElement[];
  terms(data: FormData, board: Board, now: number): T | T[] | null;
  warn?(board: Board, terms: T, now: number): string;
  changes?(board: Board, terms: T, now: number): ChangeLine[];
};

export type Rulings = {
  [What in Exclude<Proposable['what'], 'offer' | 'resume'>]: Ruling<Extract<Proposable, { what: What }>>;
};

export type TableActs = { [Do in TableCommand['do']]: Ruling<Extract<TableCommand, { do: Do }>> };
