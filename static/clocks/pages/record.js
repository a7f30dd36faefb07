/** Shows the instants of a record in this device's time zone: without scripts they stay in UTC. */
import './print.js';

const zone = new Intl.DateTimeFormat(undefined, { timeZoneName: 'short' });
const time = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 1,
  hourCycle: 'h23',
});
const whole = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long', hourCycle: 'h23' });

for (const node of document.querySelectorAll('time')) {
  const at = new Date(node.dateTime);
  node.textContent = ('whole' in node.dataset ? whole : time).format(at);
  node.title = at.toLocaleString();
}
const named = zone.formatToParts(new Date()).find((part) => part.type === 'timeZoneName');
if (named) document.querySelector('[data-zone]').textContent = named.value;
