/**
 * Overlay page: follows one table, or whichever table a stage is pointed at.
 */
import { find } from '../browser/dom.js';
import { Boards } from '../match/boards.js';
import { RemoteSource } from '../wire/remote-source.js';
import { TournamentLink } from '../wire/tournament-link.js';
import { Overlay } from './overlay.js';

const DRAW_MS = 50;
const LOOK_MS = 1_000; // how often to ask which table the stage is pointed at

/** Follow a table by its code. Returns a function for the server's time in ms.
 * @param {Overlay} overlay @param {string} code */
function followTable(overlay, code) {
  const source = new RemoteSource({ code });
  source.listen({ match: (match) => overlay.receive(match) });
  source.start();
  return () => source.now() ?? Date.now();
}

/** Follow the table that a stage is, or was last, pointed at. Returns a function for the server's time in ms.
 * @param {Overlay} overlay @param {{ socket: string, stage: string, table: string }} place */
function followStage(overlay, { socket, stage, table }) {
  const boards = new Boards();
  const at = () => boards.at(table);
  const link = new TournamentLink(socket);
  link.listen({
    frame: (frame) => {
      if (frame.t === 'boards') {
        boards.replace(frame.boards);
        const now = at();
        if (now) overlay.receive(now);
      } else if (frame.t === 'gone') boards.forget(frame.matches);
      else if (frame.t === 'match' && boards.put(frame) && frame.table === table) overlay.receive(frame);
    },
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
      // Retried after LOOK_MS.
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
