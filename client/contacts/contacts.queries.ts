import type { ContactInput, ContactSort } from '../../schema/contacts/contacts.inputs.ts'
import { type FieldTest, isWholeTest } from '../../schema/custom-fields/custom-fields.conditions.ts'
import type { FieldPatch } from '../../schema/custom-fields/custom-fields.table.ts'
import type { ImportMode, ImportProgress, SheetMapping } from '../../schema/contacts/contacts.sheet.ts'
import { api, requestBlob, requestLines, withQuery } from '../session/api.ts'
import { filled } from '../session/own-file.ts'
import type { ListSource } from '../kit/data-list.tsx'
import { useWithOfflineCopy } from '../kit/offline-copy.ts'
import { usePages } from '../session/fetched.ts'
import { useCompanyEvent } from '../session/use-event.ts'
import { type Contact, contactsCopy } from './contacts.rows.ts'

/** Which contacts are shown, and in which order. */
export interface ContactNarrowing {
  tagIds: readonly number[]
  queueIds: readonly number[]
  whatsappIds: readonly number[]
  /** Only those with a ticket that waits or is open. */
  isServed: boolean
  /** Days on which they were first known, `YYYY-MM-DD`; '' where it does not matter. */
  from: string
  to: string
  /** Whether an e-mail address is known. */
  email: 'any' | 'with' | 'without'
  /** Fields of the company's own. */
  fields: readonly FieldTest[]
  sort: ContactSort
}
export const allContacts: ContactNarrowing = {
  tagIds: [],
  queueIds: [],
  whatsappIds: [],
  isServed: false,
  from: '',
  to: '',
  email: 'any',
  fields: [],
  sort: 'name',
}

const listed = (ids: readonly number[]) => (ids.length > 0 ? ids : undefined)

export function useContacts(search: string, narrowing: ContactNarrowing): ListSource<Contact> {
  const tests = narrowing.fields.filter(isWholeTest)
  const path = withQuery('/contacts', {
    tags: listed(narrowing.tagIds),
    queueIds: listed(narrowing.queueIds),
    whatsappIds: listed(narrowing.whatsappIds),
    isServed: narrowing.isServed || undefined,
    dateStart: narrowing.from || undefined,
    dateEnd: narrowing.to || undefined,
    hasEmail: narrowing.email === 'any' ? undefined : narrowing.email === 'with',
    fields: tests.length > 0 ? JSON.stringify(tests) : undefined,
    sort: narrowing.sort === 'name' ? undefined : narrowing.sort,
  })
  const list = usePages<Contact>(path, 'contacts', search)
  useCompanyEvent('contact', (data) => {
    const { action, contact } = (data ?? {}) as { action?: string; contact?: Contact }
    // Every inbound message may touch its contact: a change is put in its place without asking for the list.
    if (action === 'update' && contact)
      list.patch((rows) => rows.map((row) => (row.id === contact.id ? { ...row, ...contact } : row)))
    else list.reload()
  })
  return useWithOfflineCopy(list, contactsCopy(search))
}

/** What `POST /contacts` answers: the new contact, or the one that has the number already. */
type Created = Contact & { alreadyExists?: boolean; existingContact?: Contact; invalido?: boolean }

/** Why contacts seem to be one person. */
export type DuplicateReason = 'lid' | 'number' | 'email'

export interface DuplicateContact extends Omit<Contact, 'isGroup'> {
  lid: string | null
  createdAt: string
  tickets: number
  lastMessageAt: string | null
}

export interface Duplicates {
  groups: { reason: DuplicateReason; contacts: DuplicateContact[] }[]
  merges: {
    id: number
    keptId: number
    keptName: string
    goneName: string
    goneNumber: string | null
    /** Null where WhatsApp told that they are one person. */
    userName: string | null
    createdAt: string
  }[]
}

/** How a spreadsheet is read. */
export interface ImportOptions {
  country: string
  mapping: SheetMapping | null
  /** Nothing is written; what would become of the rows is counted. */
  dryRun: boolean
}

/** What a dialog calls to import, or to see what would be imported: progress as it comes; aborting stops it. */
export type RunImport = (
  file: File,
  options: ImportOptions & { mode: ImportMode },
  signal: AbortSignal,
) => AsyncIterable<ImportProgress>

export function importInto(
  path: string,
  file: File,
  { mapping, ...options }: ImportOptions & { mode?: ImportMode },
  signal: AbortSignal,
) {
  const body = filled({ file })
  const query = { ...options, mapping: mapping ? JSON.stringify(mapping) : undefined }
  return requestLines<ImportProgress>('POST', path, { body, query, signal })
}

export const contacts = {
  merge: (keptId: number, goneId: number) => api.post<{ mergeId: number }>('/contacts/merge', { keptId, goneId }),
  undoMerge: (id: number) => api.post(`/contacts/merges/${id}/undo`),
  /** Contacts as a file, its columns named in a language: all, or those of `ids`. */
  export: (format: 'xlsx' | 'csv', language: string, ids?: readonly number[]) =>
    requestBlob('/contacts/export', { query: { format, language, ids } }),
  import: ((file, options, signal) => importInto('/contacts/import', file, options, signal)) satisfies RunImport,
  create: (input: ContactInput) => api.post<Created>('/contacts', input),
  update: (id: number, input: ContactInput) => api.put<Contact>(`/contacts/${id}`, input),
  /** Fills in fields of the company's own, by their ids; null empties, the others stay. */
  fill: (id: number, fields: FieldPatch) => api.put<Contact>(`/contacts/${id}/fields`, { fields }),
  remove: (id: number) => api.delete(`/contacts/${id}`),
}
