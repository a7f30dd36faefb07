/** The page of somebody who only watches. */
import { clockOfPage } from './match-clock.js';
import { keepWhatIsHeard } from './last-heard.js';
import { languageSheet, rulesSheet } from './rules-and-language.js';
import { watchVersion } from './banners.js';

const clock = clockOfPage();
keepWhatIsHeard(clock);
watchVersion(clock);
clock.begin({ read: { rules: (show) => rulesSheet(clock.match, show), language: languageSheet } });
