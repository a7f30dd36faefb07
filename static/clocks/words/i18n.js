/**
 * Translate the messages that scripts show.
 *
 * The functions have Django's names, so that `makemessages -d djangojs` finds the messages. Unlike Django's, they
 * interpolate `%(name)s` themselves. Without Django's JavaScript catalogue they return the English text, so modules run
 * anywhere.
 */
/** @typedef {Record<string, string | number>} Values */

/**
 * Django's JavaScript catalogue.
 *
 * @typedef {object} Catalogue
 * @property {(text: string) => string} [gettext]
 * @property {(context: string, text: string) => string} [pgettext]
 * @property {(singular: string, plural: string, count: number) => string} [ngettext]
 */

/** @returns {Catalogue} */
const catalogue = () => /** @type {{ django?: Catalogue }} */ (globalThis).django || {};

/** Interpolate each `%(name)s` that has a value.
 * @param {string} text @param {Values} [values] */
const interpolate = (text, values) =>
  values ? text.replace(/%\((\w+)\)s/g, (whole, name) => (name in values ? String(values[name]) : whole)) : text;

/** @param {string} text @param {Values} [values] */
export function gettext(text, values) {
  const { gettext: translate } = catalogue();
  return interpolate(translate && text ? translate(text) : text, values); // for '' a catalogue returns its own header
}

/** Translate `text` as it is meant in `context`.
 * @param {string} context @param {string} text @param {Values} [values] */
export function pgettext(context, text, values) {
  const { pgettext: translate } = catalogue();
  return interpolate(translate ? translate(context, text) : text, values);
}

/** Translate in the singular or plural form for `count`.
 * @param {string} singular @param {string} plural @param {number} count @param {Values} [values] */
export function ngettext(singular, plural, count, values) {
  const { ngettext: translate } = catalogue();
  const english = count === 1 ? singular : plural;
  return interpolate(translate ? translate(singular, plural, count) : english, values);
}
