/** What the phones of the contacts show: every conversation as a list of lines, from the events of the service. */
import { type MediaType, normalizeMessageContent, proto } from '@whiskeysockets/baileys'
import type { Account, Contact, FakeWhatsapp } from './server.ts'

export interface Line {
  id: string
  by: 'contact' | 'business'
  kind: 'text' | 'image' | 'video' | 'audio' | 'document' | 'sticker' | 'location' | 'card' | 'call' | 'other'
  text: string
  file: { path: string; key: Uint8Array; mimetype: string; name: string | null } | null
  /** Milliseconds since 1970. */
  at: number
  /** How far the message got: for a contact's line as the contact sees it, for the company's as the company sees it. */
  state: 'sent' | 'delivered' | 'read' | 'played'
  edited: boolean
  deleted: boolean
  reactions: { by: 'contact' | 'business'; emoji: string }[]
  quote: string | null
}

export interface Thread {
  lines: Line[]
  /** The company is writing. */
  typing: boolean
  unread: number
}

const order: Line['state'][] = ['sent', 'delivered', 'read', 'played']
const keptLines = 400

export class Phones {
  readonly threads = new Map<string, Thread>()
  private readonly pauses = new WeakMap<Thread, ReturnType<typeof setTimeout>>()

  constructor(
    private readonly fake: FakeWhatsapp,
    saved: [string, Thread][] = [],
  ) {
    for (const [key, thread] of saved) this.threads.set(key, { ...thread, typing: false })
    fake.on('said', (who, to, id, message, group) => {
      if (!group) this.note(to, who, id, 'contact', message)
    })
    fake.on('message', (who, received) => {
      if (received.chat.endsWith('@g.us')) return
      const { account } = received.from
      this.note(account, who, received.id, 'business', received.message)
      const { behaviour } = who
      const done = () => {
        const state = behaviour.play ? 'played' : behaviour.read ? 'read' : behaviour.deliver ? 'delivered' : 'sent'
        this.raise(account, who, [received.id], state)
        fake.emit('changed')
      }
      if (behaviour.delayMs) setTimeout(done, behaviour.delayMs)
      else done()
    })
    fake.on('typed', (account, who, id, message) => this.note(account, who, id, 'business', message))
    fake.on('receipt', (node, companion) => {
      const who = fake.who(node.attrs.to)
      const state = node.attrs.type === 'read' ? 'read' : node.attrs.type === 'played' ? 'played' : 'delivered'
      if (!who || node.attrs.type === 'retry' || node.attrs.type === 'server-error') return
      const list = Array.isArray(node.content) ? node.content.find((child) => child.tag === 'list') : undefined
      const more = Array.isArray(list?.content) ? list.content.map((item) => item.attrs.id!) : []
      this.raise(companion.account, who, [node.attrs.id!, ...more], state)
    })
    fake.on('chatstate', (node, companion) => {
      const who = fake.who(node.attrs.to)
      const [state] = Array.isArray(node.content) ? node.content : []
      if (!who) return
      const thread = this.thread(companion.account, who)
      thread.typing = state?.tag === 'composing'
      fake.emit('changed')
      clearTimeout(this.pauses.get(thread))
      // Nobody may say that they stopped; a phone gives up waiting.
      const pause = () => {
        thread.typing = false
        fake.emit('changed')
      }
      if (thread.typing) this.pauses.set(thread, setTimeout(pause, 25_000).unref())
    })
  }

  thread(account: Account, who: Contact): Thread {
    const key = `${account.pn}/${who.pn}`
    const known = this.threads.get(key)
    if (known) return known
    const fresh: Thread = { lines: [], typing: false, unread: 0 }
    this.threads.set(key, fresh)
    return fresh
  }

  line(id: string): Line | undefined {
    for (const { lines } of this.threads.values()) {
      const found = lines.find((line) => line.id === id)
      if (found) return found
    }
    return undefined
  }

  /** The contact reads: the company's ticks turn blue. */
  read(account: Account, who: Contact): void {
    const thread = this.thread(account, who)
    const unread = thread.lines.filter(
      (line) => line.by === 'business' && line.state !== 'read' && line.state !== 'played',
    )
    thread.unread = 0
    if (!unread.length) return
    for (const companion of account.companions.values())
      this.fake.receiptFrom(
        who,
        companion,
        unread.map((line) => line.id),
        'read',
      )
    this.raise(
      account,
      who,
      unread.map((line) => line.id),
      'read',
    )
    this.fake.emit('changed')
  }

