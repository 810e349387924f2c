import { keys, local } from './local.ts'
import { createStore, useStore } from './store.ts'

function read(): number {
  const stored = Number.parseFloat(local.get(keys.volume) ?? '')
  return stored >= 0 && stored <= 1 ? stored : 1
}

const volume = createStore(read())

/** Loudness of notification sounds, 0 to 1, for those who play them outside React. */
export const getVolume = (): number => volume.get()

export function setVolume(next: number): void {
  const kept = Math.round(Math.min(1, Math.max(0, next)) * 10) / 10
  local.set(keys.volume, String(kept))
  volume.set(kept)
}

export const useVolume = (): number => useStore(volume)
