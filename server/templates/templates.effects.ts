import { eq } from 'drizzle-orm'
import { DomainError } from '../../schema/errors.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import type { HasTemplates } from '../channels/channel.port.ts'
import type { Db } from '../db/database.ts'
import type { Events } from '../events/bus.ts'
import { GiveUp, type Handlers } from '../jobs/worker.ts'
import { keepTemplates, noteTemplate } from './templates.changes.ts'

interface Deps {
  db: Db
  channel: Pick<HasTemplates, 'templates'>
  events: Pick<Events, 'emit'>
  now(): Date
  /** Whatever waits for a template looks again. */
  poke(whatsappId: number): void
}

/**
 * Asks for the templates of a connection and keeps what is told. @throws what the port throws
 */
export async function fetchTemplates(deps: Deps, companyId: number, whatsappId: number): Promise<void> {
  const begun = deps.now()
  const given = await deps.channel.templates(whatsappId)
  await keepTemplates(deps.db, { companyId, whatsappId }, given, { begun, now: deps.now() })
  deps.events.emit({ companyId, name: 'template', action: 'reload' })
  deps.poke(whatsappId)
}

export const templateEffects = (deps: Deps): Pick<Handlers, 'templates.fetch'> => ({
  'templates.fetch': async ({ whatsappId, notice }, { companyId }) => {
    const [row] = await deps.db.select({ id: whatsapps.id }).from(whatsapps).where(eq(whatsapps.id, whatsappId))
    if (!row) return
    await fetchTemplates(deps, companyId, whatsappId).catch((error: unknown) => {
      // A token without the right will not get it by asking again; the screen says what is wrong.
      const failure = error instanceof DomainError ? error.params['failure'] : undefined
      if (error instanceof DomainError && failure !== 'passing' && failure !== 'rate') throw new GiveUp(error.code)
      throw error
    })
    if (notice) await noteTemplate(deps.db, whatsappId, notice, deps.now())
  },
})
