/** The page of somebody who only watches. */
import { keepWhatIsHeard } from '../browser/storage.js';
import './match-clock.js';
import '../browser/renewal.js';

keepWhatIsHeard(document.querySelector('match-clock'));
