import { createStore, useStore } from '../base/store.ts'

/** `connecting` is a connection that is being made or has been lost; `offline` is what the browser says of the network. */
export type ConnectionState = 'online' | 'connecting' | 'offline'

const socketOpen = createStore(false)
const browserOnline = createStore(typeof navigator === 'undefined' ? true : navigator.onLine)

if (typeof window !== 'undefined') {
  window.addEventListener('online', () => browserOnline.set(true))
  window.addEventListener('offline', () => browserOnline.set(false))
}

/** For the event socket only. */
export const setSocketOpen = (open: boolean): void => socketOpen.set(open)

export function connectionState(): ConnectionState {
  if (!browserOnline.get()) return 'offline'
  return socketOpen.get() ? 'online' : 'connecting'
}

export function useConnectionState(): ConnectionState {
  useStore(socketOpen)
  useStore(browserOnline)
  return connectionState()
}

/** Whether the browser believes to have a network; for screens before login, where no socket is open. */
export const useBrowserOnline = (): boolean => useStore(browserOnline)
