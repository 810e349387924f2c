/** What is asked of WhatsApp: files, numbers, pictures, groups. */
import { createHash } from 'node:crypto'
import { DomainError } from '../../schema/errors.ts'
import type { ChatAddress } from '../../schema/messages/messages.content.ts'
import type { InboundEvent } from '../../schema/messages/messages.inbound.ts'
import { jidOf, type Person, personOf } from './addresses.ts'
import {
  downloadContentFromMessage,
  fetchMediaFile,
  type GroupMetadata,
  type WAMessage,
  withMediaHosts,
} from './baileys.ts'
import { mediaOf } from './from-baileys.ts'
import { type Device, encoded, type Socket, within } from './session.device.ts'

const groupMs = 5 * 60_000
const MOST_PICTURE_BYTES = 5_000_000

/** What is asked of WhatsApp over a link: files, numbers, pictures, groups. */
export class Questions {
  private readonly groups = new Map<string, { meta: GroupMetadata; until: number }>()

  constructor(private readonly device: Device) {}

  listen({ ev }: Socket): void {
    ev.on('groups.update', (updates) => {
      for (const { id } of updates) if (id) this.groups.delete(id)
    })
    ev.on('group-participants.update', ({ id }) => void this.groups.delete(id))
  }

  /**
   * Hands the decrypted bytes of a message's file to `sink`, piece by piece. A link that died is renewed by the phone.
   * Bytes that are not those that were announced fail at their end, so that the sink keeps nothing of them.
   * @throws ERR_WAPP_DOWNLOAD_MEDIA when the file is gone or damaged
   */
  async fetchMedia(
    wid: string,
    sink: (bytes: AsyncIterable<Uint8Array>) => Promise<void>,
  ): Promise<{ mimetype: string; size: number; fileName: string | null }> {
    const message = await this.device.ctx.store.message(this.device.id, wid)
    const media = mediaOf(message?.message)
    if (!message || !media) throw new DomainError('ERR_WAPP_DOWNLOAD_MEDIA', { reason: 'unknown' })
    const download = () => withMediaHosts(() => downloadContentFromMessage(media.part, media.type))
    const stream = await download().catch(async (error) => {
      if (![403, 404, 410].includes(statusOf(error)))
        throw new DomainError('ERR_WAPP_DOWNLOAD_MEDIA', { reason: String(statusOf(error) || error) })
      await within(
        60_000,
        withMediaHosts(() => this.device.open().updateMediaMessage(message as WAMessage)),
      ).catch((cause) => {
        if (cause instanceof DomainError) throw cause
        throw new DomainError('ERR_WAPP_DOWNLOAD_MEDIA', { reason: 'gone' })
      })
      await this.device.ctx.store.commit({
        protos: [{ whatsappId: this.device.id, wid, message: encoded(message), awaitingAck: false }],
      })
      return download()
    })
    let size = 0
    const hash = createHash('sha256')
    const announced = media.part.fileSha256
    await sink(
      (async function* () {
        for await (const piece of stream as AsyncIterable<Uint8Array>) {
          size += piece.length
          hash.update(piece)
          yield piece
        }
        if (announced?.length && !hash.digest().equals(announced))
          throw new DomainError('ERR_WAPP_DOWNLOAD_MEDIA', { reason: 'damaged' })
      })(),
    )
    return { mimetype: media.mimetype, size, fileName: media.fileName }
  }

  /** Asks WhatsApp who has this number; it may answer with another spelling of it (Brazil's ninth digit). */
  async checkNumber(number: string): Promise<{ number: string; lid: string | null; exists: boolean }> {
    const sock = this.device.open()
    const digits = number.replace(/\D/g, '')
    const answer = await within(this.device.ctx.timing.queryMs, sock.onWhatsApp(digits)).catch(() => {
      throw new DomainError('ERR_WAPP_CHECK_CONTACT')
    })
    // A number that nobody has is left out of the answer.
    const found = answer?.find((entry) => entry.exists)
    if (!found) return { number: digits, lid: null, exists: false }
    const lid = await within(
      this.device.ctx.timing.queryMs,
      sock.signalRepository.lidMapping.getLIDForPN(found.jid),
    ).catch(() => null)
    return { number: personOf(found.jid).number ?? digits, lid: personOf(lid).lid, exists: true }
  }

  /** The bytes of the small picture; null when there is none or it is not for us to see. */
  async profilePicture(address: ChatAddress): Promise<{ data: Uint8Array; mimetype: string } | null> {
    const sock = this.device.open()
    const url = await within(this.device.ctx.timing.queryMs, sock.profilePictureUrl(jidOf(address), 'preview')).catch(
      () => undefined,
    )
    if (!url) return null
    try {
      const response = await fetchMediaFile(url, {
        timeoutMs: this.device.ctx.timing.queryMs,
        maxBytes: MOST_PICTURE_BYTES,
      })
      if (!response.ok) return null
      return {
        data: new Uint8Array(await response.arrayBuffer()),
        mimetype: response.headers.get('content-type') ?? 'image/jpeg',
      }
    } catch {
      return null
    }
  }

  cachedGroup(jid: string): GroupMetadata | undefined {
    const found = this.groups.get(jid)
    return found && found.until > Date.now() ? found.meta : undefined
  }

  private async group(jid: string): Promise<GroupMetadata | undefined> {
    const known = this.cachedGroup(jid)
    if (known || !this.device.sock) return known
    const meta = await within(this.device.ctx.timing.queryMs, this.device.sock.groupMetadata(jid)).catch(
      () => undefined,
    )
    if (meta) this.groups.set(jid, { meta, until: Date.now() + groupMs })
    return meta
  }

  /** Fills in what only the group itself tells, outside the time in which a receipt waits: its subject, its admins. */
  async prepared(event: InboundEvent): Promise<InboundEvent> {
    if (event.kind === 'message' && event.chat.kind === 'group' && event.chatName === null) {
      const meta = await this.group(jidOf(event.chat))
      return meta ? { ...event, chatName: meta.subject } : event
    }
    if (event.kind === 'revoke' && event.chat.kind === 'group' && event.participant) {
      const meta = await this.group(jidOf(event.chat))
      return { ...event, byAdmin: meta !== undefined && isAdmin(meta, event.participant) }
    }
    return event
  }
}

function isAdmin({ participants }: GroupMetadata, { number, lid }: Person): boolean {
  return participants.some(({ id, phoneNumber, lid: other, admin }) => {
    const member = personOf(id, phoneNumber, other)
    return Boolean(admin) && ((number !== null && member.number === number) || (lid !== null && member.lid === lid))
  })
}

function statusOf(error: unknown): number {
  return Number((error as { output?: { statusCode?: number } } | null)?.output?.statusCode ?? 0)
}
