/** How wide a text is, by its letters: enough to choose a size for it without measuring. Pure. */
const WIDE = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/u;
const CAPITAL = /\p{Lu}/u;

/** Return how wide a name is, in small letters: a capital takes more, a Chinese or Japanese character nearly two.
 * @param {string} name */
export function widthOf(name) {
  const widths = [...name].map((letter) => (WIDE.test(letter) ? 1.7 : CAPITAL.test(letter) ? 1.2 : 1));
  return Math.ceil(widths.reduce((sum, width) => sum + width, 0));
}
