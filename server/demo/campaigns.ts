import { and, asc, eq, gt, isNotNull } from 'drizzle-orm'
import { campaigns, campaignSettings } from '../../schema/campaigns/campaigns.table.ts'
import { contactListItems, contactLists } from '../../schema/contact-lists/contact-lists.table.ts'
import { numberKey } from '../../schema/contacts/contacts.phone.ts'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { weekdays } from '../../schema/hours/hours.open.ts'
import { segments } from '../../schema/segments/segments.table.ts'
import type { Db } from '../db/database.ts'
import { noteOptOuts } from '../opt-outs/opt-outs.changes.ts'

/** So many stand on the list; the first contacts are being served, and are left alone. */
const LISTED = 200
const FROM = 60
const SECONDS = 5
/** Every so many of them: has left, or has no WhatsApp. */
const LEFT_EACH = 20
const NO_WHATSAPP_EACH = 25

/** Two hundred customers and a campaign to them, which whoever looks around can try dry, start, pause and read. */
export async function seedCampaign(
  db: Db,
  of: { companyId: number; whatsappId: number; queueId: number; tagId: number },
  now: Date,
): Promise<void> {
  const { companyId, whatsappId, queueId, tagId } = of
  const people = await db
    .select()
    .from(contacts)
    .where(and(eq(contacts.companyId, companyId), isNotNull(contacts.number), gt(contacts.id, 0)))
    .orderBy(asc(contacts.id))
    .offset(FROM)
    .limit(LISTED)
  const [list] = await db.insert(contactLists).values({ companyId, name: 'Clientes da padaria' }).returning()
  await db.insert(contactListItems).values(
    people.map(({ name, number: known }, i) => {
      const isValid = i % NO_WHATSAPP_EACH !== NO_WHATSAPP_EACH - 1
      // Whoever has written has WhatsApp, whatever their line says: theirs is a number that nobody has.
      const number = isValid ? known! : `55113${String(4_000_000 + i)}`
      return {
        ...{ companyId, contactListId: list!.id, name, number, key: numberKey(number) },
        ...{ isWhatsappValid: isValid, checkedAt: now },
      }
    }),
  )
  const left = people
    .filter((_, i) => i % LEFT_EACH === 1)
    .map(({ number, lid }) => ({ number: number!, lid, source: 'word' as const, text: 'SAIR' }))
  await db.transaction((tx) => noteOptOuts(tx, companyId, left, now))
  await db.insert(segments).values({
    ...{ companyId, name: 'Clientes fiéis', match: 'all' as const },
    rules: [{ kind: 'tag' as const, tagId }],
  })
  const allDay = [{ from: '00:00', to: '23:59' }]
  await db.insert(campaignSettings).values([
    { companyId, key: 'messageInterval', value: SECONDS },
    { companyId, key: 'longerIntervalAfter', value: 0 },
    // Whoever looks around does so at any hour.
    {
      ...{ companyId, key: 'hours' },
      value: { periods: Object.fromEntries(weekdays.map((weekday) => [weekday, allDay])), holidays: [] },
    },
    { companyId, key: 'variables', value: [{ key: 'oferta', value: 'panetone artesanal a R$ 39' }] },
  ])
  await db.insert(campaigns).values({
    ...{ companyId, whatsappId, contactListId: list!.id, replyQueueId: queueId, name: 'Natal na padaria' },
    message1:
      'Oi, {nome}! Chegou o Natal na Padaria Balcão: {oferta}. Quer reservar o seu? Para não receber, responda SAIR.',
    message2:
      '{nome}, o seu panetone já está no forno: {oferta}. Guardamos um para você? Para não receber, responda SAIR.',
    ...{ weights: [1, 1, 0, 0, 0], bulkGuard: true, seed: 20_241_225 },
  })
}
