/** Refusal of a command, with one of the engine's codes. */
/** @import { Why } from '../match/protocol.d.ts' */
export class Refused extends Error {
  /** @param {Why} code */
  constructor(code) {
    super(code);
    this.code = code;
  }
}

/** Refuse with `code` if `wrong` is true.
 * @param {unknown} wrong @param {Why} code */
export function refuseIf(wrong, code) {
  if (wrong) throw new Refused(code);
}

/** Refuse with `code` unless `right` is true.
 * @param {unknown} right @param {Why} code @returns {asserts right} */
export function refuseUnless(right, code) {
  if (!right) throw new Refused(code);
}
