/**
 * Every word that a script puts on the screen passes through here.
 *
 * The names are Django's (`makemessages -d djangojs` finds them). Where the page has loaded Django's JavaScript
 * catalogue its translations are used; without one the English text is shown, so the modules run anywhere.
 */
/** @typedef {Record<string, string | number>} Values */

/** @returns {Catalogue} */
const catalogue = () => /** @type {{ django?: Catalogue }} */ (globalThis).django || {};

/**
 * Django's functions, where the page has loaded its catalogue.
 *
 * @typedef {object} Catalogue
 * @property {(text: string) => string} [gettext]
 * @property {(context: string, text: string) => string} [pgettext]
 * @property {(singular: string, plural: string, count: number) => string} [ngettext]
 */

/** Return `text` in the reader's language.
 * @param {string} text */
export function gettext(text) {
  const { gettext: translate } = catalogue();
  return translate && text ? translate(text) : text; // for '' a catalogue returns its own header
}

/** Return `text` in the reader's language, in the sense that it has in `context`.
 * @param {string} context @param {string} text */
export function pgettext(context, text) {
  const { pgettext: translate } = catalogue();
  return translate ? translate(context, text) : text;
}

/** Return the singular or the plural for `count`, in the reader's language, with each `%(name)s` replaced.
 * @param {string} singular @param {string} plural @param {number} count @param {Values} [values] */
export function ngettext(singular, plural, count, values = {}) {
  const { ngettext: translate } = catalogue();
  if (translate) return interpolate(translate(singular, plural, count), values);
  return interpolate(count === 1 ? singular : plural, values);
}

/** Return `text` with each `%(name)s` replaced by `values.name`.
 * @param {string} text @param {Values} values */
export function interpolate(text, values) {
  return text.replace(/%\((\w+)\)s/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/** Return `text` in the reader's language, with each `%(name)s` replaced.
 * @param {string} text @param {Values} [values] */
export const _ = (text, values = {}) => interpolate(gettext(text), values);
