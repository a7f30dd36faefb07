/** How wide a text is, by its letters: enough to choose a size for it without measuring. Pure. */
const WIDE = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/u;
const CAPITAL = /\p{Lu}/u;

/** Return how wide a name is, in small letters: a capital takes more, a Chinese or Japanese character nearly two. */
export function widthOf(name) {
  const widths = [...name].map((letter) => (WIDE.test(letter) ? 1.7 : CAPITAL.test(letter) ? 1.2 : 1));
  return Math.ceil(widths.reduce((sum, width) => sum + width, 0));
}

const SOFT = '\u00AD';
const LONG_WORD = /\p{L}{12,}/gu;
const VOWEL = 'aeiouyàáâäåæèéêëíîïóôöøúûü';
const SYLLABLE = new RegExp(`[${VOWEL}](?=[^${VOWEL}][${VOWEL}])`, 'giu');

/** Return a name of which a long word may be broken between two syllables, with a hyphen, where there is no room. */
export const softened = (name) =>
  name.replace(
    LONG_WORD,
    (word) => word.replace(SYLLABLE, (vowel, at) => (at >= 3 && at < word.length - 3 ? vowel + SOFT : vowel)),
  );

/** Return a name as it is spelt. */
export const spelt = (name) => name.replaceAll(SOFT, '');
