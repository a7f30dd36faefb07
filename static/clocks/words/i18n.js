/**
 * Every word that a script puts on the screen passes through here.
 *
 * The names are Django's (`makemessages -d djangojs` finds them). Where the page has loaded Django's JavaScript
 * catalogue its translations are used; without one the English text is shown, so the modules run anywhere.
 */
const catalogue = () => globalThis.django || {};

/** Return `text` in the reader's language. */
export function gettext(text) {
  const { gettext: translate } = catalogue();
  return translate && text ? translate(text) : text; // for '' a catalogue returns its own header
}

/** Return the singular or the plural for `count`, in the reader's language. */
export function ngettext(singular, plural, count) {
  const { ngettext: translate } = catalogue();
  if (translate) return translate(singular, plural, count);
  return count === 1 ? singular : plural;
}

/** Return `text` with each `%(name)s` replaced by `values.name`. */
export function interpolate(text, values) {
  return text.replace(/%\((\w+)\)s/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/** Return `text` in the reader's language, with each `%(name)s` replaced. */
export const _ = (text, values = {}) => interpolate(gettext(text), values);
