/** The clock of the practice page, loaded after its form; what the clock can do without at first comes after it. */
import { LocalSource } from '../alone/local-source.js';
import { loaded } from '../browser/events.js';
import { MatchClock } from '../phone/match-clock.js';
import { giveWay } from '../phone/sheet.js';
import { PracticeMatch } from './game.js';
import { forgetMatch } from './kept-match.js';
import * as matches from './match.js';
/** @import { Show } from '../phone/phone.d.ts' */
/** @import { Practice, PracticeBook, PracticePage, Setting } from './practice.d.ts' */

const clock = new MatchClock();
Object.assign(clock.dataset, { code: '', seats: 'left right', practice: '' });
giveWay(clock);
const equipment = loaded('practice/menu.js', () => import('./menu.js')).then(({ equip }) => equip(clock));
const read = { rules: (/** @type {Show} */ open) => equipment.then(({ rules }) => rules(open)) };

/** Begin a match.
 * @param {PracticePage} page @param {PracticeBook} book @param {Setting} setting */
export const begin = (page, book, setting) => show(page, matches.begin(page.first, book, setting));

/** Show a match, from its beginning or from where this phone kept it.
 * @param {PracticePage} page @param {Practice} match */
export function show(page, match) {
  const game = new PracticeMatch(match);
  const again = () => {
    clock.remove();
    begin(page, page.bookOf(game.match.state.setup.rules), game.match.setting);
  };
  const other = () => {
    clock.remove();
    forgetMatch();
    page.showForm();
  };
  document.body.append(clock);
  clock.begin({ source: new LocalSource({ game, connection: 'open' }), read });
  equipment.then(({ sheets }) => clock.equip(sheets({ again, other, leave: () => location.assign('/') })));
}
