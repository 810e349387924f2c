/** What every wire keeps, as sentences: the suite of an adapter, run against a service that is a fake. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { newId, widOf } from '../../schema/ids.ts'
import { DomainError } from '../../schema/errors.ts'
import type { ChatAddress, OutgoingMessage } from '../../schema/messages/messages.content.ts'
import type { InboundEvent } from '../../schema/messages/messages.inbound.ts'
import { capabilities, type Capability } from '../../schema/whatsapps/whatsapps.providers.ts'
import { NotNow } from '../jobs/worker.ts'
import { type AnyChannel, type Channels, type LineTarget, methodsOf } from './channel.port.ts'
import { forJobs } from './channels.jobs.ts'
import { createChannels } from './channels.ts'

/** A message of ours as the contact has it by now. */
export interface Seen {
  wid: string
  text: string
  isGone: boolean
  reaction: string
}

/** Somebody at the other end of a fake service. */
export interface Other {
  address: ChatAddress
  /** What they have of us, in its order. */
  seen(): Seen[]
  /** Writes to a connection. @returns the `wid` under which it will arrive */
  says(whatsappId: number, text: string): Promise<string>
  /** Whether the service has our word that this arrived. */
  isConfirmed(whatsappId: number, wid: string): boolean
  /** From now on the service refuses for good what is written to them. */
  refuse(): void
}

/** A service that is a fake, and what the product keeps of it. */
export interface FakeWire {
  companyId: number
  /** What one process speaks with; several share what is durable. */
  channel(): AnyChannel
  /** A connection that nobody has started. */
  connection(): Promise<number>
  /** Starts it, and does at the other end what belongs to that, until the link is up. */
  link(channel: AnyChannel, whatsappId: number): Promise<void>
  /** The link breaks, and comes back by itself when the work is done. */
  whileDown(channel: AnyChannel, whatsappId: number, work: () => Promise<void>): Promise<void>
  /** Nothing can be kept while the work goes on. @param work is given what waits until something could not be kept */
  whileFull(
    channel: AnyChannel,
    whatsappId: number,
    work: (refused: () => Promise<void>) => Promise<void>,
  ): Promise<void>
  /** What the product was given. */
  events: InboundEvent[]
  other(): Other
  /** How many words of ours the service has heard, of whatever kind. */
  heard(): number
  close(): Promise<void>
}

async function until(probe: () => boolean, what: string, ms = 15_000): Promise<void> {
  for (const deadline = Date.now() + ms; !probe(); await Bun.sleep(10))
    if (Date.now() > deadline) throw new Error(`waited ${ms} ms for ${what}`)
}

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'no error',
    (error: unknown) => (error instanceof DomainError ? error.code : String(error)),
  )

