import { mark } from './dom.js';

/**
 * A press counts when the finger lands. A click without one (keyboard, screen reader) counts as well; the click that
 * follows a finger does not.
 */
const CLICK_AFTER_MS = 700;
const REST_MS = 700;

/**
 * Let buttons that have just come up take no tap at first: a finger may have been on its way to what was there before.
 * Such a button has `data-rests`, by which the page shows it; `rested()` is called when it is over.
 */
export function rest(buttons, rested = () => {}) {
  for (const button of buttons) {
    button.disabled = true;
    mark(button, 'data-rests', '');
  }
  setTimeout(() => {
    for (const button of buttons) {
      mark(button, 'data-rests', null);
      button.disabled = false;
    }
    rested();
  }, REST_MS);
}

/** Call `pressed(at)` once for each press of `button`; `at` is the event's `timeStamp`. */
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
  for (const name of ['pointerup', 'pointercancel', 'pointerleave']) {
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
