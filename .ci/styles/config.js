/** Rules for the style sheets; docs/phone.md says which browsers they are for. */
import baseline from 'stylelint-plugin-use-baseline';
import onePlace from './one-place.js';

// The Baseline of docs/phone.md: what is newer stands in @supports. These have no guard, and need none: paper, and a
// registered property, without which sizes come from a nearer container.
const YEAR = 2023;
const UNGUARDED = { ignoreAtRules: ['page', 'property'], ignoreProperties: { 'break-after': ['avoid'] } };

// Sizes of type are roles: those of every page (style/tokens.css), of printed pages (style/paper.css), of cards and
// posters (pages/cards.css), and of a clock (phone/type.css). Spaces are steps of style/tokens.css; an overlay,
// which is without it, has its own.
const ROLES = [
  'type-(fine|small|text|lead|heading|figure|title)',
  'paper-(fine|small|note|text|lead|heading|title|cover)',
  'wall-(fine|text|lead|heading|title|code|sentence|words|word|number|line)',
  'clock-(title|name|facts|line|note|answer|narrow|action|bar|sign)|read',
];
const TYPE = `(var\\(--(${ROLES.join('|')})\\)|inherit)`;
const message = (property, value) => `${property}: ${value} is not from style/tokens.css (--type-…, --space-…)`;
const TYPES = {
  'declaration-property-value-allowed-list': [{
    'font': [`/^${TYPE}( |$)/`],
    'font-size': [`/^${TYPE}$/`],
    '/^--type-/': ['/^((?!\\d(pt|mm)\\b).)*$/'], // a page that is printed gives a role another size of paper.css
  }, { message }],
};
// Properties of spaces, and those custom properties in which a page gives them to a component. A share of a half of the
// clock (cqw, cqh) is no step: it ends at one, as in min(var(--space), 4cqw).
const SPACED = [
  '(--[a-z-]+-)?(padding|margin|gap|inset)',
  '(row|column)-gap$',
  'scroll-(padding|margin)',
  '--(cell-(block|inline)|(fields|help|faults)-top|help-link)$',
];
const SPACES = {
  'declaration-property-value-disallowed-list': [{
    [`/^(${SPACED.join('|')})/`]: ['/\\d(rem|px|em)\\b/'],
  }, { message }],
};
// Sheets with spaces of their own.
const WITHOUT_SPACES = [
  '**/*-paper.css', // paper: millimetres
  '**/pages/{cards,cards-*,bracket-a*,bracket-letter,draw-sheet,poster}.css', // paper: millimetres, also on a screen
];
const without = (rules) => Object.fromEntries(Object.keys(rules).map((name) => [name, null]));

export default {
  plugins: [baseline, onePlace],
  overrides: [
    { files: WITHOUT_SPACES, rules: without(SPACES) },
    { files: ['**/phone/type.css'], rules: without(TYPES) }, // and the figures, which fill their half
  ],
  rules: {
    ...TYPES,
    ...SPACES,
    'plugin/use-baseline': [true, { available: YEAR, ...UNGUARDED }],
    'clock/class-in-one-place': true,
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
