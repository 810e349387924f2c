import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DomainError } from '../../schema/errors.ts'
import { type Bounds, OutOfBounds, runBounded } from '../bounded.ts'
import { Crowded, createFairQueue } from '../fair-queue.ts'
import { scratchFolder } from '../scratch.ts'
import type { ReportSheet } from './reports.sheet.ts'

/** A report of a year with all its rows takes a second; one that takes longer than this is none of ours. */
const bounds: Bounds = { ms: 10_000, memory: 300_000_000 }
const turns = createFairQueue({ atOnce: 2, waiting: 8, eachAtOnce: 1, eachWaiting: 2 })

export interface PdfOrder {
  into: string
  /** The company, and the days. */
  subtitle: string
  /** Above what the figures mean. */
  meaningsTitle: string
  sheet: ReportSheet
}

/**
 * A report on paper, made by a process of its own: names of strangers stand in it.
 * @throws DomainError `ERR_TOO_MANY_REQUESTS` while too many are being made
 */
export async function pdfOf(companyId: number, order: Omit<PdfOrder, 'into'>): Promise<Uint8Array<ArrayBuffer>> {
  const folder = scratchFolder('report')
  try {
    const into = join(folder, 'report.pdf')
    await turns.take(companyId, () =>
      runBounded<{ pages: number }>(join(import.meta.dir, 'reports.pdf.child.ts'), { ...order, into }, bounds),
    )
    return await Bun.file(into).bytes()
  } catch (error) {
    if (error instanceof Crowded || error instanceof OutOfBounds)
      throw new DomainError('ERR_TOO_MANY_REQUESTS', { retryAfter: 10 })
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
