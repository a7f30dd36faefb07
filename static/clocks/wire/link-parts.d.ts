// What a Link is made of.
import type { ServerFrame } from '../match/protocol.d.ts';
import type { Connection, Deps } from './link.js';
import type { Answer } from './match-source.js';
import type { Entry, Outbox } from './outbox.js';
import type { ServerTime } from './server-time.js';

// Signals of a link.
export type LinkCalls = {
  /** A frame that is neither an answer nor about the connection. */
  frame: (frame: ServerFrame, now: number) => void;
  /** An ack or a refusal; `entry` is the outbox's. */
  answer: (answer: Answer, entry: Entry) => void;
  /** An answer to a frame that was not in the outbox. */
  other: (answer: Answer) => void;
  /** Commands dropped without an answer. */
  dropped: (entries: Entry[]) => void;
  /** The connection changed, or the server went silent or was heard again. */
  state: (state: Connection) => void;
  /** A round trip was measured. */
  measured: () => void;
  /** The shown time jumped; `slept` if because the device had been asleep. */
  jumped: (ms: number, slept: boolean) => void;
  /** Version of the program that the server runs. */
  program: (version: string) => void;
};

export type LinkParts = Partial<Deps> & {
  url: () => string;
  sync: ServerTime;
  outbox: Outbox;
  busy?: () => boolean;
  missed?: (version: number) => boolean;
  first?: () => object[];
  retryAfterFinal?: (code: number) => boolean;
};
