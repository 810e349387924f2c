import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { bulkLines, bulkSends } from '../../schema/campaigns/campaigns.table.ts'
import { type Contact, contacts } from '../../schema/contacts/contacts.table.ts'
import { DomainError } from '../../schema/errors.ts'
import { widOf } from '../../schema/ids.ts'
import { jobs } from '../../schema/jobs/jobs.table.ts'
import {
  type ChatAddress,
  mediaTypeOf,
  type OutgoingContent,
  type OutgoingMessage,
  placeOf,
} from '../../schema/messages/messages.content.ts'
import { cardsOf } from '../../schema/messages/messages.cards.ts'
import type { Offer } from '../../schema/messages/messages.offer.ts'
import { storedFile, TAKEN_BACK, templateContent } from '../../schema/messages/messages.own.ts'
import { secondsSaid, waveformText } from '../../schema/messages/messages.waveform.ts'
import { messages, type Message } from '../../schema/messages/messages.table.ts'
import type { JobChannel, LineTarget } from '../channels/channel.port.ts'
import { hasWindow, typingReads } from '../../schema/whatsapps/whatsapps.providers.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import { applyDecision, type Change } from '../commands/apply.ts'
import { addressOn } from '../contacts/contacts.address.queries.ts'
import type { Db } from '../db/database.ts'
import { GiveUp, type Handlers, NotNow } from '../jobs/worker.ts'
import type { MediaStore } from '../media/media-store.ts'
import type { MediaTools } from '../media/media-tools.ts'
import { Crowded } from '../fair-queue.ts'
import { closedWindows } from '../whatsapps/whatsapps.window.queries.ts'
import { hasWrittenSql, isHeldSql } from '../whatsapps/whatsapps.new-chats.queries.ts'
import { wholeText } from './messages.queries.ts'

/** A group may have thousands that nobody has read. */
const RECEIPTS_AT_ONCE = 1_000

interface Deps {
  db: Db
  channel: JobChannel
  media: MediaStore
  /** What is made of a file before it leaves. */
  tools: MediaTools
  /** Bytes; larger offers are not fetched. */
  maxMediaBytes: number
  now(): Date
  committed(changes: Change[]): void
  /** Before one of many leaves: resolves when nothing of the company's goes before it, or after a moment. */
  beforeMany?(companyId: number): Promise<void>
  /** A message of a flow has left, or never will. */
  toldFlow?(flow: { runId: string; n: number }, at: Date | null): Promise<void>
}

/** Of what was said to many, by a program or a schedule, and had not left when WhatsApp stopped it. */
export const BULK_STOPPED = 'bulk_stopped'

/** A lock may be lifted at any moment. */
const HELD_MS = 15_000

/** It holds up what comes after it in the chat. */
const MOST_TYPING_MS = 3_000

type MessageEffects = Pick<
  Handlers,
  | 'whatsapp.send'
  | 'whatsapp.edit'
  | 'whatsapp.revoke'
  | 'whatsapp.react'
  | 'whatsapp.read'
  | 'media.fetch'
  | 'contacts.picture'
>

/** What the product does on WhatsApp after a commit. */
export const messageEffects = (deps: Deps): MessageEffects => ({
  ...sending(deps),
  ...changing(deps),
  ...fetching(deps),
})

async function load({ db, now }: Deps, messageId: string) {
  const [row] = await db
    .select({
      message: messages,
      contact: contacts,
      isStopped: sql<boolean>`EXISTS (SELECT FROM ${bulkSends} b JOIN ${bulkLines} l ON l."whatsappId" = b."whatsappId"
        WHERE b."messageId" = "messages"."id" AND l."stoppedAt" IS NOT NULL)`,
      /** It would begin a chat that WhatsApp lets the connection not begin. */
      isHeld: sql<boolean>`(NOT ${contacts.isGroup} AND EXISTS (SELECT FROM ${whatsapps} w
        WHERE w."id" = "messages"."whatsappId" AND ${isHeldSql('w', now())}
          AND NOT ${hasWrittenSql(sql`"messages"."contactId"`, sql`w."id"`)}))`,
      provider: sql<string | null>`(SELECT w."provider" FROM ${whatsapps} w WHERE w."id" = "messages"."whatsappId")`,
    })
    .from(messages)
    .innerJoin(contacts, eq(contacts.id, messages.contactId))
    .where(eq(messages.id, messageId))
  return row
}

