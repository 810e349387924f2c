/** The other side of `bounded.ts`: what a process does that reads bytes of strangers. */
import { writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'

/**
 * Reads the order, does the work and writes its answer, both JSON; then ends the process. A failure is its end without
 * an answer.
 */
export async function answer<Order, Answer>(work: (order: Order) => Promise<Answer>): Promise<never> {
  try {
    // The first to go when the machine runs out of memory.
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // Not on Linux.
  }
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  try {
    const order = (await Bun.stdin.json()) as Order
    const said = JSON.stringify(await work(order))
    await Bun.write(Bun.stdout, said)
    process.exit(0)
  } catch {
    process.exit(1)
  }
}
