/**
 * Two sheets that leave the clock as it is: the rules of this match, and the language of this phone. Loaded once the
 * clock is there.
 */
import { fill, find, make } from '../browser/dom.js';
import { gettext } from '../words/i18n.js';
import { answers, heading, paragraph } from './sheet.js';
/** @import { Snapshot } from '../match/protocol.d.ts' */
/** @import { Show } from './phone.d.ts' */

const NOT_NOW = () => gettext('That needs the network. Try again once it is back.');

/** Show the rules of `match`: the page of its book, in a sheet.
 * @param {Snapshot} match @param {Show} show */
export async function rulesSheet(match, show) {
  const read = make('div.read', {}, paragraph(gettext('Loading …')));
  show({ title: gettext(match.rules_name), lasts: true, parts: [read] });
  let parts = /** @type {HTMLElement[]} */ ([]);
  try {
    const answer = await fetch(`/rules/${match.rules}/`);
    if (answer.ok) parts = partsOf(new DOMParser().parseFromString(await answer.text(), 'text/html'));
  } catch {
    // said below
  }
  fill(read, ...(parts.length ? parts : [paragraph(NOT_NOW())]));
}

/** Contents of a book's page: its figures, then each part with its sentences.
 * @param {Document} page */
function partsOf(page) {
  const words = (/** @type {Element} */ element) => element.textContent.replace(/\s+/g, ' ').trim();
  const figures = [...page.querySelectorAll('.figures > div')].flatMap((row) =>
    [...row.children].map((child) => make(child.localName, {}, words(child)))
  );
  const parts = /** @type {HTMLElement[]} */ (figures.length ? [make('dl.rows', {}, ...figures)] : []);
  for (const section of page.querySelectorAll('section.card:not(#choices)')) {
    const lines = [...section.querySelectorAll('li')].map((line) => make('li', {}, words(line)));
    if (lines.length) parts.push(heading(words(find('h2', section))), make('ul.rules', {}, ...lines));
  }
  return parts;
}

/** Offer the languages; the page is reloaded in the one that is chosen.
 * @param {Show} show */
export function languageSheet(show) {
  const form = /** @type {HTMLFormElement} */ (find('[data-languages] form'));
  const items = [...form.querySelectorAll('button')].map((choice) => ({
    label: choice.textContent,
    kind: choice.hasAttribute('aria-current') ? 'primary' : '',
    act: () => choose(form, choice, show),
  }));
  show({ title: gettext('Language'), lasts: true, parts: [answers(items)] });
}

/** @param {HTMLFormElement} form @param {HTMLButtonElement} choice @param {Show} show */
async function choose(form, choice, show) {
  try {
    const body = new FormData(form);
    body.set('language', choice.value);
    const answer = await fetch(form.action, { method: 'POST', body, redirect: 'manual' });
    if (answer.ok || answer.type === 'opaqueredirect') {
      location.reload();
      return;
    }
  } catch {
    // said below
  }
  show({ title: gettext('Language'), lasts: true, parts: [paragraph(NOT_NOW())] });
}