/**
 * Whether it was written when the contact could not be written to. Asked of the moment at which it was, so that a message
 * whose answer was lost is not called refused while it is on its way: what closes later the service says.
 */
async function isTooLate({ db }: Deps, { message, contact, provider }: NonNullable<Awaited<ReturnType<typeof load>>>) {
  const { whatsappId, companyId, createdAt, about } = message
  // Templates may be sent at any time.
  if (about?.is === 'template') return false
  if (!hasWindow(provider) || whatsappId === null) return false
  const { id: contactId, number } = contact
  return (await closedWindows(db, companyId, [{ whatsappId, number: number ?? '', contactId }], createdAt)).size > 0
}

/**
 * Changes one message, if it is still there.
 * @param only where this holds
 * @returns whether it was
 */
const change = (db: Db, { id, companyId }: Message, values: Partial<Message>, only?: SQL): Promise<boolean> =>
  db.transaction(async (tx) => {
    const [row] = await tx
      .select({ id: messages.id })
      .from(messages)
      .where(and(eq(messages.id, id), only))
      .for('no key update')
    if (!row) return false
    await applyDecision(tx, companyId, { rows: [{ table: 'messages', op: 'update', ids: [id], values }], effects: [] })
    return true
  })

/** The failure is shown in the bubble, with a way to try again. */
async function failed(deps: Deps, message: Message, reason: string): Promise<void> {
  const values = { ack: 0, ackError: reason.slice(0, 200), updatedAt: deps.now() }
  if (await change(deps.db, message, values, eq(messages.ack, 1))) deps.committed([updated(message)])
}

function sending(deps: Deps): Pick<MessageEffects, 'whatsapp.send'> {
  const { channel } = deps
  return {
    'whatsapp.send': async ({ messageId, typingMs = 0, flow, by, asksNumber, offer }, context) => {
      if (by === 'many') await deps.beforeMany?.(context.companyId)
      let row = await load(deps, messageId)
      // Gone with its ticket, or already there by the try that a crash interrupted.
      if (!row || row.message.ack >= 2 || row.message.whatsappId === null) return
      if (typingMs > 0 && context.attempt === 1 && !row.message.isDeleted) {
        // Only to look alive: that it fails costs nothing. No program says that somebody has read.
        if (!typingReads(row.provider))
          await channel.presence(row.message.whatsappId, await chatOf(deps, row), 'composing').catch(() => undefined)
        await Bun.sleep(Math.min(typingMs, MOST_TYPING_MS))
        row = await load(deps, messageId)
        if (!row) return
      }
      if (row.message.isDeleted) return failed(deps, row.message, TAKEN_BACK)
      if (row.isStopped) return failed(deps, row.message, BULK_STOPPED)
      // What people write themselves the service answers: it knows of calls and reactions, too.
      if (by !== 'agent' && (await isTooLate(deps, row))) {
        await failed(deps, row.message, 'ERR_WINDOW_CLOSED')
        if (flow) await deps.toldFlow?.(flow, null)
        return
      }
      if (row.isHeld && by === 'many') throw new NotNow('WhatsApp lets the connection begin no chats', HELD_MS)
      try {
        await channel.send({
          ...(await outgoing(deps, row.message, await chatOf(deps, row), { asksNumber, offer })),
          by,
        })
      } catch (error) {
        if ((context.last && !(error instanceof NotNow)) || error instanceof GiveUp) {
          await failed(deps, row.message, error instanceof Error ? error.message : String(error))
          if (flow) await deps.toldFlow?.(flow, null)
        }
        throw error
      }
      if (flow) await deps.toldFlow?.(flow, deps.now())
    },
  }
}

