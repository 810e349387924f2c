import { createStore, useStore } from './store.ts'

const tickMs = 30_000
const now = createStore(Date.now())
let watchers = 0
let timer: ReturnType<typeof setInterval> | undefined

const ticking = {
  ...now,
  subscribe(listener: () => void) {
    if (watchers++ === 0) {
      now.set(Date.now())
      timer = setInterval(() => now.set(Date.now()), tickMs)
    }
    const stop = now.subscribe(listener)
    return () => {
      stop()
      if (--watchers === 0) clearInterval(timer)
    }
  },
}

/** The time, in milliseconds since 1970, renewed every 30 s by one timer for all who watch. */
export const useNow = (): number => useStore(ticking)
