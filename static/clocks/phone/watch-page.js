/** The page of somebody who only watches. */
import { keepWhatIsHeard } from './last-heard.js';
import './match-clock.js';
import './new-version.js';

keepWhatIsHeard(document.querySelector('match-clock'));
