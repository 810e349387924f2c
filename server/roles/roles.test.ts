import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Permission } from '../../schema/permissions.ts'
import type { TicketScopeName } from '../../schema/roles/roles.table.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
  await t.eg.company()
})
afterAll(() => t.close())

let count = 0
async function office() {
  const company = await t.eg.company()
  const admin = await t.eg.user(company.id, { profile: 'admin', name: 'Ana Admin' })
  const token = await t.login(admin.email)
  const make = async (permissions: Permission[], ticketScope: TicketScopeName = 'queues', as = token) =>
    t.call('POST', '/roles', { token: as, body: { name: `Papel ${++count}`, permissions, ticketScope } })
  /** Somebody with a role of their own. */
  const person = async (permissions: Permission[], ticketScope: TicketScopeName = 'queues', values: object = {}) => {
    const roleId = (await make(permissions, ticketScope)).body.id as number
    const user = await t.eg.user(company.id, { ...values, roleId })
    return { ...user, roleId, token: await t.login(user.email) }
  }
  return { company, admin, token, make, person }
}

describe('what is told live', () => {
  test('reaches whoever may see it by a role, and nobody who may only do something else', async () => {
    const { company, person } = await office()
    const heard = async (permissions: Permission[]) => {
      const { token } = await person(permissions)
      const names: string[] = []
      const last = Promise.withResolvers<void>()
      const send = (text: string) => {
        const { event, data } = JSON.parse(text)
        if (data?.action === 'tried') names.push(event.split('-').at(-1))
        if (data?.action === 'last') last.resolve()
      }
      const connection = t.deps.hub.join({ send, close: () => undefined }, await t.deps.auth.byToken(token))
      return { names, connection, last: last.promise }
    }
    const payer = await heard(['invoices:pay'])
    const builder = await heard(['api-keys:write', 'webhooks:write', 'roles:write'])
    const operates = await heard(['connections-page:actionButtons'])
    const names = ['payment', 'apiKey', 'webhook', 'role'] as const
    for (const name of names) t.events.emit({ companyId: company.id, name, action: 'tried', payload: {} })
    t.events.emit({ companyId: company.id, name: 'tag', action: 'last', payload: {} })
    await Promise.all([payer.last, builder.last, operates.last])
    expect([payer.names, builder.names, operates.names]).toEqual([['payment'], ['apiKey', 'webhook', 'role'], []])
    for (const { connection } of [payer, builder, operates]) connection.leave()
  })
})

