/**
 * Offline page in place of a clock. A shared phone continues its unfinished match; others show the last known state and
 * its age, read-only. The page returns to the clock by itself once the server answers.
 */
import { Header } from '../phone/bars.js';
import { clocksAt, indexOf, SEATS } from '../match/clocks.js';
import { onDevice } from '../browser/storage.js';
import { find, make, mark, write } from '../browser/dom.js';
import { Half } from '../phone/half.js';
import { keep, lastHeard } from '../phone/last-heard.js';
import { cardLine, modeOf } from '../phone/modes.js';
import { gettext } from '../words/i18n.js';
import * as phrases from '../words/phrases.js';
import { ago } from '../words/ago.js';
/** @import { Seat, Snapshot } from '../match/protocol.d.ts' */
/** @import { Heard } from '../phone/last-heard.js' */

const ASK_MS = 3000;
const PATIENCE_MS = 2500; // a request without an answer must not block the next
const RELOAD_MS = 12_000; // least time between reloads: a second one would restart the first
const RUNNING = ['turn', 'asked', 'hold', 'checking'];

/** Seats with an unanswered press stored on this phone, in this match.
 * @param {Snapshot} match @returns {Seat[]} */
function pressesKept({ code, match }) {
  /** @type {{ match: number, seat: Seat }[]} */
  const kept = onDevice.get(`clock:${code}:outbox`) ?? [];
  return kept.filter((press) => press.match === match).map(({ seat }) => seat);
}

/** Show the clocks of `match` as of `now`, in server time, with this phone's player at the bottom.
 * @param {Element} place @param {Heard} heard */
function showClocks(place, { match, now, seats = [] }) {
  const figures = clocksAt(match, now);
  const header = new Header();
  header.show(match);
  header.connection('reconnecting', null);
  const kept = pressesKept(match);
  const order = seats.includes('left') ? [...SEATS].reverse() : SEATS;
  const halves = order.map((seat) => {
    const mine = indexOf(seat);
    const half = new Half(seat);
    const mode = modeOf(match, seat, { waiting: null, zero: false, held: false });
    half.show({
      mode,
      name: phrases.nameOf(match, seat),
      title: RUNNING.includes(mode) ? gettext('Clock was running') : cardLine(match, seat, mode),
      hint: kept.includes(seat) ? gettext('Your press is kept here and will be sent.') : '',
      aside: '',
      score: SEATS.map((of) => [match.score[indexOf(of)], phrases.nameOf(match, of)]),
      facts: [...phrases.gameFacts(match), ...phrases.seatFacts(match, seat)],
      panel: null,
      delayed: match.kind !== 'none' && match.delay_ms !== null,
      gauge: { left: figures.delay_ms[mine], full: match.turn_delay_ms, running: false },
      busy: false,
    });
    half.tick({
      reserve: figures.reserve_ms[mine],
      delay: figures.delay_ms[mine],
      low: null,
      other: null,
      spends: false,
    });
    return half;
  });
  mark(place, 'data-layout', 'watch');
  const table = make('div.table', {}, header.element, ...halves.map(({ element }) => element));
  place.replaceChildren(make('div.hold', {}, table));
}

const code = (location.pathname.match(/^\/t\/([^/]+)\/(?:clock|watch)\/$/i) || [])[1];
const last = code ? lastHeard(code.toUpperCase()) : null;
const words = find('[data-age]');

/** @param {Heard} heard */
function showAge({ match, at }) {
  const running = match.status === 'running' ? ` ${gettext('The match continues without this phone.')}` : '';
  const when = ago(Date.now() - at);
  write(words, gettext('These clocks are as they were %(when)s.', { when }) + running);
}

let reloadsUntil = 0;

/** Reload the page if the server answers. */
async function ask() {
  if (performance.now() < reloadsUntil) return;
  try {
    const answer = await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(PATIENCE_MS) });
    if (!answer.ok || performance.now() < reloadsUntil) return;
    reloadsUntil = performance.now() + RELOAD_MS;
    location.reload();
  } catch {
    // The server does not answer yet.
  }
}

const alone = code && onDevice.get(`clock:${code.toUpperCase()}:alone`);
const here = alone && (await import('./alone.js')).goOn(code.toUpperCase());
if (here) {
  // alone.js has taken over the page.
} else if (last) {
  document.body.classList.add('has-clocks');
  keep(last.match.code, { ...last, lost: true });
  showClocks(find('match-clock'), last);
  showAge(last);
  setInterval(() => showAge(last), 1000);
}
document.querySelector('[data-again]')?.addEventListener('click', () => location.reload());
addEventListener('online', ask);
setInterval(ask, ASK_MS);
