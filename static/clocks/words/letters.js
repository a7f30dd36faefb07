/** Estimated width of a text, to choose its size without measuring. Pure. */
const WIDE = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/u;
const CAPITAL = /\p{Lu}/u;

/** Width of a name in lower-case letters: a capital counts 1.2, a Chinese, Japanese or Korean character 1.7.
 * @param {string} name */
export function widthOf(name) {
  const widths = [...name].map((letter) => (WIDE.test(letter) ? 1.7 : CAPITAL.test(letter) ? 1.2 : 1));
  return Math.ceil(widths.reduce((sum, width) => sum + width, 0));
}
