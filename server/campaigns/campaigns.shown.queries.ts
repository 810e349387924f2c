import { and, asc, eq, inArray, isNotNull } from 'drizzle-orm'
import type { Campaign, Shipping } from '../../schema/campaigns/campaigns.table.ts'
import type { Decision } from '../../schema/command.ts'
import { fileListOptions, fileLists } from '../../schema/files/files.table.ts'
import { widOf } from '../../schema/ids.ts'
import { lastWord, ownPreview } from '../../schema/messages/messages.line.ts'
import { ownMessage } from '../../schema/messages/messages.own.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { textsOf } from '../../schema/messages/messages.text.ts'
import { type Ticket, tickets } from '../../schema/tickets/tickets.table.ts'
import type { Db, Tx } from '../db/database.ts'
import { idIn } from '../tickets/tickets.facts.ts'

/** A file of ours that a campaign sends. */
export interface StoredPart {
  path: string
  name: string
  mimetype: string
  size: number | null
  caption: string
}

/** One of the messages that somebody gets of a campaign: a text, or a file with its words. */
export interface Piece {
  messageId: string
  wid: string
  body: string
  file: StoredPart | null
}

/** What leaves for somebody, in its order: sending and the ticket are this one function. */
export async function piecesOf(
  db: Db | Tx,
  shipping: Pick<Shipping, 'id' | 'companyId' | 'attempts' | 'body' | 'messageId'>,
  campaign: Pick<Campaign, 'fileListId' | 'mediaPath' | 'mediaName' | 'mediaMime' | 'mediaSize'>,
): Promise<Piece[]> {
  const body = shipping.body ?? ''
  const files = campaign.fileListId === null ? [] : await filesOf(db, shipping.companyId, campaign.fileListId)
  if (campaign.mediaPath)
    files.push({
      path: campaign.mediaPath,
      name: campaign.mediaName ?? 'file',
      mimetype: campaign.mediaMime ?? 'application/octet-stream',
      size: campaign.mediaSize,
      caption: body,
    })
  const parts: { body: string; file: StoredPart | null }[] = files.map((file) => ({ body: file.caption, file }))
  if (!campaign.mediaPath && body) parts.push({ body, file: null })
  // The last one carries the id by which its ticks are known.
  return parts.map((part, n) => {
    const messageId =
      n === parts.length - 1 ? shipping.messageId! : idIn(shipping.id, `campaign:${shipping.attempts}:${n}`)
    return { messageId, wid: widOf(messageId), ...part }
  })
}

async function filesOf(db: Db | Tx, companyId: number, fileListId: number): Promise<StoredPart[]> {
  const rows = await db
    .select({ file: fileListOptions, message: fileLists.message })
    .from(fileListOptions)
    .innerJoin(fileLists, eq(fileLists.id, fileListOptions.fileListId))
    .where(
      and(
        eq(fileListOptions.companyId, companyId),
        eq(fileListOptions.fileListId, fileListId),
        isNotNull(fileListOptions.mediaPath),
      ),
    )
    .orderBy(asc(fileListOptions.position), asc(fileListOptions.id))
  return rows.map(({ file, message }, n) => ({
    path: file.mediaPath!,
    name: file.mediaName ?? file.name,
    mimetype: file.mediaMime ?? 'application/octet-stream',
    size: file.mediaSize,
    caption: n === 0 ? message : file.name,
  }))
}

type Place = Pick<Ticket, 'id' | 'companyId' | 'contactId' | 'queueId' | 'userId'>

/**
 * What somebody got of a campaign as bubbles of their ticket, at the time at which it left; what stands there already
 * is left as it is.
 * @param least the tick that they have at least
 */
async function bubblesIn(
  tx: Tx,
  ticket: Place,
  shipping: Shipping,
  campaign: Parameters<typeof piecesOf>[2],
  least: 1 | 2,
) {
  const { confirmationMessageId, confirmationRequestedAt, messageId, sentAt } = shipping
  const shown: (Piece & { at: Date; ack: number; isTheirs?: boolean })[] = []
  if (confirmationMessageId && confirmationRequestedAt)
    shown.push({
      ...{ messageId: confirmationMessageId, wid: shipping.confirmationWid!, body: shipping.confirmationBody ?? '' },
      ...{ file: null, at: confirmationRequestedAt, ack: 2 },
    })
  const { answerMessageId, answerWid, answerBody, answeredAt } = shipping
  if (answerMessageId && answeredAt)
    shown.push({
      ...{ messageId: answerMessageId, wid: answerWid!, body: answerBody ?? '', file: null },
      ...{ at: answeredAt, ack: 1, isTheirs: true },
    })
  if (messageId && sentAt)
    // In the order in which they left.
    for (const [n, piece] of (await piecesOf(tx, shipping, campaign)).entries())
      shown.push({ ...piece, at: new Date(sentAt.getTime() + n), ack: Math.max(least, shipping.ack) })
  if (shown.length === 0) return []
  const ids = shown.map((piece) => piece.messageId)
  const stored = await tx.select({ id: messages.id }).from(messages).where(inArray(messages.id, ids))
  const there = new Set(stored.map(({ id }) => id))
  return shown.flatMap(({ messageId: id, wid, body, file, at, ack, isTheirs = false }) => {
    if (there.has(id)) return []
    const values = {
      ...ownMessage({ id, ticketId: ticket.id, body, ...(file ? { file: { ...file, voice: false } } : {}) }, null),
      fromMe: !isTheirs,
      companyId: ticket.companyId,
      contactId: ticket.contactId,
      whatsappId: shipping.whatsappId,
      wid,
      quotedMsgId: null,
      about: isTheirs || id !== messageId ? null : shipping.about,
      ack,
      queueScope: ticket.queueId,
      userScope: ticket.userId,
      createdAt: at,
      updatedAt: at,
    }
    return [{ values, at, body }]
  })
}

const inserted = ({ values, body }: Awaited<ReturnType<typeof bubblesIn>>[number]): Decision => ({
  rows: [{ table: 'messages', op: 'insert', values }],
  texts: textsOf(values.id, body),
  effects: [],
})

/** Of who has answered: whatever they answer to has arrived. */
export const shownIn = async (
  tx: Tx,
  ticket: Place,
  shipping: Shipping,
  campaign: Parameters<typeof piecesOf>[2],
): Promise<Decision[]> => (await bubblesIn(tx, ticket, shipping, campaign, 2)).map(inserted)

/** Of who has a ticket, as the message leaves: nothing in the ticket is newer. */
export async function shownAtOnce(
  tx: Tx,
  shipping: Shipping,
  campaign: Parameters<typeof piecesOf>[2],
): Promise<Decision[]> {
  const [ticket] = await tx.select().from(tickets).where(eq(tickets.id, shipping.ticketId!))
  if (!ticket) return []
  const bubbles = await bubblesIn(tx, ticket, shipping, campaign, 1)
  const last = bubbles.at(-1)
  if (!last) return []
  const word = lastWord(ownPreview(last.values), last.values.fromMe, last.at)
  return [
    ...bubbles.map(inserted),
    { rows: [{ table: 'tickets', op: 'update', ids: [ticket.id], values: word }], effects: [] },
  ]
}
