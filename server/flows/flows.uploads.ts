import { DomainError } from '../../schema/errors.ts'
import { type FlowFileKind, flowFileKinds } from '../../schema/flows/flows.edits.inputs.ts'
import { flowFiles } from '../../schema/flows/flows.table.ts'
import { newId } from '../../schema/ids.ts'
import type { Db } from '../db/database.ts'
import type { StoredFile } from '../media/media-store.ts'

type UploadedFile = StoredFile & { name: string }

export const LARGEST_FLOW_FILE = Math.max(...Object.values(flowFileKinds).map(({ limit }) => limit))

/**
 * The type that a stored file is served under.
 * @throws DomainError `ERR_FILE_TYPE`, `ERR_FILE_TOO_LARGE`
 */
function typeOf({ path, mimetype, size }: UploadedFile, kinds: readonly FlowFileKind[]): string {
  // Of what is recognised by its first bytes, the store names the extension.
  const extension = path.slice(path.lastIndexOf('.') + 1)
  for (const kind of kinds) {
    const { types, limit } = flowFileKinds[kind]
    const type = (types as Record<string, string>)[extension]
    // A document is what its extension says; a browser may call a table of words anything.
    const isAlike =
      kind === 'document' || type?.split('/')[0] === mimetype.split('/')[0] || mimetype === 'application/ogg'
    if (!type || !isAlike) continue
    if (size > limit) throw new DomainError('ERR_FILE_TOO_LARGE', { limit })
    return type
  }
  const allowed = kinds.flatMap((kind) => Object.values<string>(flowFileKinds[kind].types))
  throw new DomainError('ERR_FILE_TYPE', { found: mimetype, allowed: [...new Set(allowed)] })
}

/** The name that nodes know a file by: unique, and good in an address. */
function nameOf({ name, path }: UploadedFile): string {
  const bare = name
    .replace(/\.[^.]*$/, '')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9-]+/g, '_')
    .slice(0, 60)
  return `${newId().slice(-12)}-${bare || 'file'}${path.slice(path.lastIndexOf('.'))}`
}

/**
 * Keeps what was uploaded for flows to send.
 * @returns the names that nodes know the files by, in the order of the form
 * @throws DomainError `ERR_FILE_REQUIRED`, `ERR_FILE_TYPE`, `ERR_FILE_TOO_LARGE`
 */
export async function keepFlowFiles(
  db: Db,
  companyId: number,
  files: readonly UploadedFile[],
  kinds: readonly FlowFileKind[],
): Promise<string[]> {
  if (files.length === 0) throw new DomainError('ERR_FILE_REQUIRED')
  const rows = files.map((file) => ({
    companyId,
    name: nameOf(file),
    mediaPath: file.path,
    mediaName: file.name,
    mediaMime: typeOf(file, kinds),
    mediaSize: file.size,
  }))
  await db.insert(flowFiles).values(rows)
  return rows.map(({ name }) => name)
}
