import type { TObject, TSchema } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'
import { and, eq, inArray } from 'drizzle-orm'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { DomainError } from '../../schema/errors.ts'
import type { ProgramSaying } from '../../schema/external/external.inputs.ts'
import type { Card } from '../../schema/messages/messages.cards.ts'
import type { Place } from '../../schema/messages/messages.content.ts'
import type { ProgramTemplate } from '../../schema/templates/templates.inputs.ts'
import type { OwnFile } from '../../schema/messages/messages.own.ts'
import { fileName, isMultipart, readUpload } from '../http/body.ts'
import type { AppDeps } from '../http/deps.ts'
import { unlessRefused } from '../http/unless-refused.ts'
import { limits } from '../limits.ts'
import { createFileFetcher, type FetchedFile } from '../media/media.fetched.ts'

/** What a program says, past the door. */
export interface Said {
  body: string
  files: OwnFile[]
  place: Place | null
  cards: Card[] | null
  template: ProgramTemplate | null
  quotedMsgId: string | null
}

/**
 * Takes what programs send: JSON, with a file from an address or in base64, or a form with files. What was stored of a
 * call that is refused goes again.
 */
export function createIntake({ config, db, limiter, media, outside }: AppDeps) {
  const fetchFile = createFileFetcher({ media, outside })
  const fetches = limiter('programFiles', limits.programFiles)

  /** Fetches the file that a program names, into the media store. */
  const fileAt = async (companyId: number, url: string, key: string | undefined): Promise<FetchedFile> => {
    const retryAfter = config.limitCalls ? fetches.take(String(companyId)) : 0
    if (retryAfter > 0) throw new DomainError('ERR_TOO_MANY_REQUESTS', { retryAfter })
    return fetchFile(companyId, url, {
      ...{ maxBytes: config.maxUploadBytes, key, field: 'mediaUrl', otherwise: 'file' },
    })
  }

  const fileIn = async (
    companyId: number,
    { name: given, mimetype = 'application/octet-stream', base64 }: NonNullable<ProgramSaying['file']>,
    key: string | undefined,
  ): Promise<FetchedFile> => {
    const name = fileName(given)
    const bytes = Buffer.from(base64, 'base64')
    // What is no base64 would be left out without a word.
    const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0
    if (bytes.length === 0 || bytes.length !== Math.floor(((base64.length - padding) * 3) / 4))
      throw new DomainError('ERR_VALIDATION', { fields: [{ path: 'body/file/base64', message: 'base64' }] })
    const { maxUploadBytes: maxBytes } = config
    return { ...(await media.put(companyId, bytes, { name, mimetype, maxBytes, strict: true, key })), name }
  }

  return {
    /**
     * Reads a call, and does with it what `work` does.
     * @param json its body; null for a form
     * @param key the caller's own, so that the same upload sent again lands in the same place
     * @throws DomainError `ERR_VALIDATION` where it says nothing, or several things at once; what `work` throws
     */
    async take<S extends TObject, T>(
      {
        request,
        json,
        schema,
        companyId,
        key,
      }: { request: Request; json: unknown; schema: S; companyId: number; key: string | null },
      work: (input: S['static'], said: Said) => Promise<T>,
    ): Promise<T> {
      const placeKey = (i: number) => (key === null ? undefined : `${key} ${i}`)
      const stored: FetchedFile[] = []
      return unlessRefused({ db, media }, stored, async () => {
        const input = isMultipart(request) ? await form() : json
        demandValid(schema, input)
        const { body = '', mediaUrl, file, location, contacts: shared, template = null } = input as ProgramSaying
        const { quotedMessageId = null } = input as ProgramSaying
        const ways = [
          mediaUrl !== undefined,
          file !== undefined,
          location !== undefined,
          shared !== undefined,
          // A template may begin with a file.
          template !== null && mediaUrl === undefined && file === undefined,
          stored.length > 0,
        ]
        const used = ways.filter(Boolean).length
        if (used > 1 || (used === 0 && !/\S/.test(body)) || ((location || shared || template) && body !== ''))
          throw new DomainError('ERR_VALIDATION', {
            fields: [
              { path: 'body/body', message: 'one of: body, mediaUrl, file, medias, location, contacts, template' },
            ],
          })
        if (mediaUrl !== undefined) stored.push(await fileAt(companyId, mediaUrl, placeKey(0)))
        if (file !== undefined) stored.push(await fileIn(companyId, file, placeKey(0)))
        const files = stored.map(({ path, name, mimetype, size }) => ({ path, name, mimetype, size, voice: false }))
        const place = location ? { ...location, name: location.name ?? '' } : null
        const cards = shared ? await cardsNamed(db, companyId, shared) : null
        return work(input as S['static'], { body, files, place, cards, template, quotedMsgId: quotedMessageId })
      })

      async function form() {
        const { maxUploadBytes: maxBytes } = config
        const upload = await readUpload(request, { media, companyId, maxBytes, keyOf: (_fields, i) => placeKey(i) })
        stored.push(...upload.files)
        return fieldsAs(schema, upload.fields)
      }
    },
  }
}

/**
 * The cards that a program names.
 * @throws DomainError `ERR_NO_CONTACT_FOUND`; `ERR_CONTACT_NO_NUMBER` for a contact without one
 */
async function cardsNamed(
  db: AppDeps['db'],
  companyId: number,
  named: NonNullable<ProgramSaying['contacts']>,
): Promise<Card[]> {
  const ids = named.flatMap((one) => ('contactId' in one ? one.contactId : []))
  const isNamed = and(eq(contacts.companyId, companyId), inArray(contacts.id, ids), eq(contacts.isGroup, false))
  const found =
    ids.length === 0
      ? []
      : await db.select({ id: contacts.id, name: contacts.name, number: contacts.number }).from(contacts).where(isNamed)
  return named.map((one) => {
    if ('number' in one) return { name: one.name.trim(), number: one.number }
    const { contactId } = one
    const contact = found.find(({ id }) => id === contactId)
    if (!contact) throw new DomainError('ERR_NO_CONTACT_FOUND', { contactId })
    if (!contact.number) throw new DomainError('ERR_CONTACT_NO_NUMBER', { contactId })
    return { name: contact.name.trim() || contact.number, number: contact.number }
  })
}

const checks = new WeakMap<TSchema, TypeCheck<TSchema>>()

/** @throws DomainError `ERR_VALIDATION` */
function demandValid(schema: TSchema, input: unknown): void {
  let check = checks.get(schema)
  if (!check) checks.set(schema, (check = TypeCompiler.Compile(schema)))
  if (check.Check(input)) return
  const fields = [...check.Errors(input)].slice(0, 20).map(({ path, message }) => ({ path: `body${path}`, message }))
  throw new DomainError('ERR_VALIDATION', { fields })
}

/** A form has text only: what each field is, its schema says. */
function fieldsAs(schema: TObject, fields: Record<string, string>): Record<string, unknown> {
  const entries = Object.entries(schema.properties).flatMap(([name, { type }]): [string, unknown][] => {
    const text = fields[name]
    if (text === undefined || text === '') return []
    return [[name, type === 'integer' ? Number(text) : type === 'boolean' ? text === 'true' : text]]
  })
  return Object.fromEntries(entries)
}
