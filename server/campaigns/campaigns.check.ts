import { eq } from 'drizzle-orm'
import { bulkLines, type Shipping, shippings } from '../../schema/campaigns/campaigns.table.ts'
import type { ShippingEvent } from '../../schema/campaigns/shippings.transition.ts'
import { numberKey } from '../../schema/contacts/contacts.phone.ts'
import { isCannot } from '../../schema/whatsapps/whatsapps.providers.ts'
import { violates } from '../commands/apply.ts'
import { noteNumber } from '../contact-lists/contact-lists.changes.ts'
import { inEitherSpelling } from '../contacts/contacts.spelling.queries.ts'
import type { Db } from '../db/database.ts'
import type { Sessions } from '../http/deps.ts'
import type { Logger } from '../log.ts'
import { lockShippings, moveShippings } from './campaigns.writes.ts'

/** Asks WhatsApp whether there is anybody at a number, before something is sent to it. */
export interface CheckDeps {
  db: Db
  now(): Date
  log: Logger
  checkNumber: Sessions['checkNumber']
  changed(campaign: { id: number; companyId: number }): void
}

/** @returns what asks about one person of a campaign; the line of the connection waits for `gapMs` after a number that is nobody's */
export function createNumberCheck({ db, now, log, changed, checkNumber }: CheckDeps) {
  const check = inEitherSpelling(checkNumber)
  const happened = ({ id, companyId }: Shipping, event: ShippingEvent, at: Date) =>
    db.transaction(async (tx) => {
      const rows = await lockShippings(tx, eq(shippings.id, id))
      await moveShippings(
        tx,
        companyId,
        rows.map((row) => ({ row, event })),
        at,
      )
    })
  const isAt = async (
    shipping: Shipping,
    { number, lid = null }: { number: string; lid?: string | null },
    at: Date,
  ) => {
    try {
      await happened(shipping, { type: 'found', number, lid, key: numberKey(number) }, at)
    } catch (error) {
      if (!violates(error, 'shippings_person')) throw error
      // The same person by another spelling.
      await happened(shipping, { type: 'double' }, at)
    }
  }
  const pauseLine = (whatsappId: number, at: Date, ms: number) =>
    db
      .update(bulkLines)
      .set({ nextAt: new Date(at.getTime() + ms) })
      .where(eq(bulkLines.whatsappId, whatsappId))

  return async (whatsappId: number, shipping: Shipping, gapMs: number): Promise<void> => {
    const at = now()
    let found: Awaited<ReturnType<Sessions['checkNumber']>>
    try {
      found = await check(whatsappId, shipping.number)
    } catch (error) {
      // Over this wire nobody can be asked: the message itself will tell.
      if (isCannot(error)) return isAt(shipping, { number: shipping.number }, at)
      log.warn({ err: error, shipping: shipping.id }, 'a number could not be checked')
      await Promise.all([happened(shipping, { type: 'unsure' }, at), pauseLine(whatsappId, at, 15_000)])
      return
    }
    if (shipping.itemId !== null) await noteNumber(db, { id: shipping.itemId, number: shipping.number }, found, at)
    if (!found) {
      await Promise.all([happened(shipping, { type: 'missing', whatsappId }, at), pauseLine(whatsappId, at, gapMs)])
      changed({ id: shipping.campaignId, companyId: shipping.companyId })
      return
    }
    await isAt(shipping, found, at)
  }
}
