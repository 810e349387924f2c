const UNINTERRUPTED_MS = 2
let lastPause = 0

/** Between two pieces of plain work: where some has been done since the last time, what others wait for is done first. */
export async function letOthersIn(): Promise<void> {
  if (performance.now() - lastPause < UNINTERRUPTED_MS) return
  await new Promise((resolve) => setImmediate(resolve))
  lastPause = performance.now()
}
