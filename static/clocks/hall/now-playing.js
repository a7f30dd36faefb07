/**
 * Live public pages of a tournament: update scores, and refetch a part of the page after a result or a new match.
 * Without this script, the pages stay as loaded.
 */
import { find, mark, write } from '../browser/dom.js';
import { onWake, renewOnce } from '../browser/events.js';
import { TournamentLink } from '../wire/tournament-link.js';
import { Part } from './part.js';
/** @import { Snapshot } from '../match/protocol.d.ts' */
/** @import { TournamentFrame } from '../wire/tournament-link.js' */

const SPREAD_MS = 4_000; // spreads the requests of a hall's phones
const ANEW_MS = 120_000; // refetch interval: a draw without a match at a table sends no frame

class Live {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.results = root.hasAttribute('data-results'); // only results change this page
    /** @type {Map<number, string>} */
    this.statuses = new Map();
    this.part = new Part({
      address: () => {
        const address = new URL(location.href);
        address.search = '?part';
        return address;
      },
      spreadMs: SPREAD_MS,
      read: (text) => this.replace(text),
      refused: (status) => status === 404 && location.reload(), // no longer public
    });
    this.link = new TournamentLink(root.dataset.socket ?? '');
    this.link.listen({
      frame: (frame) => this.receive(frame),
      state: () => mark(document.body, 'data-link', this.link.state),
    });
    onWake(() => {
      this.link.wake();
      this.part.soon();
    });
    this.link.start();
    setInterval(() => document.visibilityState === 'visible' && this.part.soon(), ANEW_MS);
  }

  /** @param {TournamentFrame} frame */
  receive(frame) {
    if (frame.t === 'boards') {
      if (frame.version !== this.root.dataset.version && renewOnce(frame.version)) return;
      for (const board of frame.boards) this.take(board, this.statuses.size === 0);
    } else if (frame.t === 'match') this.take(frame, false);
    else if (frame.t === 'gone') this.part.soon();
  }

  /** Show a score, and refetch the part if a match has begun, ended or moved, or its names have changed.
   * @param {Snapshot} board @param {boolean} first */
  take(board, first) {
    const row = this.root.querySelector(`[data-match="${board.match}"]`);
    row?.querySelectorAll('[data-score]').forEach((node, seat) => write(node, String(board.score[seat])));
    const phase = ['setup', 'over'].includes(board.status) ? board.status : 'playing';
    const seen = [phase, board.table, ...board.names].join('|');
    const before = this.statuses.get(board.match);
    this.statuses.set(board.match, seen);
    const missing = !this.results && !row && phase !== 'over';
    if (missing || (before !== seen && !(first || before === undefined && this.results && phase !== 'over'))) {
      this.part.soon();
    }
  }

  /** Replace the part; keep the focus and the scroll position of each bracket.
   * @param {string} text */
  replace(text) {
    const at = [...this.root.querySelectorAll('.bracket')].map((node) => [node.id, node.scrollLeft, node.scrollTop]);
    const focused = document.activeElement?.id;
    this.root.replaceChildren(...new DOMParser().parseFromString(text, 'text/html').body.childNodes);
    for (const [id, left, top] of at) document.getElementById(String(id))?.scrollTo(Number(left), Number(top));
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
    mark(this.root, 'data-fresh', '');
  }
}

const root = document.querySelector('[data-live]');
if (root) new Live(find('[data-live]'));
