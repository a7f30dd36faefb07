/**
 * Fits the clock above the on-screen keyboard, which covers the page while a note is typed. Loaded when a text field
 * first gets the focus.
 */
/** @import { MatchClock } from './match-clock.js' */

const LEAST_PX = 100; // a keyboard covers more than this, a browser's toolbar less

/** Keep `clock` above the keyboard from now on.
 * @param {MatchClock} clock */
export function stayAboveKeyboard(clock) {
  const { visualViewport: seen } = window;
  if (!seen) return;
  let raised = false;
  const place = () => {
    const field = document.activeElement;
    const covered = document.documentElement.clientHeight - seen.height;
    const zoomed = Math.abs(seen.scale - 1) > 0.01;
    const raises = covered > LEAST_PX && !zoomed && field instanceof HTMLInputElement && clock.contains(field);
    if (!raises && !raised) return;
    raised = raises;
    clock.style.inset = raises ? `${seen.offsetTop}px 0 auto` : '';
    clock.style.blockSize = raises ? `${seen.height}px` : '';
    if (!raises) return scrollTo(0, 0); // Safari leaves the page scrolled
    field.closest('.sheet')?.querySelector('.primary')?.scrollIntoView({ block: 'nearest' });
    field.scrollIntoView({ block: 'nearest' });
  };
  for (const change of ['resize', 'scroll']) seen.addEventListener(change, place);
  place();
}
