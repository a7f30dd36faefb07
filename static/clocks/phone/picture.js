/** Picture of a finished match, drawn on this phone: who won, the score game by game, and the time used. */
import { make } from '../browser/dom.js';
import { gettext } from '../words/i18n.js';
import { spelt } from '../words/phrases.js';
import { byWhat, timeRows, winnerFirst } from './ending.js';
/** @import { Snapshot } from '../match/protocol.d.ts' */
/** @import { MatchSummary } from '../match/summary.d.ts' */

const WIDTH = 1080;
const HEIGHT = 1350;
const EDGE = 72;
const MOST_BYTES = 200_000;
const GROUND = '#0d1116';
const LINE = '#323c48';
const WINNER = '#ffb224';
const OTHER = '#6cb8ff';
const TEXT = '#f0f3f7';
const SOFT = '#b4bec9';
const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans CJK JP", sans-serif';
const NUMERALS = `Numerals, ${FONT}`;

/** Draw the picture as a PNG or, if that exceeds `MOST_BYTES`, as a JPEG. Nothing is sent anywhere.
 * @param {Snapshot} match @param {MatchSummary | null} summary @returns {Promise<Blob>} */
export async function pictureOf(match, summary) {
  await document.fonts?.load('700 1em Numerals').catch(() => {});
  const canvas = make('canvas', { width: WIDTH, height: HEIGHT });
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  pen.fillStyle = GROUND;
  pen.fillRect(0, 0, WIDTH, HEIGHT);
  drawResult(pen, match);
  if (summary?.games.length) drawCourse(pen, match, summary);
  if (summary) drawTimes(pen, match, summary);
  line(pen, gettext('Backgammon clock'), { y: HEIGHT - 44, size: 30, colour: SOFT });
  const drawn = await blobOf(canvas, 'image/png');
  return drawn.size <= MOST_BYTES ? drawn : blobOf(canvas, 'image/jpeg');
}

/** @param {HTMLCanvasElement} canvas @param {string} type @returns {Promise<Blob>} */
const blobOf = (canvas, type) =>
  new Promise((done, failed) =>
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error('no picture'))), type, 0.85)
  );

/**
 * Write one line, smaller if it would be wider than `most` px.
 * @param {CanvasRenderingContext2D} pen @param {string} text
 * @param {{ y: number, size: number, colour: string, x?: number, most?: number, weight?: number, font?: string,
 *   align?: CanvasTextAlign }} look
 */
function line(pen, text, look) {
  const { y, colour, weight = 600, font = FONT, align = 'center', most = WIDTH - 2 * EDGE } = look;
  const { x = WIDTH / 2 } = look;
  let { size } = look;
  const use = () => (pen.font = `${weight} ${size}px ${font}`);
  use();
  size = Math.floor(size * Math.min(1, most / (pen.measureText(text).width || 1)));
  use();
  pen.textAlign = align;
  pen.textBaseline = 'alphabetic';
  pen.fillStyle = colour;
  pen.fillText(text, x, y);
}

/** @param {CanvasRenderingContext2D} pen @param {Snapshot} match */
function drawResult(pen, match) {
  const [winner, other] = winnerFirst(match);
  const facts = [gettext('to %(length)s', { length: match.length }), gettext(match.rules_name)];
  line(pen, facts.join(' · '), { y: 96, size: 34, colour: SOFT });
  line(pen, spelt(winner.name), { y: 184, size: 80, colour: WINNER, weight: 700 });
  const score = { y: 454, size: 270, font: NUMERALS, weight: 700 };
  line(pen, String(match.score[winner.at]), { ...score, x: WIDTH / 2 - 62, align: 'right', colour: WINNER, most: 420 });
  line(pen, '–', { ...score, colour: SOFT, size: 150, y: 418 });
  line(pen, String(match.score[other.at]), { ...score, x: WIDTH / 2 + 62, align: 'left', colour: OTHER, most: 420 });
  line(pen, spelt(other.name), { y: 542, size: 60, colour: OTHER });
  line(pen, spelt(byWhat(match)), { y: 606, size: 40, colour: TEXT });
}

/** Draw the scores of both players, game by game, as a chart.
 * @param {CanvasRenderingContext2D} pen @param {Snapshot} match @param {MatchSummary} summary */
function drawCourse(pen, match, { games }) {
  const [top, bottom, left, right] = [668, 950, EDGE + 70, WIDTH - EDGE - 20];
  const first = games[0];
  const began = [0, 1].map((at) => first.score[at] - (at === seatAt(first.winner) ? first.points : 0));
  const x = (/** @type {number} */ number) => left + ((right - left) * number) / games.length;
  const y = (/** @type {number} */ points) => bottom - ((bottom - top) * points) / match.length;
  pen.strokeStyle = LINE;
  pen.lineWidth = 2;
  for (const points of [0, match.length]) {
    stroke(pen, [[left, y(points)], [right, y(points)]]);
    line(pen, String(points), {
      x: left - 24,
      y: y(points) + 12,
      size: 34,
      font: NUMERALS,
      colour: SOFT,
      align: 'right',
    });
  }
  for (
    const [{ at }, colour] of /** @type {const} */ ([[winnerFirst(match)[1], OTHER], [winnerFirst(match)[0], WINNER]])
  ) {
    const points = [Math.max(0, began[at]), ...games.map(({ score }) => score[at])];
    pen.strokeStyle = colour;
    pen.lineWidth = 9;
    pen.lineJoin = 'round';
    stroke(pen, points.map((value, number) => [x(number), y(value)]));
    pen.fillStyle = colour;
    games.forEach((game, number) => {
      if (seatAt(game.winner) !== at) return;
      pen.beginPath();
      pen.arc(x(number + 1), y(game.score[at]), 14, 0, 2 * Math.PI);
      pen.fill();
    });
  }
  games.forEach((game, number) => {
    const at = seatAt(game.winner);
    const most = (right - left) / games.length;
    line(pen, `+${game.points}`, {
      x: x(number + 1),
      y: y(game.score[at]) - 26,
      size: 30,
      font: NUMERALS,
      colour: TEXT,
      most,
    });
  });
}

const seatAt = (/** @type {'left' | 'right'} */ seat) => (seat === 'left' ? 0 : 1);

/** @param {CanvasRenderingContext2D} pen @param {number[][]} points */
function stroke(pen, points) {
  pen.beginPath();
  for (const [x, y] of points) pen.lineTo(x, y);
  pen.stroke();
}

/** @param {CanvasRenderingContext2D} pen @param {Snapshot} match @param {MatchSummary} summary */
function drawTimes(pen, match, summary) {
  const [winner, other] = winnerFirst(match);
  timeRows(summary).forEach(([words, ...figures], number) => {
    const row = { y: 1040 + number * 52, size: 36 };
    line(pen, words, { ...row, x: EDGE, align: 'left', colour: SOFT, most: 440 });
    for (const [{ at }, x, colour] of /** @type {const} */ ([[winner, 770, WINNER], [other, WIDTH - EDGE, OTHER]])) {
      line(pen, figures[at], { ...row, x, align: 'right', colour, font: NUMERALS, weight: 700, most: 220 });
    }
  });
}
