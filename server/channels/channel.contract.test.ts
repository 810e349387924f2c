import { widOf } from '../../schema/ids.ts'
import { type Cloud, type CloudConnection, CloudWorld, until as officialUntil } from '../cloud/cloud.fixture.ts'
import type { FakePerson } from '../../tests/fakes/cloud-api/server.ts'
import { proto } from '../whatsapp/baileys.ts'
import { baileysChannel } from '../whatsapp/baileys.channel.ts'
import { phone, until, World } from '../whatsapp/sessions.fixture.ts'
import type { Account, Contact } from '../../tests/fakes/whatsapp/server.ts'
import { channelContract, type FakeWire, type Seen } from './channel.contract.ts'
import type { AnyChannel } from './channel.port.ts'
import { littleWire } from './little.fixture.ts'

/** What a phone makes of what it was sent: copies under one id are one message. */
function shownOn({ inbox }: Contact): Seen[] {
  const { REVOKE } = proto.Message.ProtocolMessage.Type
  const shown: Seen[] = []
  for (const { id, message } of inbox) {
    const { protocolMessage: told, reactionMessage: reaction } = message
    const about = shown.find(({ wid }) => wid === (told ?? reaction)?.key?.id)
    if (about && reaction) about.reaction = reaction.text ?? ''
    else if (about && told?.type === REVOKE) about.isGone = true
    else if (about && told) {
      const edited = told.editedMessage
      about.text = edited?.extendedTextMessage?.text ?? edited?.conversation ?? ''
    } else if (!told && !reaction && !shown.some(({ wid }) => wid === id)) {
      shown.push({ wid: id, text: message.extendedTextMessage?.text ?? '', isGone: false, reaction: '' })
    }
  }
  return shown
}

/** The simulated WhatsApp, and the database that the processes share. */
async function whatsappWire(): Promise<FakeWire> {
  const world = await World.open()
  const { fake } = world
  const accounts = new Map<number, Account>()
  const running: AnyChannel[] = []
  let heard = 0
  fake.opts.intercept = ({ tag }) => {
    if (tag === 'message') heard++
    return false
  }
  const deviceOf = (id: number) => [...accounts.get(id)!.companions.values()].at(-1)!
  const isUp = (channel: AnyChannel, id: number) => () => channel.openIds().includes(id)
  return {
    companyId: world.companyId,
    channel() {
      const channel = baileysChannel(world.deps())
      running.push(channel)
      return channel
    },
    connection: () => world.connection(),
    async link(channel, id) {
      const account = fake.account(phone())
      accounts.set(id, account)
      await channel.start(id)
      fake.scan(account, await world.qr(id))
      await until(isUp(channel, id), 'the link')
    },
    async whileDown(channel, id, work) {
      fake.refuseUpgrade = 503
      fake.disconnect(deviceOf(id), 'drop')
      await until(() => channel.health(id)!.state !== 'open', 'the link to be down')
      await work()
      fake.refuseUpgrade = undefined
      await until(isUp(channel, id), 'the link to be back')
    },
    async whileFull(channel, id, work) {
      const { reconnects } = channel.health(id)!
      await world.fullDisk(() =>
        work(
          async () => void (await until(() => channel.health(id)!.reconnects > reconnects, 'the link to be given up')),
        ),
      )
    },
    events: world.events,
    other() {
      const contact = world.contact()
      return {
        address: { kind: 'person', number: contact.pn, lid: contact.lid },
        seen: () => shownOn(contact),
        says: (id, text) => fake.text(contact, accounts.get(id)!, text),
        isConfirmed: (id, wid) => !deviceOf(id).unconfirmed.has(`message:${wid}`),
        refuse: () => void (contact.refuseWith = '463'),
      }
    },
    heard: () => heard,
    async close() {
      await Promise.all(running.map((channel) => channel.stop()))
      await world.close()
    },
  }
}

/** What somebody has of us over the official API; ours have the ids that we gave them. */
function shownOverApi({ inbox }: FakePerson): Seen[] {
  return inbox.map(({ payload, reaction }) => {
    const { text, biz_opaque_callback_data: callback } = payload as {
      text?: { body: string }
      biz_opaque_callback_data: string
    }
    return { wid: widOf(callback), text: text?.body ?? '', isGone: false, reaction }
  })
}

/** The simulated official API, and the database that the processes share. */
async function officialWire(): Promise<FakeWire> {
  const world = await CloudWorld.open()
  const { fake } = world
  const connections = new Map<number, CloudConnection>()
  const isUp = (channel: AnyChannel, id: number) => () => channel.openIds().includes(id)
  const tokenOf = (id: number) => fake.tokens.get(connections.get(id)!.token)!
  return {
    companyId: world.companyId,
    channel: () => world.server().channel,
    async connection() {
      const made = await world.connection()
      connections.set(made.id, made)
      return made.id
    },
    async link(channel, id) {
      await world.link({ channel: channel as Cloud['channel'] }, connections.get(id)!)
    },
    async whileDown(channel, id, work) {
      tokenOf(id).isValid = false
      await officialUntil(() => channel.health(id)!.state !== 'open', 'the link to be down')
      await work()
      tokenOf(id).isValid = true
      await officialUntil(isUp(channel, id), 'the link to be back')
    },
    async whileFull(_channel, _id, work) {
      await world.fullDisk(() =>
        work(async () => {
          const before = fake.refusedHooks
          await officialUntil(() => fake.refusedHooks > before, 'the service to hear that it cannot be kept')
        }),
      )
    },
    events: world.events,
    other() {
      const person = fake.person()
      return {
        address: { kind: 'person', number: person.number, lid: null },
        seen: () => shownOverApi(person),
        says: (id, text) => fake.text(person, connections.get(id)!.number, text),
        isConfirmed: (_id, wid) => fake.confirmed.has(wid),
        refuse: () => void (person.refuseWith = 131026),
      }
    },
    heard: () => fake.asked.length,
    close: () => world.close(),
  }
}

channelContract('the wire of linked devices', whatsappWire)
channelContract('the official API', officialWire)
channelContract('a wire that can little', async () => littleWire())
