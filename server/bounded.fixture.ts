/** A bounded process for tests: does what it is told to. */
import { answer } from './bounded.child.ts'

await answer<string, unknown>(async (order) => {
  if (order === 'stand still') for (;;);
  if (order === 'crash') process.abort()
  if (order === 'fail') throw new Error('no')
  if (order === 'take memory') {
    const taken: Uint8Array[] = []
    for (;;) taken.push(new Uint8Array(10_000_000).fill(1))
  }
  if (order === 'environment') return Object.keys(process.env)
  return order
})
