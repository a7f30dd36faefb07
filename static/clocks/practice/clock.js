/** Clock of the practice page, loaded after its form; its less urgent parts follow. */
import { LocalSource } from '../alone/local-source.js';
import { loaded } from '../browser/events.js';
import { MatchClock } from '../phone/match-clock.js';
import { giveWay, needsNetwork } from '../phone/sheet.js';
import { PATIENCE_MS, PracticeMatch } from './game.js';
import { forgetMatch } from './kept-match.js';
/** @import { Show } from '../phone/phone.d.ts' */
/** @import { Practice, PracticePage, Rules } from './practice.d.ts' */

const clock = new MatchClock();
Object.assign(clock.dataset, { code: '', seats: 'left right', practice: '' });
giveWay(clock);
document.fonts?.load('700 1em Numerals').catch(() => {}); // load early, or the first figures appear in another font
const equipment = loaded('practice/menu.js', () => import('./menu.js')).then(({ equip }) => equip(clock));
const ways = equipment.then(() => loaded('phone/ways-on.js', () => import('../phone/ways-on.js')));
let rematch = () => {};
const showEnd = () => ways.then(({ showWaysOn }) => clock.match && showWaysOn(clock, rematch));
clock.listen({ changed: showEnd }); // players may take an end back
const read = { rules: (/** @type {Show} */ open) => equipment.then(({ rules }) => rules(open)) };

/** Show a new match or the stored one; `rules` may load later.
 * @param {PracticePage} page @param {Practice} match @param {Promise<Rules>} rules */
export function show(page, match, rules) {
  const game = new PracticeMatch(match);
  const source = new LocalSource({ game, connection: 'open' });
  let patience = 0; // id of the timer started by the first command that waits for the rules
  // The rules may be neither cached nor reachable.
  const sayIfTooLate = () => {
    patience = 0;
    if (!game.rules) source.tell('notice', needsNetwork());
  };
  const again = async () => {
    const { begin } = await rules;
    clock.remove();
    const { state: { setup }, setting } = game.match;
    show(page, begin(page.first, page.bookOf(setup.rules), setting), rules);
  };
  const other = () => {
    clock.remove();
    forgetMatch();
    page.showForm();
  };
  document.body.append(clock);
  clock.begin({ source, read });
  source.listen({ sent: () => game.rules || (patience ||= setTimeout(sayIfTooLate, PATIENCE_MS)) });
  rules.then((loadedRules) => {
    game.rules = loadedRules;
    source.wake();
    showEnd();
  });
  rematch = again;
  equipment.then(({ sheets }) => clock.equip(sheets({ again, other, leave: () => location.assign('/') })));
}
