import type { Static } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { type importChoices, sheetMapping } from '../../schema/contacts/contacts.inputs.ts'
import type { ImportProgress, SheetMapping } from '../../schema/contacts/contacts.sheet.ts'
import { DomainError } from '../../schema/errors.ts'
import { countsOf, mappingOf, type Reading, readingOf } from '../../schema/contacts/contacts.reading.ts'
import { callingCodeOf } from '../companies/companies.queries.ts'
import { readSheet, type Sheet } from '../contacts/contacts.sheet.ts'
import type { Principal } from '../../schema/permissions.ts'
import type { Db } from '../db/database.ts'
import type { Logger } from '../log.ts'
import { readMultipart } from '../media/multipart.ts'
import { createFairQueue } from '../fair-queue.ts'
import { isMultipart } from './body.ts'
import { demand } from './guard.ts'
import { isTrue } from './inputs.ts'
import { parseJson } from './json.ts'
import { answerLines } from './lines.ts'

/** The spreadsheet in the first file of a form. @throws DomainError `ERR_FILE_REQUIRED`, `ERR_FILE_TOO_LARGE` */
async function uploadedSheet(companyId: number, request: Request): Promise<Sheet> {
  if (isMultipart(request))
    for await (const part of readMultipart(request))
      if (part.filename !== undefined) return await readSheet(companyId, part)
  throw new DomainError('ERR_FILE_REQUIRED')
}

const imports = createFairQueue({ atOnce: 6, waiting: 0, eachAtOnce: 2, eachWaiting: 0 })

interface SheetImport {
  request: Request
  db: Db
  who: Principal
  query: Omit<Static<typeof importChoices>, 'mode'>
  log: Logger
  work(reading: Reading): AsyncGenerator<ImportProgress>
  /** Called when the file is understood, before anything is written; never for a dry run, as what follows. */
  begun(): Promise<void>
  told?(progress: ImportProgress): void
  ended?(): Promise<void>
}

/** What is common to the descriptions of all imports. */
export const importDescription =
  'Answers a line of JSON for each piece of work: `{total, done, rows}`. Closing the connection cancels the rest. With ' +
  '`dryRun` nothing is written: the first line shows the top of the file and how its columns are understood, and the ' +
  'last one counts what would become of the rows.'

/**
 * Takes a spreadsheet in and answers what becomes of it, or what would. Whatever it is of, it asks `contacts:import`: of
 * thousands of numbers it says which were there.
 * @throws DomainError `ERR_NO_PERMISSION`; those of `readSheet` and `readingOf`; `ERR_TOO_MANY_REQUESTS` when no place is free
 */
export async function answerImport({
  request,
  db,
  who,
  query,
  log,
  work,
  begun,
  told,
  ended,
}: SheetImport): Promise<Response> {
  demand(who, 'contacts:import')
  const { companyId } = who
  const said = query.mapping ? mappingIn(query.mapping) : undefined
  const dryRun = isTrue(query.dryRun)
  const sheet = await uploadedSheet(companyId, request)
  let leave: (() => void) | undefined
  try {
    const mapping = mappingOf(sheet, said)
    // Somebody is asked which column has the numbers before there is anything to count.
    const country = query.country ?? (await callingCodeOf(db, who.companyId))
    const reading = dryRun && mapping.number === null ? null : readingOf(sheet, mapping, { country, dryRun })
    leave = placeForImport(companyId)
    if (!dryRun) await begun()
    const lines = async function* (): AsyncGenerator<ImportProgress> {
      yield {
        total: Math.max(0, sheet.total - mapping.headerLine),
        done: 0,
        rows: [],
        sheet: { lines: sheet.top, mapping },
      }
      if (reading) yield* countsOf(work(reading))
    }
    return answerLines({
      work: dryRun ? lines() : work(reading!),
      log: log.child({ companyId }),
      ...(!dryRun && told && { told }),
      ended: async () => {
        leave?.()
        await sheet.remove()
        if (!dryRun) await ended?.()
      },
    })
  } catch (error) {
    leave?.()
    await sheet.remove()
    throw error
  }
}

const isMapping = TypeCompiler.Compile(sheetMapping)

/** @throws DomainError `ERR_VALIDATION` */
function mappingIn(text: string): SheetMapping {
  const value: unknown = parseJson(Buffer.from(text), 'query/mapping')
  if (!isMapping.Check(value))
    throw new DomainError('ERR_VALIDATION', { fields: [{ path: 'query/mapping', message: 'which columns are what' }] })
  return value
}

/**
 * A place among the imports, whatever is imported.
 * @returns gives it back
 * @throws DomainError `ERR_TOO_MANY_REQUESTS`
 */
function placeForImport(companyId: number): () => void {
  try {
    return imports.hold(companyId)
  } catch {
    throw new DomainError('ERR_TOO_MANY_REQUESTS', { retryAfter: 10 })
  }
}