describe('a role', () => {
  test('is made, told with who has it, changed and deleted', async () => {
    const { token, make, company } = await office()
    const { status, body } = await make(['dashboard:view', 'audit:read'])
    expect(status).toBe(200)
    const user = await t.eg.user(company.id, { name: 'Beto', roleId: body.id })
    const { roles } = (await t.call('GET', '/roles', { token })).body
    expect(roles).toMatchObject([
      {
        id: body.id,
        permissions: ['dashboard:view', 'audit:read'],
        ticketScope: 'queues',
        users: 1,
        people: [{ id: user.id, name: 'Beto' }],
      },
    ])
    expect((await t.call('POST', '/roles', { token, body: { name: body.name.toUpperCase() } })).body.error).toBe(
      'ERR_ROLE_NAME_ALREADY_EXISTS',
    )
    expect(
      (await t.call('POST', '/roles', { token, body: { name: 'Vê tudo', permissions: ['tickets-manager:showall'] } }))
        .body.error,
    ).toBe('ERR_VALIDATION')
    expect((await t.call('DELETE', `/roles/${body.id}`, { token })).body).toEqual({
      error: 'ERR_ROLE_IN_USE',
      users: 1,
    })
    await t.call('PUT', `/users/${user.id}`, { token, body: { roleId: null } })
    expect((await t.call('DELETE', `/roles/${body.id}`, { token })).status).toBe(200)
    expect((await t.call('GET', '/roles', { token })).body.roles).toEqual([])
  })

  test('is the company’s: no other sees, gives, changes or deletes it', async () => {
    const { make } = await office()
    const other = await office()
    const theirs = (await make(['audit:read'])).body.id
    const { token } = other
    expect((await t.call('GET', '/roles', { token })).body.roles).toEqual([])
    expect((await t.call('PUT', `/roles/${theirs}`, { token, body: { name: 'Meu' } })).body.error).toBe(
      'ERR_NO_ROLE_FOUND',
    )
    expect((await t.call('DELETE', `/roles/${theirs}`, { token })).body.error).toBe('ERR_NO_ROLE_FOUND')
    const user = await t.eg.user(other.company.id)
    expect((await t.call('PUT', `/users/${user.id}`, { token, body: { roleId: theirs } })).body.error).toBe(
      'ERR_NO_ROLE_FOUND',
    )
  })

  test('takes the place of the profile, and older clients that know no roles leave it as it is', async () => {
    const { token, company, make } = await office()
    const role = (await make(['audit:read'])).body.id
    const made = await t.call('POST', '/users', {
      token,
      body: {
        name: 'Caio',
        email: `${crypto.randomUUID()}@example.test`,
        password: 'segredo2',
        profile: 'admin',
        roleId: role,
      },
    })
    expect(made.body).toMatchObject({ profile: 'user', roleId: role })
    const put = async (body: object) => (await t.call('PUT', `/users/${made.body.id}`, { token, body })).body
    expect(await put({ name: 'Caio', profile: 'user', allTicket: 'desabled' })).toMatchObject({
      profile: 'user',
      roleId: role,
    })
    expect(await put({ profile: 'supervisor' })).toMatchObject({ profile: 'supervisor', roleId: null })
    expect(company.id).toBe(made.body.companyId)
  })

  test('changed, holds at once: on the next call, and on open sockets within a second', async () => {
    const { token, company, person } = await office()
    const queue = await t.eg.queue(company.id)
    const who = await person(['audit:read'], 'queues', { queueIds: [queue.id] })
    const frames: string[] = []
    const socket = t.deps.hub.join(
      { send: (text) => void frames.push(text), close: () => undefined },
      await t.deps.auth.byToken(who.token),
    )
    await socket.receive({ event: 'joinNotification' })
    const hears = async () => {
      frames.length = 0
      const contact = await t.eg.contact(company.id)
      const ticket = await t.eg.ticket(company.id, { contactId: contact.id, whatsappId: null, queueId: queue.id })
      t.events.emit({ companyId: company.id, name: 'ticket', action: 'update', id: ticket.id })
      // What comes after it has come after it.
      t.events.emit({ companyId: company.id, name: 'tag', action: 'update', payload: {} })
      while (!frames.some((text) => text.includes('-tag'))) await Bun.sleep(5)
      return frames.some((text) => text.includes('-ticket'))
    }
    expect((await t.call('GET', '/audit', { token: who.token })).status).toBe(200)
    expect(await hears()).toBe(true)
    const before = Date.now()
    await t.call('PUT', `/roles/${who.roleId}`, { token, body: { permissions: [], ticketScope: 'own' } })
    expect((await t.call('GET', '/audit', { token: who.token })).status).toBe(403)
    // Their own browser is told to ask who it is now.
    while (!frames.some((text) => text.includes('-user'))) await Bun.sleep(5)
    expect(await hears()).toBe(false)
    expect(Date.now() - before).toBeLessThan(1_000)
    expect((await t.call('GET', '/auth/me', { token: who.token })).body.role).toMatchObject({
      permissions: [],
      ticketScope: 'own',
    })
    socket.leave()
  })
})

