import { DAY_MS } from '../../schema/durations.ts'
import { and, or, type SQL, sql } from 'drizzle-orm'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import type { SegmentRule } from '../../schema/segments/segments.inputs.ts'
import { fieldCondition } from '../custom-fields/custom-fields.queries.ts'

/** The key of a contact's rows of campaigns; see `optOutKey` and `lidOf`. */
const shippingKey = sql`coalesce(number_key(${contacts.number}), 'lid:' || coalesce(${contacts.lid}, ${contacts.id}::text))`

/** What is true of the contacts of a segment. */
export function segmentWhere(companyId: number, match: 'all' | 'any', rules: readonly SegmentRule[], now: Date): SQL {
  const since = (days: number) => new Date(now.getTime() - days * DAY_MS).toISOString()
  const each = rules.map((rule): SQL => {
    switch (rule.kind) {
      case 'tag':
        return sql`EXISTS (SELECT FROM tickets t WHERE t."contactId" = ${contacts.id} AND t."companyId" = ${companyId} AND t."tagIds" @> ARRAY[${rule.tagId}]::int[])`
      case 'queue':
        return sql`EXISTS (SELECT FROM tickets t WHERE t."contactId" = ${contacts.id} AND t."companyId" = ${companyId} AND t."queueId" = ${rule.queueId})`
      case 'lastContact':
        return rule.when === 'within'
          ? sql`${contacts.activeOn} >= ${since(rule.days).slice(0, 10)}::date`
          : sql`${contacts.activeOn} <= ${since(rule.days).slice(0, 10)}::date`
      case 'lastCampaign': {
        const got = sql`EXISTS (SELECT FROM shippings s WHERE s."companyId" = ${companyId} AND s."key" = ${shippingKey} AND s."sentAt" >= ${since(rule.days)}::timestamptz)`
        return rule.when === 'within' ? got : sql`NOT ${got}`
      }
      case 'field':
        return sql`EXISTS (SELECT FROM jsonb_array_elements(${contacts.extraInfo}) e WHERE plain(e->>'name') = plain(${rule.name}) AND plain(e->>'value') = plain(${rule.value}))`
      case 'ownField':
        return fieldCondition(contacts.fields, rule.test)
      case 'list':
        return sql`EXISTS (SELECT FROM contact_list_items i WHERE i."companyId" = ${companyId} AND i."contactListId" = ${rule.contactListId} AND i."key" = number_key(${contacts.number}))`
    }
  })
  return (match === 'all' ? and(...each) : or(...each)) ?? sql`false`
}
