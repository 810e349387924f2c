import { and, eq, inArray, isNull, or } from 'drizzle-orm'
import { cloudNumbers } from '../../schema/whatsapps/cloud-store.table.ts'
import type { CloudHistoryState } from '../../schema/whatsapps/whatsapps.cloud.inputs.ts'
import type { Db } from '../db/database.ts'
import { type Graph, type GraphAccess, GraphError } from './graph.ts'

interface Deps {
  db: Db
  graph: Graph
  now(): Date
}

interface Row extends GraphAccess {
  whatsappId: number
  phoneNumberId: string
  historyAskedAt: Date | null
}

/** What the service says to who has had it, comes after the day in which it may be asked for, or may not have it. */
const codes = { had: 2_593_107, late: 2_593_108, declined: 2_593_109 } as const
const stateOf = (error: unknown): CloudHistoryState =>
  error instanceof GraphError && error.code === codes.late
    ? 'late'
    : error instanceof GraphError && error.code === codes.declined
      ? 'declined'
      : 'refused'

/**
 * Has the service tell of the past of a phone that shares its number: the contact book first, so that the messages find their
 * people's names. Each is given once, within a day of the sign-up; what was asked for before is on its way.
 * @throws GraphError, GraphSilence; what it refused is kept, too
 */
export async function askPast({ db, graph, now }: Deps, row: Row): Promise<void> {
  const { whatsappId, phoneNumberId, historyAskedAt } = row
  const ofIt = eq(cloudNumbers.whatsappId, whatsappId)
  // What it tells may come before its answer, and stands above what is noted here.
  const untold = or(isNull(cloudNumbers.historyState), inArray(cloudNumbers.historyState, ['asked', 'late', 'refused']))
  const note = (historyState: CloudHistoryState) =>
    db.update(cloudNumbers).set({ historyState }).where(and(ofIt, untold))
  // Where its answer is lost, the next call is told that it was given.
  await db.update(cloudNumbers).set({ historyAskedAt: now() }).where(ofIt)
  const ask = (sync_type: string) =>
    graph.call(row, `${phoneNumberId}/smb_app_data`, {
      ...{ method: 'POST', body: { messaging_product: 'whatsapp', sync_type } },
    })
  const unlessHad = (error: unknown) => {
    if (!(error instanceof GraphError && error.code === codes.had)) throw error
  }
  try {
    await ask('smb_app_state_sync').catch(unlessHad)
    await ask('history').catch((error: unknown) => {
      if (historyAskedAt === null) throw error
      unlessHad(error)
    })
  } catch (error) {
    await note(stateOf(error))
    throw error
  }
  await note('asked')
}
