import type { Page } from '@playwright/test'

const picture = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="720" height="480" viewBox="0 0 720 480"><rect width="720" height="480" fill="#d8c3a5"/><rect y="320" width="720" height="160" fill="#8d6b48"/><rect x="60" y="60" width="180" height="140" fill="#a9784a"/><rect x="270" y="60" width="180" height="140" fill="#b58556"/><rect x="480" y="60" width="180" height="140" fill="#a9784a"/><rect x="60" y="260" width="600" height="130" fill="#c09263"/><circle cx="360" cy="240" r="26" fill="#eee"/></svg>',
)

/** Puts a session into the browser and answers, in the server's place, what the screens ask of it. */
export async function signIn(page: Page, { admin }: { admin: boolean }): Promise<void> {
  const user = {
    id: 100,
    name: 'Ana Souza',
    email: 'ana@moveis.example',
    profile: admin ? 'admin' : 'user',
    super: false,
    companyId: 1,
    company: { id: 1, name: 'Móveis Jardim', dueDate: '2099-12-31' },
    queues: [
      { id: 1, name: 'Vendas', color: '#2f9e6e' },
      { id: 2, name: 'Financeiro', color: '#d97706' },
    ],
    whatsappId: null,
    allTicket: 'enabled',
  }
  await page.addInitScript(
    (stored) => localStorage.setItem('balcao.session', stored),
    JSON.stringify({ id: 's', token: 't', user }),
  )
  await page.route(
    (address) => address.pathname.startsWith('/public/'),
    (route) => {
      const path = new URL(route.request().url()).pathname
      if (path.endsWith('.png')) return route.fulfill({ body: picture, contentType: 'image/svg+xml' })
      return route.fulfill({ status: 404, json: { error: 'ERR_NO_FILE_FOUND' } })
    },
  )
  const api = async (path: string, answer: unknown, status = 200) =>
    page.route(
      (address) => address.pathname === path,
      (route) =>
        route.request().resourceType() === 'document' ? route.fallback() : route.fulfill({ status, json: answer }),
    )
  await api('/auth/me', { user })
  await api('/version', { version: '5.0.0' })
  await api('/tickets', { tickets: [], hasMore: false, count: 0 })
  await api('/contacts', {
    contacts: [{ id: 1, name: 'Mariana Figueiredo', number: '5511988880000' }],
    hasMore: false,
    count: 1,
  })
  await page.route(
    (address) => /^\/messages\/\d+$/.test(address.pathname),
    (route) => route.fulfill({ json: { messages: [], hasMore: false } }),
  )
}