function changing(
  deps: Deps,
): Pick<MessageEffects, 'whatsapp.edit' | 'whatsapp.revoke' | 'whatsapp.react' | 'whatsapp.read'> {
  const { db, channel } = deps
  return {
    'whatsapp.edit': async ({ messageId, body }) => {
      const row = await load(deps, messageId)
      if (row) await channel.edit(targetOf(row.message, await chatOf(deps, row)), body)
    },

    'whatsapp.revoke': async ({ messageId }) => {
      // A deletion that was held stands in no lane, and must not overtake what it deletes.
      const [leaving] = await db
        .select({ id: jobs.id })
        .from(jobs)
        .where(and(eq(jobs.uniqueKey, `whatsapp.send:${messageId}`), isNull(jobs.failedAt)))
      if (leaving) throw new NotNow('the message has not left')
      const row = await load(deps, messageId)
      if (row && row.message.ackError !== TAKEN_BACK)
        await channel.revoke(targetOf(row.message, await chatOf(deps, row)))
    },

    'whatsapp.react': async ({ messageId, emoji }) => {
      const row = await load(deps, messageId)
      if (row) await channel.react(targetOf(row.message, await chatOf(deps, row)), emoji)
    },

    'whatsapp.read': async ({ messageIds, whatsappId }) => {
      for (let at = 0; at < messageIds.length; at += RECEIPTS_AT_ONCE) {
        const rows = await db
          .select({ message: messages, contact: contacts })
          .from(messages)
          .innerJoin(contacts, eq(contacts.id, messages.contactId))
          // What came to the connection that the ticket had before is not this one's to confirm: the job would wait
          // for that one, and what is written in the chat would wait behind it.
          .where(
            and(inArray(messages.id, messageIds.slice(at, at + RECEIPTS_AT_ONCE)), eq(messages.whatsappId, whatsappId)),
          )
        const targets: LineTarget[] = []
        for (const row of rows) targets.push(targetOf(row.message, await chatOf(deps, row)))
        if (targets.length > 0) await channel.markRead(targets)
      }
    },
  }
}

function fetching(deps: Deps): Pick<MessageEffects, 'media.fetch' | 'contacts.picture'> {
  const { db, channel } = deps
  return {
    'media.fetch': async ({ messageId, whatsappId }, context) => {
      const row = await load(deps, messageId)
      if (!row || row.message.mediaState !== 'pending' || !row.message.wid) return
      const { message } = row
      try {
        await channel.fetchMedia(whatsappId, message.wid!, async (bytes) => {
          const stored = await deps.media.put(message.companyId, bytes, {
            name: message.mediaName ?? '',
            mimetype: message.mediaMime ?? 'application/octet-stream',
            maxBytes: deps.maxMediaBytes,
            // A repeat after a crash finds the file where it lies already.
            key: messageId,
          })
          const isShown = await change(db, message, {
            mediaState: 'ready',
            mediaPath: stored.path,
            mediaMime: stored.mimetype,
            mediaSize: stored.size,
            ...(await soundOf(deps.tools, message, stored.path)),
            updatedAt: deps.now(),
          })
          // Deleted meanwhile, with the ticket.
          if (!isShown) await deps.media.delete(stored.path)
        })
      } catch (failure) {
        const isRefused = failure instanceof DomainError && /^ERR_FILE_(?:TOO_LARGE|INFECTED)$/.test(failure.code)
        const error = isRefused ? new GiveUp(failure.code) : failure
        if (error instanceof NotNow || (!context.last && !(error instanceof GiveUp))) throw error
        await change(db, message, { mediaState: 'failed', updatedAt: deps.now() })
        deps.committed([updated(message)])
        throw error
      }
      deps.committed([updated(message)])
    },

    'contacts.picture': async ({ contactId, whatsappId }) => {
      const [contact] = await db.select().from(contacts).where(eq(contacts.id, contactId))
      if (!contact) return
      const picture = await channel.profilePicture(whatsappId, await addressOn(db, contact, whatsappId))
      if (!picture) return
      const stored = await deps.media.put(contact.companyId, picture.data, {
        name: '',
        mimetype: picture.mimetype,
        maxBytes: 5_000_000,
        area: 'contacts',
        // The same picture lies in the same place.
        key: `picture ${contact.id} ${Bun.SHA256.hash(picture.data, 'hex')}`,
      })
      if (stored.path === contact.profilePicUrl) return
      await db.update(contacts).set({ profilePicUrl: stored.path }).where(eq(contacts.id, contactId))
      if (contact.profilePicUrl) await deps.media.delete(contact.profilePicUrl)
      deps.committed([{ companyId: contact.companyId, table: 'contacts', action: 'update', id: contact.id }])
    },
  }
}

/** Where the contact of a message is reached over its connection. */
const chatOf = ({ db }: Pick<Deps, 'db'>, { message, contact }: { message: Message; contact: Contact }) =>
  addressOn(db, contact, message.whatsappId ?? 0)

const updated = (message: Message): Change => ({
  companyId: message.companyId,
  table: 'messages',
  action: 'update',
  id: message.id,
  ticketId: message.ticketId,
})

