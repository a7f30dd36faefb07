/**
 * The clock of a phone between the players, reloaded while the network is gone: it continues from what the phone has
 * kept. The page returns to the real one by itself, which hands over what was played.
 */
import { Clockwork } from '../alone/clockwork.js';
import { Course, keyOf } from '../alone/course.js';
import { onDevice } from '../browser/storage.js';
import { Device } from '../phone/device.js';
import { MatchClock } from '../phone/match-clock.js';
import { newId } from '../wire/outbox.js';

/** Stands where a TableLink stands elsewhere. */
class AloneLink {
  constructor({ course, sync, on }) {
    this.work = new Clockwork({ course, sync, on });
    this.on = on;
    this.state = 'alone';
    this.open = true;
    this.ended = false;
  }

  start() {
    this.on.state('open');
    this.work.start();
  }

  stop() {
    this.work.stop();
  }

  wake() {
    this.work.look();
  }

  send(frame, { seat }) {
    if (frame.t === 'do') this.work.ask(frame, seat);
  }
}

/** Show the clock of the table with this code, if this phone lies between the players there; tell whether it does. */
export function goOn(code) {
  const course = new Course({ store: onDevice, key: keyOf(code), newId });
  if (!course.base || course.state.status === 'over') return false;
  const clock = new MatchClock();
  Object.assign(clock.dataset, { code, seats: 'left right', table: `/t/${code}/` });
  document.body.className = 'clock';
  document.body.replaceChildren(clock);
  const device = new Device(clock);
  clock.begin({
    link: ({ sync, on }) => new AloneLink({ course, sync, on }),
    extras: () => [...device.switches(), ...device.sleepLines()],
  });
  return true;
}
