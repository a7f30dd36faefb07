/** Why a command is refused: one of the engine's codes. */
/** @import { Why } from '../match/protocol.d.ts' */
export class Refused extends Error {
  /** @param {Why} code */
  constructor(code) {
    super(code);
    this.code = code;
  }
}

/** Refuse with `code` what is wrong.
 * @param {unknown} wrong @param {Why} code */
export function refuseIf(wrong, code) {
  if (wrong) throw new Refused(code);
}

/** Refuse with `code` unless this holds.
 * @param {unknown} right @param {Why} code @returns {asserts right} */
export function refuseUnless(right, code) {
  if (!right) throw new Refused(code);
}
