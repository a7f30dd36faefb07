// Signals and constructor arguments of a Link.
import type { ServerFrame } from '../match/protocol.d.ts';
import type { Connection, Deps } from './link.js';
import type { Answer } from './match-source.js';
import type { Entry, Outbox } from './outbox.js';
import type { ServerTime } from './server-time.js';

export type LinkCalls = {
  /** A frame that is neither an answer nor about the connection; `now`: when it arrived. */
  frame: (frame: ServerFrame, now: number) => void;
  /** An ack or a refusal; `entry`: its command's outbox entry. */
  answer: (answer: Answer, entry: Entry) => void;
  /** An answer to a frame that is not in the outbox, or `not-stored`, after which the frame is resent. */
  other: (answer: Answer) => void;
  /** Commands dropped without an answer. */
  dropped: (entries: Entry[]) => void;
  /** The connection changed, or the server was lost or has been heard from again. */
  state: (state: Connection) => void;
  /** A round trip was measured. */
  measured: () => void;
  /** The shown time jumped; `slept` if the device may have been asleep. */
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
