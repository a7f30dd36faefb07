/** Rules for the style sheets; docs/phone.md says which browsers they are for. */
import baseline from 'stylelint-plugin-use-baseline';
import oneFolder from './one-folder.js';

// The Baseline of docs/phone.md: what is newer stands in @supports. These have no guard, and need none: paper, and a
// registered property, without which sizes come from a nearer container.
const YEAR = 2023;
const UNGUARDED = { ignoreAtRules: ['page', 'property'], ignoreProperties: { 'break-after': ['avoid'] } };

export default {
  plugins: [baseline, oneFolder],
  rules: {
    'plugin/use-baseline': [true, { available: YEAR, ...UNGUARDED }],
    'clock/class-in-one-folder': true,
    'block-no-empty': true,
    'color-no-invalid-hex': true,
    'declaration-block-no-duplicate-custom-properties': true,
    'declaration-block-no-duplicate-properties': [true, { ignore: ['consecutive-duplicates-with-different-values'] }],
    'no-duplicate-selectors': true,
    // Logical properties only. Media and container queries name width and height.
    'property-disallowed-list': [[
      '/^(margin|padding|border)-(top|right|bottom|left)/',
      '/^(min-|max-)?(width|height)$/',
      '/^(top|right|bottom|left)$/',
    ]],
    'property-no-unknown': true,
    'selector-disallowed-list': ['/(\\.[\\w-]+)\\1(?![\\w-])/'], // a class twice, to weigh more
    'selector-pseudo-class-no-unknown': true,
    'selector-pseudo-element-no-unknown': true,
    'unit-no-unknown': true,
  },
};
