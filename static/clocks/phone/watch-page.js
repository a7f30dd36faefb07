/** The page of somebody who only watches. */
import { keepWhatIsHeard } from './last-heard.js';
import './match-clock.js';
import './new-version.js';

const clock = document.querySelector('match-clock');
keepWhatIsHeard(clock);
clock.begin();
