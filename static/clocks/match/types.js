/**
 * The shapes of what comes over the socket (clocks/live/protocol.py), for the checker of types. Nothing here runs.
 *
 * All times are integer milliseconds; what ends in `_at`, `since` and `now` are instants of the server's time. A pair
 * is [left, right].
 *
 * @typedef {'left' | 'right'} Seat
 * @typedef {'setup' | 'ready' | 'running' | 'stopped' | 'flagged' | 'over'} Status
 * @typedef {[number, number]} Pair
 *
 * @typedef {object} Cube
 * @property {number} value
 * @property {Seat | null} owner null: in the middle
 * @property {Seat | null} offered_by who has doubled and waits for an answer
 * @property {boolean} frozen
 *
 * @typedef {object} Features what the rule set offers
 * @property {string[]} offers
 * @property {boolean} dice_penalty
 * @property {boolean} dice_picked_up
 * @property {boolean} fresh_delay
 * @property {boolean} time_by_agreement
 * @property {boolean} hides_times from spectators
 * @property {'dispute' | 'offerer-hits' | 'opponent-runs'} declined_offer
 * @property {boolean} top_concession_binds
 * @property {boolean} freezes_next
 * @property {number} second_delay_ms
 * @property {string} saves
 *
 * @typedef {{seat: Seat, at: number, late_ms: number, credit_ms: number, charged_ms: number}} Late
 *
 * @typedef {object} Snapshot a whole match: a `match` frame
 * @property {'match'} t
 * @property {number} match its id
 * @property {number} v the version of its state
 * @property {number} now when it was made
 * @property {Status} status
 * @property {Seat | null} turn
 * @property {number} turn_number
 * @property {number} game
 * @property {Pair} score
 * @property {boolean} crawford
 * @property {Pair | null} reserve_ms null: not told to spectators
 * @property {Pair | null} delay_ms
 * @property {Cube} cube
 * @property {Seat | null} flagged
 * @property {number | null} flag_at
 * @property {number} control
 * @property {boolean} limits
 * @property {Pair} offences
 * @property {[boolean, boolean]} forfeit
 * @property {number | null} wait_until
 * @property {any} proposal what waits for an answer: its terms, `number`, `by`, `agreed`, `disputed`; null: nothing
 * @property {Seat | null} winner
 * @property {Pair} hits
 * @property {boolean} called
 * @property {number | null} since
 * @property {number} used_ms
 * @property {Pair | null} turn_reserve_ms
 * @property {number} turn_delay_ms
 * @property {'none' | 'simple' | 'bronstein'} kind
 * @property {{by: string, reason: string, note: string, at: number} | null} stop
 * @property {{by: string, note: string, at: number} | null} hall_stop
 * @property {Seat | 'director' | null} resumed_by who resumed with the turn of the seat that was not on turn
 * @property {[boolean, boolean]} confirmed
 * @property {Seat | null} undo
 * @property {any} reopens
 * @property {'single' | 'gammon' | 'backgammon' | 'pass' | 'time' | 'ended' | null} won_by
 * @property {Seat | null} just_played
 * @property {string} cite
 * @property {Seat | null} owed_hit
 * @property {string} called_by
 * @property {number | null} called_at
 * @property {string} call_note
 * @property {[string, string]} names
 * @property {number} length
 * @property {string} rules
 * @property {'singles' | 'doubles'} format
 * @property {string} table
 * @property {string} code
 * @property {string} tournament
 * @property {string} round
 * @property {number | null} round_number
 * @property {number} made_at
 * @property {string} rules_name
 * @property {Features} features
 * @property {number} lag_credit_ms
 * @property {[number, number]} lag_used_ms
 * @property {[number, number]} lag_presses
 * @property {[number, number]} game_presses
 * @property {Late | null} late the last late press, until that seat is given time
 * @property {[number | null, number | null]} lent_at
 * @property {boolean} between whether one phone lies between the players
 * @property {{held: boolean, seen_at: number | null}[]} seats
 * @property {Seat[]} [by_players] where the players entered it: the seats whose names were nobody's
 * @property {{state: any, book: any}} [alone] for the phone between the players: to work without the server
 * @property {boolean} [practice] on a phone's own clock, which no server answers
 *
 * @typedef {{t: 'seen', now: number, seats: Record<string, [number | null, number | null]>}} SeenFrame
 * @typedef {{t: 'message', now: number, id: number, text: string, at: number, until: number}} MessageFrame
 * @typedef {{id: number, match: number, seats: Seat[], phone: number, at: number, until: number}} Ask
 * @typedef {{t: 'asks', now: number, asks: Ask[]}} AsksFrame which phones want a seat
 * @typedef {{t: 'kept', at: number | null, overdue_at: number | null, free: number, little: boolean}} KeptFrame
 * @typedef {{t: 'boards', now: number, version: string, boards: Snapshot[]}} BoardsFrame
 * @typedef {{t: 'ack', id: string, v: number, credit_ms: number}} Ack
 * @typedef {{t: 'refused', id: string, code: string, v: number, words: string}} Refusal
 * @typedef {{t: string, id: string, do?: string, turn_number?: number, proposal?: number, at?: number}} Command
 *
 * @typedef {object} Entry a command in the outbox
 * @property {number} match
 * @property {Seat | null} seat
 * @property {Command} frame
 * @property {number} madeAt by `performance.now()`
 * @property {number | null} sentAt
 *
 * @typedef {object} PanelButton
 * @property {string} label
 * @property {object} ask the command, without its address
 * @property {string} [kind]
 * @property {string} [again] asked back on the first tap
 * @property {boolean} [press] counts when the finger lands
 *
 * @typedef {object} Panel what a half holds where something is to be settled
 * @property {string[]} lines
 * @property {string} [invite] the code by which the other player's phone joins
 * @property {string[][]} [rows]
 * @property {string[]} [foot]
 * @property {boolean} [card]
 * @property {PanelButton[]} buttons
 *
 * @typedef {object} View what a half shows, but for its figures
 * @property {string} mode
 * @property {string} name
 * @property {string} title
 * @property {string} hint
 * @property {boolean} news the hint is shown on every screen
 * @property {string} aside
 * @property {string[]} facts
 * @property {[number, string][]} score points and name of each player
 * @property {Panel | null} panel
 * @property {boolean} delayed whether a delay is shown at all
 * @property {{left: number, full: number, running: boolean}} gauge
 * @property {boolean} busy
 *
 * @typedef {{reserve: number | null, delay: number | null, low: 'warn' | 'low' | null, other: number | null}} Figures
 *
 * @typedef {object} Alert what a board wants of the director
 * @property {string} key
 * @property {string} kind
 * @property {number} level 1 is the gravest
 * @property {number} since
 * @property {Snapshot} [board]
 */
export {};