describe('nobody gives what they do not have', () => {
  test('neither in a role, nor in a person', async () => {
    const { person, make, company } = await office()
    const who = await person(['roles:write', 'users:write', 'user-modal:editProfile', 'audit:read'])
    const above = (await make(['settings:write'])).body.id
    const below = (await make(['audit:read'])).body.id
    const grant = { error: 'ERR_ROLE_GRANT' }
    expect((await make(['settings:write'], 'own', who.token)).body).toEqual(grant)
    expect((await make([], 'all', who.token)).body).toEqual(grant)
    expect((await make(['audit:read'], 'queues', who.token)).status).toBe(200)
    const put = async (path: string, body: object) => (await t.call('PUT', path, { token: who.token, body })).body
    expect(await put(`/roles/${below}`, { permissions: ['settings:write'] })).toEqual(grant)
    expect(await put(`/roles/${above}`, { name: 'Outro nome' })).toEqual(grant)
    expect((await t.call('DELETE', `/roles/${above}`, { token: who.token })).body).toEqual(grant)
    expect(await put(`/users/${who.id}`, { roleId: above })).toEqual(grant)
    expect(await put(`/users/${who.id}`, { profile: 'admin' })).toEqual(grant)
    const agent = await t.eg.user(company.id)
    expect(await put(`/users/${agent.id}`, { profile: 'supervisor' })).toEqual(grant)
    expect(await put(`/users/${agent.id}`, { roleId: below })).toMatchObject({ roleId: below })
    const body = { name: 'Novo', email: `${crypto.randomUUID()}@example.test`, password: 'segredo2', profile: 'admin' }
    expect((await t.call('POST', '/users', { token: who.token, body })).body).toEqual(grant)
  })

  test('nor takes it by changing who has it: another’s password, e-mail, second factor or place', async () => {
    const { person, admin } = await office()
    const who = await person(['users:write', 'user-modal:editProfile'])
    const grant = { error: 'ERR_ROLE_GRANT' }
    for (const body of [{ password: 'minha12' }, { email: 'meu@example.test' }, { name: 'Outro' }, { profile: 'user' }])
      expect((await t.call('PUT', `/users/${admin.id}`, { token: who.token, body })).body).toEqual(grant)
    for (const path of [`/users/${admin.id}`, `/users/${admin.id}/2fa`])
      expect((await t.call('DELETE', path, { token: who.token })).body).toEqual(grant)
  })

  test('and the last admin gives up nothing for a role', async () => {
    const { token, admin, make, company } = await office()
    const role = (await make(['audit:read'])).body.id
    const become = () => t.call('PUT', `/users/${admin.id}`, { token, body: { roleId: role } })
    expect((await become()).body.error).toBe('ERR_LAST_ADMIN')
    await t.eg.user(company.id, { profile: 'admin' })
    expect((await become()).body).toMatchObject({ profile: 'user', roleId: role })
  })
})

test('who may pay comes in to pay when the company’s time is over, also by a role', async () => {
  const { person, company } = await office()
  const pays = await person(['invoices:pay'])
  const other = await person(['audit:read'])
  await t.database.sql`UPDATE companies SET "dueDate" = '2020-01-01' WHERE id = ${company.id}`
  t.clock.advance(6_000)
  const enter = async (email: string) =>
    (await t.call('POST', '/auth/login', { body: { email, password: 'segredo1' } })).status
  expect(await enter(pays.email)).toBe(200)
  expect(await enter(other.email)).toBe(402)
})

test('changes of roles, and of who has them, are in the audit log', async () => {
  const { token, make, company } = await office()
  const role = (await make(['audit:read'])).body.id
  const user = await t.eg.user(company.id)
  await t.call('PUT', `/users/${user.id}`, { token, body: { roleId: role } })
  await t.call('PUT', `/roles/${role}`, { token, body: { ticketScope: 'own' } })
  const { records } = (await t.call('GET', '/audit?limit=2', { token })).body
  expect(records).toMatchObject([
    { entity: 'role', action: 'update', before: { ticketScope: 'queues' }, after: { ticketScope: 'own' } },
    { entity: 'user', action: 'update', before: { roleId: null }, after: { roleId: role } },
  ])
})