/** @param open what the suite runs on */
export function channelContract(name: string, open: () => Promise<FakeWire>): void {
  describe(`${name} keeps what every wire keeps:`, () => {
    let wire: FakeWire
    let channel: AnyChannel
    /** The same wire, as features know it. */
    let channels: Channels
    let id: number
    const asFeaturesKnow = (own: AnyChannel) =>
      createChannels({
        wires: [own],
        providerOf: async () => own.providers[0],
        wantedBesides: async () => [],
        onSession: async () => undefined,
      })
    beforeAll(async () => {
      wire = await open()
      channel = wire.channel()
      channels = asFeaturesKnow(channel)
      id = await wire.connection()
      await wire.link(channel, id)
    }, 60_000)
    afterAll(() => wire.close())

    const message = (to: ChatAddress, text: string, whatsappId = id): OutgoingMessage => {
      const messageId = newId()
      return {
        ...{ messageId, companyId: wire.companyId, whatsappId, wid: widOf(messageId), to, quoted: null },
        content: { type: 'text', text },
      }
    }
    const seen = (who: Other, wid: string) => who.seen().find((one) => one.wid === wid)
    const arrived = (who: Other, wid: string) => until(() => seen(who, wid) !== undefined, 'the message to arrive')
    const receivedOf = (wid: string, kind: InboundEvent['kind']) =>
      wire.events.filter((event) => event.kind === kind && 'wid' in event && event.wid === wid)

    test('a text goes out, and one comes in', async () => {
      const ana = wire.other()
      const hello = message(ana.address, 'Bom dia')
      await channels.send(hello)
      await arrived(ana, hello.wid)
      expect(ana.seen()).toMatchObject([{ wid: hello.wid, text: 'Bom dia' }])
      const wid = await ana.says(id, 'Tem pão?')
      await until(() => receivedOf(wid, 'message').length > 0, 'the answer')
      expect(receivedOf(wid, 'message')).toMatchObject([
        { whatsappId: id, companyId: wire.companyId, fromMe: false, content: { type: 'text', text: 'Tem pão?' } },
      ])
    })

    test('a message is sent once, though it is asked for twice with the same id, at once and later', async () => {
      const ana = wire.other()
      const once = message(ana.address, 'uma vez')
      await Promise.all([channels.send(once), channels.send(once)])
      await channels.send(once)
      const last = message(ana.address, 'por fim')
      await channels.send(last)
      await arrived(ana, last.wid)
      expect(ana.seen().map(({ text }) => text)).toEqual(['uma vez', 'por fim'])
    })

    test('what cannot be sent now waits: it is refused as "not now", and leaves once when the link is back', async () => {
      const ana = wire.other()
      const early = message(ana.address, 'cedo demais', await wire.connection())
      expect(await codeOf(channels.send(early))).toBe('ERR_WAPP_NOT_INITIALIZED')
      const late = message(ana.address, 'mais tarde')
      const jobs = forJobs(channels, { clear: async () => undefined, went: () => undefined })
      await wire.whileDown(channel, id, async () => {
        expect(channels.openIds()).not.toContain(id)
        expect(await codeOf(channels.send(late))).toBe('ERR_WAPP_NOT_INITIALIZED')
        expect(await jobs.send(late).catch((error: unknown) => error)).toBeInstanceOf(NotNow)
      })
      await jobs.send(late)
      await arrived(ana, late.wid)
      expect(ana.seen().map(({ text }) => text)).toEqual(['mais tarde'])
    }, 30_000)

    test('what is refused for good is told so once, and not tried again', async () => {
      const caio = wire.other()
      caio.refuse()
      const unwanted = message(caio.address, 'Promoção!')
      const code = await codeOf(channels.send(unwanted))
      if (code === 'no error') {
        await until(() => receivedOf(unwanted.wid, 'ack').length > 0, 'the refusal')
        expect(receivedOf(unwanted.wid, 'ack')).toMatchObject([{ ack: 0, error: expect.stringMatching(/./) }])
      } else expect(code).toBe('ERR_CHANNEL_REFUSED')
      expect(caio.seen()).toEqual([])
      expect(channels.health(id)).toMatchObject({ waitingAcks: 0 })
    })

    test('it has the methods of what it offers, and no others', () => {
      for (const capability of capabilities)
        for (const method of methodsOf[capability]) {
          const has = `${method}: ${typeof channel[method]}`
          expect(has).toBe(`${method}: ${channel.offers[capability] ? 'function' : 'undefined'}`)
        }
    })

    test('an edit, a reaction and a deletion reach the contact, each where the wire offers it', async () => {
      const ana = wire.other()
      const typo = message(ana.address, 'Oi, Aan')
      await channels.send(typo)
      await arrived(ana, typo.wid)
      const target: LineTarget = {
        ...{ whatsappId: id, chat: ana.address, wid: typo.wid, fromMe: true, participant: null },
      }
      const word = async (capability: Capability, say: () => Promise<unknown>, holds: (now: Seen) => boolean) => {
        if (!channel.offers[capability]) return
        await say()
        await until(() => holds(seen(ana, typo.wid)!), capability)
      }
      await word(
        'edit',
        () => channels.edit(target, 'Oi, Ana'),
        ({ text }) => text === 'Oi, Ana',
      )
      await word(
        'react',
        () => channels.react(target, '👍'),
        ({ reaction }) => reaction === '👍',
      )
      await word(
        'revoke',
        () => channels.revoke(target),
        ({ isGone }) => isGone,
      )
      expect(ana.seen()).toHaveLength(1)
    })

    test('what the wire cannot is refused with that error, and changes nothing', async () => {
      const ana = wire.other()
      const said = message(ana.address, 'fica')
      await channels.send(said)
      await arrived(ana, said.wid)
      const target: LineTarget = {
        ...{ whatsappId: id, chat: ana.address, wid: said.wid, fromMe: true, participant: null },
      }
      const asked: Record<Capability, () => Promise<unknown>> = {
        edit: () => channels.edit(target, 'muda'),
        revoke: () => channels.revoke(target),
        react: () => channels.react(target, '👍'),
        read: () => channels.markRead([target]),
        typing: () => channels.presence(id, ana.address, 'composing'),
        pair: () => channels.newQr(id),
        checkNumber: () => channels.checkNumber(id, '5511900000000'),
        groups: () => channels.send(message({ kind: 'group', groupId: '120363000000000000' }, 'a todos')),
        picture: () => channels.profilePicture(id, ana.address),
        call: () => channels.rejectCall(id, 'a call'),
        templates: () => channels.templates(id),
      }
      const [before, heard] = [ana.seen(), wire.heard()]
      for (const capability of capabilities) {
        if (channel.offers[capability]) continue
        const error = await asked[capability]().catch((given: unknown) => given)
        expect(error).toMatchObject({ code: 'ERR_CHANNEL_CANNOT', params: { capability } })
      }
      expect(ana.seen()).toEqual(before)
      expect(wire.heard()).toBe(heard)
      expect(channels.openIds()).toContain(id)
    })

    test('health tells the state: of a link that is up, of one that is down, and of one that is nobody’s here', async () => {
      const ana = wire.other()
      const wid = await ana.says(id, 'oi')
      await until(() => receivedOf(wid, 'message').length > 0, 'the message')
      await channels.send(message(ana.address, 'olá'))
      const { state, lastInAt, lastOutAt } = channels.health(id)!
      expect(state).toBe('open')
      for (const at of [lastInAt, lastOutAt]) expect(Date.now() - at!.getTime()).toBeLessThan(60_000)
      const before = channels.health(id)!.reconnects
      await wire.whileDown(channel, id, async () => {
        expect(channels.health(id)!.state).not.toBe('open')
      })
      expect(channels.health(id)).toMatchObject({ state: 'open', reconnects: before + 1 })
      expect(channels.health(await wire.connection())).toBeNull()
    }, 30_000)

    test('what comes in is durable before it is confirmed, and comes once', async () => {
      const ana = wire.other()
      let wid = ''
      await wire.whileFull(channel, id, async (refused) => {
        wid = await ana.says(id, 'guarde isto')
        await refused()
        expect(ana.isConfirmed(id, wid)).toBe(false)
      })
      await until(() => ana.isConfirmed(id, wid), 'the service to hear of it')
      await until(() => receivedOf(wid, 'message').length > 0, 'the product to have it')
      expect(receivedOf(wid, 'message')).toHaveLength(1)
    }, 30_000)

    test('only one process speaks for a connection, and stopping it lets go of everything', async () => {
      const own = await wire.connection()
      const first = wire.channel()
      await wire.link(first, own)
      const second = wire.channel()
      expect(await codeOf(second.start(own))).toBe('ERR_UNAVAILABLE')
      expect(second.speaksFor(own)).toBe(false)
      await first.stop()
      await first.stop()
      expect([first.openIds(), first.speaksFor(own), first.health(own)]).toEqual([[], false, null])
      const ana = wire.other()
      const left = message(ana.address, 'sigo eu', own)
      expect(await codeOf(asFeaturesKnow(first).send(left))).toBe('ERR_WAPP_NOT_INITIALIZED')
      expect(await codeOf(first.start(own))).toBe('ERR_UNAVAILABLE')
      await second.start(own)
      await until(() => second.openIds().includes(own), 'the other process to have the link')
      await asFeaturesKnow(second).send(left)
      await arrived(ana, left.wid)
      await second.stop()
    }, 30_000)
  })
}
