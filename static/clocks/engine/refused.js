/** Refusal of a command, with one of the engine's codes. */
/** @import { Why } from '../match/protocol.d.ts' */
export class Refused extends Error {
  /** @param {Why} code */
  constructor(code) {
    super(code);
    this.code = code;
  }
}

/** Throw `Refused` with `code` if `wrong` is truthy.
 * @param {unknown} wrong @param {Why} code */
export function refuseIf(wrong, code) {
  if (wrong) throw new Refused(code);
}

/** Throw `Refused` with `code` unless `right` is truthy.
 * @param {unknown} right @param {Why} code @returns {asserts right} */
export function refuseUnless(right, code) {
  if (!right) throw new Refused(code);
}
