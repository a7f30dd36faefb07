/**
 * An overlay's page: the match of a table, or of the table that a stage is pointed at, for as long as the page is open.
 */
import { find } from '../browser/dom.js';
import { Boards } from '../match/boards.js';
import { Outbox } from '../wire/outbox.js';
import { ServerTime } from '../wire/server-time.js';
import { TableLink } from '../wire/table-link.js';
import { TournamentLink } from '../wire/tournament-link.js';
import { Overlay } from './overlay.js';

const DRAW_MS = 50;
const LOOK_MS = 1_000; // for which table a stage is pointed at

const nothing = () => {};

/** Follow a table by its code; returns the function that tells the server's time. */
function followTable(overlay, code) {
  const sync = new ServerTime();
  const link = new TableLink({
    code,
    sync,
    outbox: new Outbox(null, ''),
    on: {
      snapshot: (match) => overlay.receive(match),
      message: nothing,
      asks: nothing,
      seen: nothing,
      answer: nothing,
      dropped: nothing,
      state: nothing,
      measured: nothing,
      jumped: nothing,
      program: nothing,
    },
  });
  link.start();
  return () => sync.serverAt(performance.now()) ?? Date.now();
}

/** Follow the table that a stage is pointed at; what was shown stays until it is pointed elsewhere. */
function followStage(overlay, { socket, stage, table }) {
  const boards = new Boards();
  const at = () => boards.get(boards.byTable.get(table));
  const link = new TournamentLink(socket, {
    frame: (frame) => {
      if (frame.t === 'boards') {
        boards.replace(frame.boards);
        if (at()) overlay.receive(at());
      } else if (frame.t === 'gone') boards.forget(frame.matches);
      else if (frame.t === 'match' && boards.put(frame) && frame.table === table) overlay.receive(frame);
    },
    state: nothing,
  });
  link.start();
  const look = async () => {
    try {
      const found = await (await fetch(stage, { cache: 'no-store' })).json();
      if (found.table !== null && found.table !== table) {
        table = found.table;
        overlay.startOver(at(), link.now());
      }
    } catch {
      // asked again in a moment
    }
    setTimeout(look, LOOK_MS);
  };
  setTimeout(look, LOOK_MS);
  return () => link.now();
}

const root = find('[data-overlay]');
const overlay = new Overlay(root);
const now = root.dataset.code
  ? followTable(overlay, root.dataset.code)
  : followStage(overlay, /** @type {any} */ (root.dataset));
setInterval(() => overlay.draw(now()), DRAW_MS);
