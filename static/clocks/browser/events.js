/** Page events: presses, wake-ups, rotation; scripts loaded on demand; reload for a new version. */
import { mark, write } from './dom.js';
import { inTab } from './storage.js';

/**
 * A press counts when the finger lands. A click without a finger (keyboard, screen reader) also counts, but not within
 * this time of the last finger.
 */
const CLICK_AFTER_MS = 700;
const REST_MS = 700;
/** @type {WeakMap<HTMLButtonElement, object>} */
const resting = new WeakMap();
const AGAIN_MS = 4000;
const LOAD_AGAIN_MS = 3000;
const LOAD_MS = 6000; // a request that a dead connection swallowed never fails by itself

/**
 * Ignore taps on buttons that have just appeared: the finger may have aimed at what was there before. For `ms` they are
 * disabled, with `data-rests`; then `rested()` is called.
 * @param {HTMLButtonElement[]} buttons
 */
export function ignoreTapsBriefly(buttons, rested = () => {}, ms = REST_MS) {
  const focused = buttons.find((button) => button === document.activeElement);
  const mine = {};
  for (const button of buttons) {
    button.disabled = true;
    mark(button, 'data-rests', '');
    resting.set(button, mine);
  }
  setTimeout(() => {
    for (const button of buttons.filter((each) => resting.get(each) === mine)) {
      mark(button, 'data-rests', null);
      button.disabled = false;
    }
    if (document.activeElement === document.body) focused?.focus(); // a disabled button loses it
    rested();
  }, ms);
}

/** Call `pressed(at)` once for each press of `button`; `at` is the event's `timeStamp`.
 * @param {HTMLButtonElement} button @param {(at: number) => void} pressed */
export function onPress(button, pressed) {
  const fingers = new Set();
  let fingerAt = -Infinity;

  // Not filtered by `isPrimary`: while a finger rests on the glass, the other player's touch is not primary.
  button.addEventListener('pointerdown', (event) => {
    if (button.disabled || (event.pointerType === 'mouse' && event.button !== 0)) return;
    fingers.add(event.pointerId);
    fingerAt = event.timeStamp;
    pressed(event.timeStamp);
  });
  for (const name of /** @type {const} */ (['pointerup', 'pointercancel', 'pointerleave'])) {
    button.addEventListener(name, (event) => {
      if (fingers.delete(event.pointerId)) fingerAt = event.timeStamp;
    });
  }
  button.addEventListener('keydown', () => {
    fingers.clear();
    fingerAt = -Infinity;
  });
  button.addEventListener('click', (event) => {
    if (!fingers.size && event.timeStamp - fingerAt > CLICK_AFTER_MS) pressed(event.timeStamp);
  });
  button.addEventListener('contextmenu', (event) => event.preventDefault());
}

/**
 * Make `button` ask for confirmation: a second tap within `ms` calls `act(at)`. A tap elsewhere or loss of focus
 * cancels.
 * @param {HTMLButtonElement} button @param {string} question @param {(at: number) => void} act @param {number} ms
 */
export function askTwice(button, question, act, ms = AGAIN_MS) {
  const label = button.textContent;
  /** @type {number | undefined} */
  let timer;
  const calmDown = () => {
    clearTimeout(timer);
    timer = undefined;
    removeEventListener('pointerdown', elsewhere);
    write(button, label);
    mark(button, 'data-asking', null);
  };
  // Safari does not focus a tapped button, so there is no blur.
  const elsewhere = (/** @type {Event} */ { target }) => target !== button && calmDown();
  button.addEventListener('blur', () => timer && calmDown());
  button.addEventListener('click', (event) => {
    if (timer) {
      calmDown();
      act(event.timeStamp);
      return;
    }
    timer = setTimeout(calmDown, ms);
    addEventListener('pointerdown', elsewhere);
    write(button, question);
    mark(button, 'data-asking', '');
  });
}

/** Call `wake` whenever the page is shown again or the network is back, until `signal` aborts.
 * @param {() => void} wake @param {AbortSignal} [signal] */
export function onWake(wake, signal) {
  document.addEventListener('visibilitychange', () => document.hidden || wake(), { signal });
  addEventListener('pageshow', (event) => event.persisted && wake(), { signal });
  addEventListener('online', wake, { signal });
}

/** Call `turned(degrees)` now and whenever the screen rotates or is resized: 0, 90, 180 or 270 degrees.
 * @param {(degrees: number) => void} turned @param {AbortSignal} [signal] */
export function onTurn(turned, signal) {
  const tell = () => turned(screen.orientation?.angle ?? 0);
  screen.orientation?.addEventListener?.('change', tell, { signal });
  addEventListener('resize', tell, { signal });
  tell();
}

/**
 * Import a script on demand; `name` is its path below static/clocks. It and its imports are fetched first, because
 * Firefox before 155 never retries a module that failed once.
 * @template Module
 * @param {string} name
 * @param {() => Promise<Module>} start
 * @returns {Promise<Module>}
 */
export async function load(name, start) {
  const lists = [...document.querySelectorAll('[data-later]')].map(({ textContent }) => JSON.parse(textContent));
  await Promise.all((Object.assign({}, ...lists)[name] ?? []).map(fetched));
  return start();
}

/** @type {Set<string>} */
const fetchedFiles = new Set();

/** @param {string} file */
async function fetched(file) {
  if (fetchedFiles.has(file)) return;
  const answer = await fetch(file, { signal: AbortSignal.timeout(LOAD_MS) });
  if (!answer.ok) throw new Error(`${file}: ${answer.status}`);
  await answer.text(); // or it may not be cached
  fetchedFiles.add(file);
}

/**
 * Import a script; retry until it loads.
 * @template Module
 * @param {string} name
 * @param {() => Promise<Module>} start
 * @returns {Promise<Module>}
 */
export async function loaded(name, start) {
  for (;;) {
    try {
      return await load(name, start);
    } catch {
      await new Promise((again) => setTimeout(again, LOAD_AGAIN_MS));
    }
  }
}

/**
 * Call `act` once, as soon as the clock's match satisfies `isWanted`. Checked when the match or the connection changes.
 * @template Shown
 * @param {{match: Shown | null, listen: (calls: Record<'changed' | 'connection', () => void>) => unknown}} clock
 * @param {(match: Shown) => boolean} isWanted
 * @param {() => void} act
 */
export function once(clock, isWanted, act) {
  let done = false;
  const look = () => {
    if (done || !clock.match || !isWanted(clock.match)) return;
    done = true;
    act();
  };
  clock.listen({ changed: look, connection: look });
  look();
}

const RENEWED = 'clock:renewed';

/**
 * Reload the page for a new version, unless this tab's last reload was for the same one: two servers of different
 * versions must not make it loop. True if it reloads.
 * @param {string} version
 */
export function renewOnce(version) {
  if (inTab.get(RENEWED) === version || !inTab.set(RENEWED, version)) return false;
  location.reload();
  return true;
}
