import { describe, expect, test } from 'bun:test'
import { catalog } from '../schema/catalog.ts'
import { shapeNames } from '../sync/shapes.ts'
import type { Reply, TestApp } from './support/app.ts'
import { attempts, commandInputs, type World } from './support/attempts.ts'
import { betweenCompanies, tokenAt } from './support/between-companies.ts'
import { rowsOf } from './support/rows.ts'
import { MARK } from './support/two-companies.ts'

/**
 * A company never learns of another's rows and never touches them: every route, every command, every file and every
 * room is tried by the admin of another company who knows all the ids. A new route or command fails here until
 * somebody has written down how a stranger would call it.
 */
let t: TestApp
let world: World
betweenCompanies((app, both) => {
  t = app
  world = both
})

const routes = () =>
  [...new Set(t.app.routes.map(({ method, path }) => `${method} ${path}`))].filter(
    (route) => !route.startsWith('OPTIONS'),
  )

describe('a stranger who knows every id', () => {
  test('is thought of at every route and every command', () => {
    expect(routes().sort()).toEqual(Object.keys(attempts(world)).sort())
    expect(Object.keys(commandInputs(world)).sort()).toEqual(Object.keys(catalog).sort())
  })

  test('is told that nothing is there, and changes nothing', async () => {
    const before = await world.snapshot()
    const asked = t.asked.length
    const { token } = world.stranger
    for (const [route, tries] of Object.entries(attempts(world))) {
      const method = route.split(' ')[0]!
      for (const { path, body, form, answer } of tries) {
        const by = tokenAt(world, path, token)
        const reply: Reply = await t.call(method, path, { token: by, body, ...(form && { form }) })
        const told = `${route} ${JSON.stringify(body ?? path)} → ${reply.status} ${JSON.stringify(reply.body).slice(0, 300)}`
        if (answer === 404) expect([told, reply.status]).toEqual([told, 404])
        expect([told, reply.status < 500]).toEqual([told, true])
        // A search repeats what was searched for nowhere in its answer.
        expect([told, JSON.stringify(reply.body).includes(MARK)]).toEqual([told, false])
      }
    }
    expect(await world.snapshot()).toBe(before)
    const touched = t.asked
      .slice(asked)
      .filter(([, id]) => id === world.owned.whatsapp.id || id === world.owned.company.id)
    expect(touched).toEqual([])
    // Every route, one call after the other: it grows with them.
  }, 180_000)

  test('without a token gets nothing but what is public', async () => {
    const open =
      /^(GET \/(auth\/oidc\/(callback)?|health(\/live|\/ready)?|version|branding.*|manifest\.webmanifest|docs.*|plans\/(list|register)|forgetpassword|settings\/(trial|allowregister|viewregister))|POST \/(auth\/oidc\/begin|auth\/(login|refresh_token|2fa\/verify|passkey\/(begin|enter))|companies\/cadastro|forgetpassword.*|resetpasswords.*)|(GET|POST) \/cloud-api\/:hook|DELETE \/auth\/logout)$/
    for (const [route, tries] of Object.entries(attempts(world))) {
      if (open.test(route)) continue
      for (const { path, body } of tries) {
        const reply = await t.call(route.split(' ')[0]!, path, { body })
        expect([route, path, reply.status]).toEqual([route, path, 401])
      }
    }
  })
})

describe('a colleague without the queue', () => {
  test('finds neither ticket, message, note nor file of it', async () => {
    const { owned } = world
    const agent = await t.eg.user(owned.company.id)
    const token = await t.login(agent.email)
    const { ticket, message, own, noteId, file } = owned
    for (const [method, path, body] of [
      ['GET', `/tickets/${ticket.id}`],
      ['GET', `/tickets/u/${ticket.uuid}`],
      ['PUT', `/tickets/${ticket.id}`, { status: 'closed' }],
      ['GET', `/messages/${ticket.id}`],
      ['GET', `/messages/text/${message.id}`],
      ['POST', `/messages/${ticket.id}`, { body: 'oi' }],
      ['POST', `/messages/edit/${own.id}`, { body: 'oi' }],
      ['PUT', `/messages/${message.id}`],
      ['DELETE', `/messages/${own.id}`],
      ['POST', '/tags/sync', { ticketId: ticket.id, tags: [] }],
      ['POST', '/ticket-notes', { ticketId: ticket.id, note: 'oi oi' }],
      ['DELETE', `/ticket-notes/${noteId}`],
      ['GET', `/public/${file.path}`],
    ] as const) {
      expect([method, path, (await t.call(method, path, { token, body })).status]).toEqual([method, path, 404])
    }
    for (const path of [
      '/tickets?showAll=true',
      `/tickets?showAll=true&searchParam=${MARK}`,
      `/ticket-notes/list?ticketId=${ticket.id}`,
      '/tickets?status=closed&showAll=true',
    ]) {
      expect(JSON.stringify((await t.call('GET', path, { token })).body)).not.toContain(MARK)
    }
  })
})

describe('the shapes', () => {
  const ask = (token: string | undefined, path: string) => rowsOf(t)(token, path)
  /** What somebody would add to the address to get more than is theirs. */
  const tricks = () => {
    const wish = new URLSearchParams({
      offset: '-1',
      table: 'users',
      where: 'true',
      columns: '"passwordHash"',
      replica: 'full',
      companyId: String(world.owned.company.id),
    })
    for (let i = 1; i < 8; i++) wish.append(`params[${i}]`, String(world.owned.company.id))
    wish.set('subset__where', 'true')
    return ['offset=-1', wish.toString()]
  }

  test('give a stranger rows of their own company only, whatever the address says', async () => {
    const token = await t.login(world.stranger.user.email)
    for (const name of shapeNames) {
      for (const query of tricks()) {
        const { status, text } = await ask(token, `/sync/shape/${name}?${query}`)
        expect([name, status]).toEqual([name, 200])
        expect([name, text.includes(MARK)]).toEqual([name, false])
        expect(text).not.toMatch(/argon2|passwordHash|"token"/)
        expect([name, (await ask(undefined, `/sync/shape/${name}?${query}`)).status]).toEqual([name, 401])
      }
    }
    expect((await ask(token, '/sync/shape/commandLog?offset=-1')).status).toBe(404)
  })

  test('give a colleague without the queue nothing of a ticket or of a chat, and its admin, who is in it, everything', async () => {
    const { owned } = world
    const agent = await t.eg.user(owned.company.id)
    const token = await t.login(agent.email)
    const admin = await t.login(owned.user.email)
    for (const name of ['tickets', 'messages', 'ticketNotes', 'ticketEvents', 'chats', 'chatMessages'] as const) {
      expect([name, (await ask(token, `/sync/shape/${name}?offset=-1`)).text]).toEqual([name, '[]'])
    }
    for (const name of ['tickets', 'messages', 'ticketNotes', 'chats', 'chatMessages'] as const)
      expect((await ask(admin, `/sync/shape/${name}?offset=-1`)).text).toContain(MARK)
  })
})
