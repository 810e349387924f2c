import { afterAll, beforeAll, expect, test } from 'bun:test'
import { notify } from '../notifications/notifications.notice.ts'
import { watchPush } from './push.ts'
import { session } from '../session/session-store.ts'
import { sessionUser } from '../session/session.fixture.ts'

const ana = sessionUser()

/** What lies in the tray of the computer. */
const tray = new Set<{ title: string; close(): void }>()
class Notice {
  static permission = 'granted'
  onclick: (() => void) | null = null
  onclose: (() => void) | null = null
  constructor(readonly title: string) {
    tray.add(this)
  }
  close() {
    tray.delete(this)
    this.onclose?.()
  }
}
const told = new Set<Notice>()
const browser = {
  navigator: {
    serviceWorker: {
      getRegistration: async () => ({
        getNotifications: async () => [...told],
        showNotification: async (title: string) => void told.add(new Notice(title)),
      }),
    },
  },
  document: { visibilityState: 'hidden' },
  Notification: Notice,
}
const before = Object.keys(browser).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const)
beforeAll(() => {
  for (const [name, value] of Object.entries(browser))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
})
afterAll(() => {
  for (const [name, own] of before)
    if (own) Object.defineProperty(globalThis, name, own)
    else Reflect.deleteProperty(globalThis, name)
})

test('what the browser told of somebody’s conversations goes from the tray when their session ends', async () => {
  watchPush()
  session.begin('token', ana)
  // One that the page asked for, one that came while the app was closed.
  notify('Vera Pinho', 'Assunto reservado', 'vera', '/tickets/vera')
  await Bun.sleep(0)
  told.add(new Notice('Rui Costa'))
  expect([...tray].map(({ title }) => title)).toEqual(['Vera Pinho', 'Rui Costa'])
  await session.end('logout')
  expect([...tray]).toEqual([])
})
