/** Banners beside the clocks: the director's message, requests for a seat, a new version of the clock. */
import { button, find, make, write } from '../browser/dom.js';
import { loaded, renewOnce } from '../browser/events.js';
import { gettext } from '../words/i18n.js';
/** @import { AsksFrame, MessageFrame, StartsFrame } from '../match/protocol.d.ts' */
/** @import { MatchClock } from './match-clock.js' */

/**
 * Return a handler that loads a part with the first `wanted` frame, and passes it that frame and all later ones.
 * @template Frame
 * @param {(frame: Frame) => boolean} wanted
 * @param {() => Promise<{ receive: (frame: Frame) => void }>} load
 */
function withFirst(wanted, load) {
  /** @type {ReturnType<typeof load> | undefined} */
  let part;
  return async (/** @type {Frame} */ frame) => {
    if (!part && !wanted(frame)) return;
    part ??= load();
    (await part).receive(frame);
  };
}

/** Place banners beside the clock, before those that match `others`: only the first banner is visible.
 * @param {MatchClock} clock @param {Element[]} elements @param {string | null} others */
export function placeBanners(clock, elements, others = null) {
  const strip = clock.querySelector('.strip');
  const other = others && clock.querySelector(others);
  if (other) other.before(...elements);
  else if (strip) strip.append(...elements);
  else find('.hold', clock).before(...elements);
}

/** Show the director's messages, requests from other phones and when the round starts. Requests come before messages:
 * they expire sooner.
 * @param {MatchClock} clock */
export function showBanners(clock) {
  const message = withFirst((/** @type {MessageFrame} */ { id }) => id !== 0, async () => {
    const { messageAt } = await loaded('phone/message.js', () => import('./message.js'));
    const banner = messageAt(clock);
    placeBanners(clock, banner.elements, '.late');
    return banner;
  });
  const asks = withFirst((/** @type {AsksFrame} */ frame) => frame.asks.length > 0, async () => {
    const { seatRequestAt } = await loaded('phone/seat-request.js', () => import('./seat-request.js'));
    const banner = seatRequestAt(clock);
    placeBanners(clock, [banner.element], '.message');
    return banner;
  });
  const starts = withFirst((/** @type {StartsFrame} */ frame) => Object.keys(frame.starts).length > 0, async () => {
    const { StartTime } = await loaded('phone/start-time.js', () => import('./start-time.js'));
    return new StartTime(clock);
  });
  clock.listen({ message, asks, starts });
  if (clock.source.message) message(clock.source.message);
  if (clock.source.asks) asks(clock.source.asks);
  if (clock.source.starts) starts(clock.source.starts);
}

/**
 * Compare the version of the server with that of the page. If they differ, reload once, as soon as no clock runs, no
 * sheet is open and nothing is unsent; otherwise, show a banner.
 * @param {MatchClock} clock
 */
export function watchVersion(clock) {
  /** @type {string | null} */
  let version = null;
  const words = make('span');
  const reload = button(gettext('Reload'), () => location.reload());
  const banner = make('div.renewal', { role: 'status' }, words, reload);
  const stands = () =>
    clock.match !== null && clock.match.status !== 'running' && clock.source.outbox.entries.length === 0;

  const show = () => {
    if (!banner.isConnected) (clock.querySelector('.strip') || clock).append(banner);
  };

  const look = () => {
    if (version === null || version === clock.dataset.version) return;
    if (stands() && !clock.sheetOpen && renewOnce(version)) return;
    show();
    reload.hidden = !stands();
    write(
      words,
      stands()
        ? gettext('A new version of the clock is available.')
        : gettext('A new version of the clock will load when the clocks stop.'),
    );
  };

  const program = (/** @type {string} */ answering) => {
    version = answering;
    look();
  };
  clock.listen({ program, changed: look });
  if (clock.source?.program) program(clock.source.program);
}
