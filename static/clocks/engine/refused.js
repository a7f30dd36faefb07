/** Why a command is refused: one of the engine's codes. */
export class Refused extends Error {
  constructor(code) {
    super(code);
    this.code = code;
  }
}

/** Refuse with `code` what is wrong. */
export function refuseIf(wrong, code) {
  if (wrong) throw new Refused(code);
}
