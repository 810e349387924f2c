import { useSyncExternalStore } from 'react'

/** The three shapes of the layout: overlay drawer below 600 px, icon rail up to 1200 px, open drawer above. */
export type Viewport = 'narrow' | 'medium' | 'wide'

const narrow = matchMedia('(width < 600px)')
const wide = matchMedia('(width > 1200px)')

const read = (): Viewport => (narrow.matches ? 'narrow' : wide.matches ? 'wide' : 'medium')

function subscribe(listener: () => void): () => void {
  narrow.addEventListener('change', listener)
  wide.addEventListener('change', listener)
  return () => {
    narrow.removeEventListener('change', listener)
    wide.removeEventListener('change', listener)
  }
}

export const useViewport = (): Viewport => useSyncExternalStore(subscribe, read)