function targetOf(message: Message, chat: ChatAddress): LineTarget {
  return {
    whatsappId: message.whatsappId ?? 0,
    chat,
    wid: message.wid ?? widOf(message.id),
    fromMe: message.fromMe,
    participant: message.participantNumber,
  }
}

async function outgoing(
  deps: Pick<Deps, 'db' | 'tools'>,
  message: Message,
  to: ChatAddress,
  { asksNumber, offer }: { asksNumber?: boolean | undefined; offer?: Offer | undefined } = {},
): Promise<OutgoingMessage> {
  const [quoted] = message.quotedMsgId
    ? await deps.db.select().from(messages).where(eq(messages.id, message.quotedMsgId))
    : []
  return {
    messageId: message.id,
    companyId: message.companyId,
    whatsappId: message.whatsappId ?? 0,
    wid: message.wid ?? widOf(message.id),
    to,
    content: { ...(await contentOf(deps, message)), ...(asksNumber && { asksNumber }), ...(offer && { offer }) },
    quoted: quoted?.wid
      ? { wid: quoted.wid, fromMe: quoted.fromMe, participant: quoted.participantNumber, body: quoted.body }
      : null,
  }
}

const sharesCards = ({ mediaType }: Message) => mediaType === 'contactMessage' || mediaType === 'vcard'

async function contentOf({ db, tools }: Pick<Deps, 'db' | 'tools'>, message: Message): Promise<OutgoingContent> {
  const text = await wholeText(db, message)
  if (message.about?.is === 'template') return templateContent(message.about, text, storedFile(message))
  const place = message.mediaType === 'locationMessage' ? placeOf(message.body) : undefined
  if (place) return { type: 'location', place }
  const cards = sharesCards(message) ? cardsOf(message.body).filter(({ number }) => number !== '') : []
  if (cards.length > 0) return { type: 'contacts', cards }
  if (!message.mediaPath) return { type: 'text', text }
  const { companyId, mediaPath } = message
  const name = message.mediaName ?? mediaPath.split('/').at(-1) ?? 'file'
  if (message.mediaType === 'audio' && message.isVoice) {
    // For every try anew: a minute takes half a second, and a second file to keep would outlive its message.
    const note = await made(tools.voiceNote(companyId, mediaPath))
    if (note) {
      if (message.mediaSeconds === null)
        await change(db, message, { mediaSeconds: note.seconds, waveform: waveformText(note.waveform) })
      return { type: 'voice', ...note }
    }
  }
  const mimetype = message.mediaMime ?? 'application/octet-stream'
  // A body that is only the file's name is what our own list shows, not a caption.
  const file = { path: mediaPath, name, mimetype, caption: text === name ? '' : text }
  return fileContent(tools, companyId, file, message.mediaType)
}

/** What the sender of a sound did not say of it. Without it the sound is shown all the same. */
async function soundOf(
  tools: MediaTools,
  message: Message,
  path: string,
): Promise<Partial<Pick<Message, 'mediaSeconds' | 'waveform'>>> {
  const { companyId, mediaType, mediaSeconds, waveform, isVoice } = message
  if (mediaType !== 'audio' || (mediaSeconds !== null && (waveform !== null || !isVoice))) return {}
  const found = await tools.speech(companyId, path).catch((error: unknown) => {
    if (error instanceof Crowded) return null
    throw error
  })
  if (!found) return {}
  return {
    mediaSeconds: mediaSeconds ?? secondsSaid(found.seconds),
    waveform: waveform ?? (isVoice ? waveformText(found.waveform) : null),
  }
}

const made = <T>(work: Promise<T>) =>
  work.catch((error: unknown) => {
    throw error instanceof Crowded ? new NotNow(error.message) : error
  })

/** A file of ours as it leaves. */
export async function fileContent(
  tools: MediaTools,
  companyId: number,
  { path, name, mimetype, caption }: { path: string; name: string; mimetype: string; caption: string },
  kind: string = mediaTypeOf(mimetype),
): Promise<OutgoingContent> {
  return {
    // A recording that no voice note can be made of goes as the file it is: better than a note that no phone plays.
    type: kind === 'image' || kind === 'video' || kind === 'audio' ? kind : 'document',
    mediaPath: path,
    mimetype,
    fileName: name,
    caption,
    ...(kind === 'image' && { preview: await made(tools.preview(companyId, path)) }),
    ...(kind === 'audio' && { seconds: await made(tools.length(companyId, path)) }),
  }
}
