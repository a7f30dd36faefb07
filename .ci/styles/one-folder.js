/**
 * A rule: a class is defined in one folder. It is defined where a selector ends in it: `.bar .link` defines `link`.
 * What another folder wants otherwise, it says with the custom properties of the component.
 */
import { basename, dirname } from 'node:path';
import stylelint from 'stylelint';

const NAME = 'clock/class-in-one-folder';
const CLASS = /\.(-?[A-Za-z_][\w-]*)/g;
const defined = new Map();

/** Return the classes of the last part of each selector in a list, without those that it rules out. */
function classesOf(selector) {
  const classes = [];
  const flat = selector.replace(/:(not|has)\((?:[^()]|\([^()]*\))*\)/g, '');
  for (const one of flat.split(/,(?![^()]*\))/)) {
    const last = one.trim().split(/[\s>+~]+(?![^()]*\))(?![^[]*\])/).at(-1);
    classes.push(...[...last.matchAll(CLASS)].map((found) => found[1]));
  }
  return classes;
}

const rule = (wanted) => (root, result) => {
  if (!wanted) return;
  const folder = basename(dirname(root.source.input.file));
  root.walkRules((node) => {
    if (node.parent.type === 'atrule' && node.parent.name === 'keyframes') return;
    for (const name of classesOf(node.selector)) {
      const first = defined.get(name) ?? folder;
      defined.set(name, first);
      if (first === folder) continue;
      const message = `.${name} is defined in ${first}/, too: let one of them have another name`;
      stylelint.utils.report({ ruleName: NAME, result, node, message });
    }
  });
};
rule.ruleName = NAME;
rule.messages = {};
export default stylelint.createPlugin(NAME, rule);
