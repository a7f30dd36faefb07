/**
 * A rule: a class is defined in one folder, and, for all elements that have it, in one sheet of that folder. It is
 * defined where a selector ends in it: `.bar .link` defines `link`, for what is in a `.bar`; `.link` defines it for all.
 * What another place wants otherwise, it says with the custom properties of the component, or below its own class.
 */
import { basename, dirname } from 'node:path';
import stylelint from 'stylelint';

const NAME = 'clock/class-in-one-place';
const CLASS = /\.(-?[A-Za-z_][\w-]*)/g;
const WITHOUT = /:(not|has)\((?:[^()]|\([^()]*\))*\)/g;
// The clock is one component, in a sheet for each of its parts, shapes and states, which are always loaded together.
const ONE_COMPONENT = ['phone'];
const folders = new Map(); // by class
const sheets = new Map();

/** Return the selectors of a rule and of those around it, outermost first. */
function nested(node) {
  const around = node.parent.type === 'root' ? [] : nested(node.parent);
  return node.type === 'rule' ? [...around, node.selector.replace(WITHOUT, '')] : around;
}

/** True if a rule holds on paper alone: it says how a page is printed, and takes nothing from another. */
function printed(node) {
  if (node.type === 'root') return node.source.input.file.endsWith('-paper.css');
  return (node.type === 'atrule' && node.name === 'media' && node.params === 'print') || printed(node.parent);
}

/** Return the classes of the last part of each selector, and whether it names no other: `[class, alone]`. */
function classesOf(selectors) {
  const found = [];
  const around = selectors.slice(0, -1).join(' ');
  for (const one of selectors.at(-1).split(/,(?![^()]*\))/)) {
    const last = one.trim().split(/[\s>+~]+(?![^()]*\))(?![^[]*\])/).at(-1);
    const named = new Set([...`${around} ${one}`.matchAll(CLASS)].map(([, name]) => name));
    for (const [, name] of last.matchAll(CLASS)) found.push([name, named.size === 1]);
  }
  return found;
}

const rule = (wanted) => (root, result) => {
  if (!wanted) return;
  const { file } = root.source.input;
  const folder = basename(dirname(file));
  root.walkRules((node) => {
    if (node.parent.type === 'atrule' && node.parent.name === 'keyframes') return;
    const report = (message) => stylelint.utils.report({ ruleName: NAME, result, node, message });
    const defines = node.nodes.some(({ type }) => type === 'decl');
    for (const [name, alone] of classesOf(nested(node))) {
      const first = folders.get(name) ?? folder;
      folders.set(name, first);
      if (first !== folder) report(`.${name} is defined in ${first}/, too: let one of them have another name`);
      if (!alone || !defines || printed(node) || ONE_COMPONENT.includes(folder)) continue;
      const sheet = sheets.get(name) ?? file;
      sheets.set(name, sheet);
      if (sheet === file) continue;
      report(`.${name} is defined in ${basename(sheet)}, too: define it once, or below a class of this sheet`);
    }
  });
};
rule.ruleName = NAME;
rule.messages = {};
export default stylelint.createPlugin(NAME, rule);
