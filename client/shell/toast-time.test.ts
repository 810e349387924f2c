import { expect, test } from 'bun:test'
import { toastMsAt } from './toast-time.ts'

test('a toast stays 3 s on the screens of bulk and automation, and 2 s on all others', () => {
  const long = ['/contact-lists', '/contact-lists/7/contacts', '/campaigns', '/campaign/3/report', '/campaigns-config']
  const automation = [
    '/flowbuilders',
    '/flowbuilder/12',
    '/flowdefault',
    '/phrase-lists',
    '/queue-integration',
    '/prompts',
  ]
  const others = [
    '/quick-messages',
    '/todolist',
    '/schedules',
    '/kanban',
    '/announcements',
    '/chats',
    '/chats/0198',
    '/files',
  ]
  for (const path of [...long, ...automation, ...others, '/helps', '/messages-api', '/subscription', '/forgetpsw'])
    expect([path, toastMsAt(path)]).toEqual([path, 3_000])
  for (const path of ['/', '/login', '/tickets', '/tickets/0198', '/contacts', '/settings', '/users', '/connections/1'])
    expect([path, toastMsAt(path)]).toEqual([path, 2_000])
})
