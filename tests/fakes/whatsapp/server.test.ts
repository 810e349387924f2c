/**
 * What the library does when it speaks to the simulated service: the facts on which `server/whatsapp` is built. One
 * that no longer holds after an upgrade fails here first, with its name.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { BufferJSON, DEFAULT_CONNECTION_CONFIG, type BinaryNode, proto } from '@whiskeysockets/baileys'
import { trustLoopback } from '../../../server/whatsapp/baileys.ts'
import { until } from '../../../server/whatsapp/sessions.fixture.ts'
import { Driver } from './driver.ts'
import { type Account, type Companion, type Contact, FakeWhatsapp, type WorldState } from './server.ts'

let fake: FakeWhatsapp
let seq = 0
const number = () => `5521${900_000_000 + ++seq}`
let intercept: ((node: BinaryNode) => boolean) | null = null
const trust = (service: FakeWhatsapp) => trustLoopback(service.wsUrl, Buffer.from(service.noise.root.public))
beforeAll(() => {
  fake = new FakeWhatsapp({ intercept: (node) => intercept?.(node) ?? false })
  trust(fake)
})
afterAll(() => fake.stop())

interface Pair {
  account: Account
  ana: Contact
  driver: Driver
  device: Companion
}
async function pair(config: Driver['config'] = {}): Promise<Pair> {
  const account = fake.account(number())
  const ana = fake.contact(number(), 'Ana')
  const driver = new Driver(fake, config)
  return { account, ana, driver, device: await driver.pair(account) }
}
const jid = (who: Contact) => `${who.pn}@s.whatsapp.net`
const arrived = (who: Contact, id: string) =>
  until(() => who.inbox.find((received) => received.id === id), 'it to arrive')
const copies = (driver: Driver, id: string) =>
  driver.heard.flatMap((h) => (h.event === 'messages.upsert' ? h.data.messages.filter((m) => m.key.id === id) : []))

describe('linking and ending', () => {
  test('a device gets both names of its account and leaves 812 pre-keys', async () => {
    const { account, driver, device } = await pair()
    expect(driver.closes).toEqual([515])
    expect(driver.creds.me).toMatchObject({ id: `${account.pn}:1@s.whatsapp.net`, lid: `${account.lid}:1@lid` })
    expect(device.preKeys.length).toBeGreaterThan(800)
    await driver.stop()
  })

  test('QRs rotate and run out with 408', async () => {
    const driver = new Driver(fake, { qrTimeout: 40 })
    const seen = new Set<string>()
    driver.start((qr) => seen.add(qr))
    expect(await driver.closed()).toBe(408)
    expect(seen.size).toBe(6)
  })

  test('each ending has its code', async () => {
    for (const [how, code] of [
      ['replaced', 440],
      ['removed', 401],
      ['drop', 428],
      ['streamend', 428],
      ['unavailable', 503],
    ] as const) {
      const { driver, device } = await pair()
      fake.disconnect(device, how)
      expect(await driver.closed()).toBe(code)
    }
  }, 20_000)

  test('a refused login has its code', async () => {
    for (const code of ['405', '402', '403']) {
      fake.failLogin = code
      const driver = new Driver(fake).start()
      expect(await driver.closed()).toBe(Number(code))
      fake.failLogin = undefined
    }
  })

  test('a refused upgrade is silent until the connection times out', async () => {
    fake.refuseUpgrade = 503
    const driver = new Driver(fake, { connectTimeoutMs: 400 }).start()
    expect(await driver.closed()).toBe(408)
    fake.refuseUpgrade = undefined
  })
})

describe('messages', () => {
  test('a second device of the owner hears what the first one hears', async () => {
    const { account, ana, driver } = await pair()
    const second = new Driver(fake)
    await second.pair(account)
    const id = await fake.text(ana, account, 'para os dois')
    expect((await driver.message(id)).message?.conversation).toBe('para os dois')
    expect((await second.message(id)).message?.conversation).toBe('para os dois')
    await Promise.all([driver.stop(), second.stop()])
  }, 10_000)

  test('what cannot be decrypted is asked for again and arrives', async () => {
    const { account, ana, driver } = await pair()
    await driver.message(await fake.text(ana, account, 'um'))
    await driver.send(`${ana.lid}@lid`, { text: 'ouvi' })
    for (const key of driver.memory.keys()) if (key.startsWith(`session|${ana.lid}`)) driver.memory.delete(key)
    const id = await fake.text(ana, account, 'dois')
    expect((await driver.message(id, 10_000)).message?.conversation).toBe('dois')
    await driver.stop()
  }, 15_000)

  test('a contact who lost the session gets the message after all', async () => {
    const { account, ana, driver, device } = await pair()
    await arrived(ana, (await driver.send(jid(ana), { text: 'a' })).key.id!)
    await driver.message(await fake.text(ana, account, 'b'))
    await arrived(ana, (await driver.send(jid(ana), { text: 'c' })).key.id!)
    await ana.peer.forget(device.lidJid)
    const { key } = await driver.send(jid(ana), { text: 'd' })
    expect((await arrived(ana, key.id!)).message.extendedTextMessage?.text).toBe('d')
    await driver.stop()
  }, 15_000)

  test('what was missed comes once, as append', async () => {
    const { account, ana, driver } = await pair()
    await driver.message(await fake.text(ana, account, 'antes'))
    await driver.stop()
    const id = await fake.text(ana, account, 'na ausência')
    driver.heard.length = 0
    driver.start()
    await driver.message(id)
    const kinds = driver.heard.flatMap((h) =>
      h.event === 'messages.upsert' && h.data.messages.some((m) => m.key.id === id) ? [h.data.type] : [],
    )
    expect(kinds).toEqual(['append'])
    await driver.stop()
  })

  test('a group works both ways, with a receipt from each member', async () => {
    const { account, ana, driver } = await pair()
    const bia = fake.contact(number(), 'Bia')
    const group = fake.group('Equipe', ana, [account, bia])
    const heard = await driver.message(await fake.text(ana, account, 'oi, equipe', { group }))
    expect(heard.key).toMatchObject({ remoteJid: group.jid, participant: `${ana.lid}@lid` })
    const { key } = await driver.send(group.jid, { text: 'olá' })
    await Promise.all([arrived(ana, key.id!), arrived(bia, key.id!)])
    await driver.on('message-receipt.update', (updates) => updates.find((u) => u.key.id === key.id))
    await driver.stop()
  }, 15_000)

  test('a hundred texts in a burst stay in order', async () => {
    const { ana, driver } = await pair()
    const ids: string[] = []
    for (let i = 0; i < 100; i++) ids.push((await driver.send(jid(ana), { text: `n${i}` })).key.id!)
    await arrived(ana, ids.at(-1)!)
    expect(ana.inbox.map((r) => r.id)).toEqual(ids)
    await driver.stop()
  }, 30_000)
})

describe('what the library does not promise, and we provide', () => {
  test('the server’s ack reaches no event, only the raw stanza', async () => {
    const { ana, driver } = await pair()
    ana.behaviour.deliver = false
    const { key } = await driver.send(jid(ana), { text: 'oi' })
    await driver.on('ack', (attrs) => attrs.id === key.id)
    expect(driver.heard.some((h) => h.event === 'messages.update' && h.data.some((u) => u.key.id === key.id))).toBe(
      false,
    )
    await driver.stop()
  })

  test('sending resolves on a dead link, and no ack follows', async () => {
    const { ana, driver, device } = await pair()
    await arrived(ana, (await driver.send(jid(ana), { text: 'antes' })).key.id!)
    fake.disconnect(device, 'freeze')
    const { key, status } = await driver.send(jid(ana), { text: 'para o vazio' })
    expect(status).toBe(proto.WebMessageInfo.Status.PENDING)
    await expect(driver.on('ack', (attrs) => attrs.id === key.id, 300)).rejects.toThrow('no ack')
    await driver.stop()
  })

  test('a send that rejects may have been delivered', async () => {
    const { ana, driver } = await pair({ transactionOpts: { maxCommitRetries: 1, delayBetweenTriesMs: 1 } })
    await arrived(ana, (await driver.send(jid(ana), { text: 'antes' })).key.id!)
    driver.broken = true
    await expect(driver.send(jid(ana), { text: 'fantasma' })).rejects.toThrow('no database')
    driver.broken = false
    await until(() => ana.inbox.some((r) => r.message.extendedTextMessage?.text === 'fantasma'), 'the ghost')
    await driver.stop()
  })

  test('a redelivered copy cannot be decrypted and makes no event with words', async () => {
    const { account, ana, driver } = await pair()
    await driver.message(await fake.text(ana, account, 'primeira'))
    intercept = (node) => node.tag === 'receipt' || node.tag === 'ack'
    const id = await fake.text(ana, account, 'preciosa')
    await driver.message(id)
    await driver.stop()
    intercept = null
    driver.heard.length = 0
    driver.start()
    await driver.on('connection.update', ({ receivedPendingNotifications }) => receivedPendingNotifications)
    const device = [...account.companions.values()][0]!
    await until(() => !device.unconfirmed.has(`message:${id}`), 'the copy to be answered')
    expect(copies(driver, id).filter((m) => m.message)).toEqual([])
    await driver.stop()
  }, 15_000)

  test('decryption can be wrapped, and the wrap runs before the receipt leaves', async () => {
    const order: string[] = []
    const { account, ana, driver } = await pair({
      makeSignalRepository: (...args) => {
        const repository = DEFAULT_CONNECTION_CONFIG.makeSignalRepository(...args)
        const { decryptMessage } = repository
        repository.decryptMessage = async (opts) => {
          const plain = await decryptMessage.call(repository, opts)
          order.push('plaintext')
          return plain
        }
        return repository
      },
    })
    order.length = 0
    fake.once('receipt', () => order.push('receipt'))
    await driver.message(await fake.text(ana, account, 'x'))
    await until(() => order.length === 2, 'the receipt')
    expect(order).toEqual(['plaintext', 'receipt'])
    await driver.stop()
  })
})

test('a service with another root is refused with 400', async () => {
  const stranger = new FakeWhatsapp()
  const driver = new Driver(stranger).start()
  expect(await driver.closed()).toBe(400)
  await stranger.stop()
})

test('a world that is put away and taken out again goes on where it was', async () => {
  const { account, ana, driver } = await pair()
  await driver.message(await fake.text(ana, account, 'antes'))
  await arrived(ana, (await driver.send(jid(ana), { text: 'ouvi' })).key.id!)
  await driver.stop()
  const missed = await fake.text(ana, account, 'na ausência')
  const second = new FakeWhatsapp({
    world: JSON.parse(JSON.stringify(fake.snapshot(), BufferJSON.replacer), BufferJSON.reviver) as WorldState,
  })
  trust(second)
  const later = new Driver(second)
  later.creds = driver.creds
  for (const [key, value] of driver.memory) later.memory.set(key, value)
  later.start()
  expect((await later.message(missed)).message?.conversation).toBe('na ausência')
  const again = second.contacts.get(ana.pn)!
  const { key } = await later.send(jid(ana), { text: 'voltei' })
  expect((await arrived(again, key.id!)).message.extendedTextMessage?.text).toBe('voltei')
  await later.stop()
  await second.stop()
  trust(fake)
}, 15_000)
