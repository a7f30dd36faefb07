/** The page of somebody who only watches. */
import { keepWhatIsHeard } from './kept.js';
import './match-clock.js';
import './renewal.js';

keepWhatIsHeard(document.querySelector('match-clock'));
