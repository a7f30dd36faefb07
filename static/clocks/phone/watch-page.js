/** Clock page for spectators. */
import { clockOfPage, leaveWhenOver } from './match-clock.js';
import { showBanners, watchVersion } from './banners.js';
import { keepWhatIsHeard } from './last-heard.js';
import { announceMilestones } from './milestones.js';
import { languageSheet, rulesSheet } from './about.js';
import { once } from '../browser/events.js';
import { RemoteSource } from '../wire/remote-source.js';

const clock = clockOfPage();
/** @import { Show } from './phone.d.ts' */

const read = {
  rules: (/** @type {Show} */ show) => clock.match && rulesSheet(clock.match, show),
  language: languageSheet,
};
leaveWhenOver(clock);
clock.begin({ source: new RemoteSource({ code: clock.dataset.code ?? '' }), read });
keepWhatIsHeard(clock);
announceMilestones(clock);
// Banners are placed beside the clock, which is on the page from its first match.
once(clock, () => true, () => {
  watchVersion(clock);
  showBanners(clock);
});
