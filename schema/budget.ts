/** Letters that one event, or one call, may fill in and compare. What people write takes a hundredth; it is worked in a tenth of a second. */
const EVENT_LETTERS = 400_000
/** What it takes to find out what a name stands for, in letters. */
export const LOOKUP_LETTERS = 60

/** More is to be built or compared than one event may. */
export class OverBudget extends Error {
  override readonly name = 'OverBudget'
}

/**
 * How much one event, or one call, may still build and compare. Texts and rules are other people's, and multiply: a limit
 * on their number, or on the length of each, bounds nothing.
 */
export class Budget {
  private left: number

  constructor(letters = EVENT_LETTERS) {
    this.left = letters
  }

  /** @throws OverBudget before more is done than may be */
  spend(letters: number): void {
    this.left -= letters
    if (this.left < 0) throw new OverBudget('more text than one event may build and compare')
  }
}
