// What a Link is made of.
import type { ServerFrame } from '../match/protocol.d.ts';
import type { Connection, Deps } from './link.js';
import type { Answer } from './match-source.js';
import type { Entry, Outbox } from './outbox.js';
import type { ServerTime } from './server-time.js';

export type OnLink = {
  answer: (answer: Answer, entry: Entry) => void;
  dropped: (entries: Entry[]) => void;
  state: (state: Connection) => void;
  measured: () => void;
  jumped: (ms: number, slept: boolean) => void;
  program?: (version: string) => void;
};

export type LinkParts = Partial<Deps> & {
  url: () => string;
  sync: ServerTime;
  outbox: Outbox;
  on: OnLink;
  receive: (frame: ServerFrame, now: number) => void;
  busy?: () => boolean;
  missed?: (version: number) => boolean;
  first?: () => object[];
  others?: (answer: Answer) => void;
  retryAfterFinal?: (code: number) => boolean;
};
