/** Component gallery: `data-shown` simulates the hover, focus and active states, so that all show at once. */
import { find, write } from '../browser/dom.js';

const STATES = /:(hover|active|focus-visible)/g;

/** Duplicate each rule for a state, for the elements that simulate that state.
 * @param {CSSStyleSheet | CSSGroupingRule} list */
function repeat(list) {
  for (let at = list.cssRules.length - 1; at >= 0; at -= 1) {
    const rule = list.cssRules[at];
    const shown = rule.cssText.replace(STATES, '[data-shown="$1"]');
    if (rule instanceof CSSImportRule && rule.styleSheet) repeat(rule.styleSheet);
    else if (rule instanceof CSSGroupingRule) repeat(rule);
    else if (rule instanceof CSSStyleRule && shown !== rule.cssText) list.insertRule(shown, at + 1);
  }
}

for (const sheet of document.styleSheets) repeat(sheet);

const forced = matchMedia('(forced-colors: active)');
const tell = () =>
  write(
    find('[data-forced]'),
    forced.matches
      ? 'Forced colours: on.'
      : 'Forced colours: off. Browsers emulate them: developer tools, Rendering, “forced-colors”.',
  );
forced.addEventListener('change', tell);
tell();
