import { describe, expect, test } from 'bun:test'
import { userChange } from './users.change.ts'

const ana = {
  ...{ name: 'Ana', email: 'ana@padaria.example', profile: 'user' as const, roleId: 4 },
  ...{ allTicket: false, whatsappId: null, queueIds: [1, 2], capacity: null, skillIds: [] },
}

describe('what a form makes of a user', () => {
  test('who sends everything as it was changes nothing that needs a permission', () => {
    const same = userChange(ana, { ...ana, queueIds: [2, 1], password: null })
    expect(same).toMatchObject({ needs: [], queueIds: null, isPlacedAnew: false, isRenamed: false })
  })

  test('an older client that knows no roles leaves the role, unless it names another profile', () => {
    expect(userChange(ana, { profile: 'user' }).isPlacedAnew).toBe(false)
    expect(userChange(ana, { profile: 'admin' }).patch).toEqual({ profile: 'admin', roleId: null })
  })

  test('a role makes a user of whoever has it, and an admin who loses the profile is told apart', () => {
    const admin = { ...ana, profile: 'admin' as const, roleId: null }
    expect(userChange(admin, { roleId: 4, profile: 'admin' })).toMatchObject({
      patch: { profile: 'user', roleId: 4 },
      isNoAdminAnyMore: true,
      needs: ['user-modal:editProfile'],
    })
  })

  test('queues, connection and tickets without a queue need their permissions, a name and an e-mail none', () => {
    expect(userChange(ana, { queueIds: [1] })).toMatchObject({ needs: ['user-modal:editQueues'], queueIds: [1] })
    expect(userChange(ana, { whatsappId: 3 }).needs).toEqual(['user-modal:editProfile'])
    expect(userChange(ana, { allTicket: true }).needs).toEqual(['user-modal:editProfile'])
    expect(userChange(ana, { name: ' Ana Lima ', email: 'Nova@padaria.example' })).toMatchObject({
      ...{ needs: [], isRenamed: true, patch: { name: 'Ana Lima', email: 'nova@padaria.example' } },
    })
    expect(userChange(ana, { email: 'ANA@padaria.example' }).isRenamed).toBe(false)
  })
})
