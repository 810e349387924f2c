/**
 * What a first message to somebody needs of WhatsApp: which devices they have, and for each a key to begin with. Baileys
 * asks for one person at a time while that person's message holds up all others of the link; here it is asked for many at
 * once, before their messages leave.
 */
import type { ChatAddress } from '../../schema/messages/messages.content.ts'
import { jidOf } from './addresses.ts'
import {
  type BinaryNode,
  extractDeviceJids,
  getBinaryNodeChild,
  getBinaryNodeChildren,
  jidDecode,
  jidEncode,
  parseAndInjectE2ESessions,
  type PossiblyExtendedCacheStore,
  S_WHATSAPP_NET,
  USyncQuery,
  USyncUser,
} from './baileys.ts'
import { type Device, type Socket, within } from './session.device.ts'

/** As long as Baileys believes in a list of devices. */
const DEVICES_MS = 5 * 60_000
const MOST_DEVICES = 10_000

interface KnownDevice {
  user: string
  device: number
  server: string
}

/** Whose devices are known, by the user part of their address. */
export function createDevices(): Required<PossiblyExtendedCacheStore> & { knows(user: string): boolean } {
  const known = new Map<string, { until: number; value: unknown }>()
  const get = (key: string) => {
    const found = known.get(key)
    return found && found.until > Date.now() ? found.value : undefined
  }
  const set = (key: string, value: unknown) => {
    known.delete(key)
    known.set(key, { until: Date.now() + DEVICES_MS, value })
    if (known.size > MOST_DEVICES) known.delete(known.keys().next().value as string)
  }
  return {
    knows: (user) => get(user) !== undefined,
    // Baileys says what it expects.
    get: <T>(key: string) => get(key) as T | undefined,
    set: (key, value) => set(key, value),
    del: (key) => void known.delete(key),
    flushAll: () => known.clear(),
    close: () => known.clear(),
    mget: async <T>(keys: string[]) => Object.fromEntries(keys.map((key) => [key, get(key) as T | undefined])),
    mset: (entries) => {
      for (const { key, value } of entries) set(key, value)
    },
    mdel: (keys) => {
      for (const key of keys) known.delete(key)
    },
  }
}
export type Devices = ReturnType<typeof createDevices>

/** Two questions for all who are not known yet. Whoever is left out is asked about when their message leaves. */
export async function askAhead(
  device: Device,
  sock: Socket,
  devices: Devices,
  people: readonly ChatAddress[],
): Promise<void> {
  const { me } = sock.authState.creds
  const jids = [...new Set(people.map(jidOf))].filter((jid) => !devices.knows(jidDecode(jid)?.user ?? ''))
  if (!me || jids.length < 2) return
  const { queryMs } = device.ctx.timing
  const { signalRepository: signal, authState } = sock

  const query = new USyncQuery().withContext('message').withDeviceProtocol().withLIDProtocol()
  for (const jid of jids) query.withUser(new USyncUser().withId(jid))
  const found = (await within(queryMs, sock.executeUSyncQuery(query)))?.list ?? []
  const lidOf = new Map(
    found.flatMap(({ id, lid }) => (typeof lid === 'string' ? [[jidDecode(id)!.user, jidDecode(lid)!.user]] : [])),
  )
  const owned = extractDeviceJids(found, me.id, me.lid ?? '', false) as KnownDevice[]
  // The name by which the session is kept.
  const wired = owned.map(({ user, device, server }) => {
    const lid = server === 's.whatsapp.net' ? lidOf.get(user) : undefined
    return lid ? jidEncode(lid, 'lid', device) : jidEncode(user, server as 'lid', device)
  })
  const lacking = async (among: readonly string[]) => {
    const known = await Promise.all(among.map((jid) => signal.validateSession(jid)))
    return among.filter((_, i) => !known[i]!.exists)
  }
  const strangers = await lacking(wired)
  const bundles = strangers.length > 0 ? await keysOf(sock, strangers, queryMs) : []

  // In turn with all that reads and writes sessions, and without the network.
  await authState.keys.transaction(async () => {
    await signal.lidMapping.storeLIDPNMappings(
      found.flatMap(({ id, lid }) => (typeof lid === 'string' ? [{ pn: id, lid }] : [])),
    )
    const still = new Set(await lacking(bundles.map(({ attrs }) => attrs['jid']!)))
    const content = bundles.filter(({ attrs }) => still.has(attrs['jid']!))
    await parseAndInjectE2ESessions(
      { tag: 'iq', attrs: {}, content: [{ tag: 'list', attrs: {}, content }] } as BinaryNode,
      signal,
    )
    const lists = Map.groupBy(owned, ({ user }) => user)
    await authState.keys.set({
      'device-list': Object.fromEntries([...lists].map(([user, own]) => [user, own.map((one) => String(one.device))])),
    })
    for (const [user, own] of lists) void devices.set(user, own)
  }, me.id)
}

/** The keys with which these devices are first written to, of those that have any. */
async function keysOf(sock: Socket, jids: readonly string[], queryMs: number): Promise<BinaryNode[]> {
  const answer: BinaryNode = await within(
    queryMs,
    sock.query({
      tag: 'iq',
      attrs: { xmlns: 'encrypt', type: 'get', to: S_WHATSAPP_NET },
      content: [{ tag: 'key', attrs: {}, content: jids.map((jid) => ({ tag: 'user', attrs: { jid } })) }],
    }),
  )
  return getBinaryNodeChildren(getBinaryNodeChild(answer, 'list'), 'user').filter(
    (user) => !getBinaryNodeChild(user, 'error'),
  )
}