  private note(account: Account, who: Contact, id: string, by: Line['by'], message: proto.IMessage): void {
    const thread = this.thread(account, who)
    if (by === 'business') thread.typing = false
    const body = normalizeMessageContent(message)
    if (!body) return
    const find = (wid: string | null | undefined) => thread.lines.find((line) => line.id === wid)
    const protocol = body.protocolMessage
    if (protocol) {
      const line = find(protocol.key?.id)
      if (!line) return
      if (protocol.type === proto.Message.ProtocolMessage.Type.REVOKE) line.deleted = true
      const edited = normalizeMessageContent(protocol.editedMessage ?? undefined)
      if (edited) Object.assign(line, { text: wordsOf(edited), edited: true })
      return
    }
    if (body.reactionMessage) {
      const line = find(body.reactionMessage.key?.id)
      if (!line) return
      line.reactions = line.reactions.filter((reaction) => reaction.by !== by)
      if (body.reactionMessage.text) line.reactions.push({ by, emoji: body.reactionMessage.text })
      return
    }
    // The same message may come twice, when its sender was not sure.
    if (find(id)) return
    thread.lines.push({
      id,
      by,
      ...contentOf(body),
      at: Date.now(),
      state: 'sent',
      edited: false,
      deleted: false,
      reactions: [],
      quote: find(body.extendedTextMessage?.contextInfo?.stanzaId)?.text ?? null,
    })
    if (by === 'business') thread.unread++
    if (thread.lines.length > keptLines) thread.lines.splice(0, thread.lines.length - keptLines)
  }

  private raise(account: Account, who: Contact, ids: string[], state: Line['state']): void {
    const thread = this.thread(account, who)
    for (const line of thread.lines) {
      if (ids.includes(line.id) && order.indexOf(state) > order.indexOf(line.state)) line.state = state
      if (ids.includes(line.id) && line.by === 'business' && (state === 'read' || state === 'played')) thread.unread = 0
    }
  }
}

const files = {
  imageMessage: 'image',
  videoMessage: 'video',
  audioMessage: 'audio',
  documentMessage: 'document',
  stickerMessage: 'sticker',
} as const

const wordsOf = (m: proto.IMessage): string =>
  m.conversation ||
  m.extendedTextMessage?.text ||
  m.imageMessage?.caption ||
  m.videoMessage?.caption ||
  m.documentMessage?.caption ||
  ''

function contentOf(m: proto.IMessage): Pick<Line, 'kind' | 'text' | 'file'> {
  for (const [name, kind] of Object.entries(files) as [keyof typeof files, (typeof files)[keyof typeof files]][]) {
    const part = m[name]
    if (!part) continue
    const named = 'fileName' in part ? part.fileName : null
    const file = {
      path: part.directPath ?? new URL(part.url ?? 'http://none/').pathname,
      key: part.mediaKey ?? new Uint8Array(),
      mimetype: part.mimetype ?? 'application/octet-stream',
      name: named ?? null,
    }
    return { kind, text: wordsOf(m), file }
  }
  if (m.locationMessage) {
    const { degreesLatitude, degreesLongitude, name } = m.locationMessage
    return { kind: 'location', text: name || `${degreesLatitude}, ${degreesLongitude}`, file: null }
  }
  const cards = m.contactMessage ? [m.contactMessage] : (m.contactsArrayMessage?.contacts ?? [])
  // A phone shows no card that it cannot read.
  const readable = cards.every(({ vcard }) => /^BEGIN:VCARD\r?\n[^]*\nFN:.+\n[^]*\nEND:VCARD\s*$/.test(vcard ?? ''))
  if (cards.length > 0)
    return readable
      ? { kind: 'card', text: cards.map(({ displayName }) => displayName ?? '').join(', '), file: null }
      : { kind: 'other', text: '', file: null }
  const text = wordsOf(m)
  return { kind: text ? 'text' : 'other', text, file: null }
}

/** The kind of file that Signal's media keys distinguish. */
export const mediaTypeOf = (line: Line): MediaType => line.kind as MediaType
