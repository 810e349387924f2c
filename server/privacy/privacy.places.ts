import { type SQL, sql } from 'drizzle-orm'
import type { ErasedKind } from '../../schema/privacy/privacy.kinds.ts'

/**
 * What erasing a person does with each table of the product, and with each that a wire keeps: the one list. A table that
 * is missing here fails `privacy.places.test.ts`; so does a column of text that stays in a row of the person and is not named.
 */

/** Whose data: by ids that stay, and by what they were known before the erasing began. */
export interface Person {
  companyId: number
  contactId: number
  /** Digits of numbers and LIDs, ids of the official API. */
  names: readonly string[]
  /** Numbers in one of their spellings, see `numberKey`. */
  keys: readonly string[]
  lids: readonly string[]
}

interface Base {
  /** Counted so in previews and proofs; none: it goes along uncounted. */
  kind?: ErasedKind
}
/** Rows of the person go. */
interface Erases extends Base {
  does: 'erases'
  /** Of which rows, by the name `t`; several conditions are asked one after the other, each by its index. */
  of(person: Person): SQL | SQL[]
  /** Columns of `t` that name a file of the media store. */
  files?: readonly string[]
  /** There is no index to find them by, and there are few: they are found in one statement, however many rows are read. */
  whole?: true
}
/** Rows stay, so that figures do, without what is the person's. */
interface Empties extends Base {
  does: 'empties'
  of(person: Person): SQL | SQL[]
  files?: readonly string[]
  /** Text and JSON columns that are the person's, and what stands there afterwards. */
  to: Readonly<Record<string, SQL>>
  /** Other text and JSON columns, which say nothing of a person. */
  stays: readonly string[]
  /** Other columns that are set. */
  besides?: Readonly<Record<string, SQL>>
  /** Of which rows this is done already. */
  done: SQL
}
/** Goes with a row that hangs on another table of this list, by a foreign key. */
interface Follows {
  does: 'follows'
  with: string
}
/** Is sealed: each row is opened, and what it says of the person goes, see `withoutPerson`. */
interface Opens extends Base {
  does: 'opens'
  /** Of which rows, by the name `t`. */
  of(person: Person): SQL
  /** The column that is sealed. */
  column: string
  /** Where a row's value lives, see `Sealer`. */
  place: SQL
  /** The key of the table. */
  id: string
  /** Told in clear, why it was not taken. */
  error?: string
  /** What becomes of a row that tells of nobody else: it goes, or is left without its value. */
  empties?: true
}
/** Is left as it is. */
interface Keeps {
  does: 'keeps'
  why: string
}
export type Place = Erases | Empties | Opens | Follows | Keeps

const list = (values: readonly string[]) => sql`${sql.param([...values])}::text[]`
const ticketsOf = ({ contactId }: Person) => sql`(SELECT k."id" FROM "tickets" k WHERE k."contactId" = ${contactId})`
const messagesOf = (person: Person) => sql`(SELECT m."id" FROM "messages" m WHERE m."ticketId" IN ${ticketsOf(person)})`
const groupsOf = ({ companyId }: Person) =>
  sql`(SELECT k."id" FROM "tickets" k WHERE k."companyId" = ${companyId} AND k."isGroup")`
/** Where their numbers or ids stand in what is kept as text; eight digits or more, which name nobody else. */
const names = (column: SQL, person: Person) =>
  sql`EXISTS (SELECT FROM unnest(${list(person.names.filter((name) => name.length >= 8))}) n WHERE position(n IN ${column}) > 0)`
const company = ({ companyId }: Person) => sql`t."companyId" = ${companyId}`

const ofTicket = (person: Person) => sql`t."ticketId" IN ${ticketsOf(person)}`
const ofMessage = (person: Person) => sql`t."messageId" IN ${messagesOf(person)}`
const ofContact = ({ contactId }: Person) => sql`t."contactId" = ${contactId}`
/** Their own conversations, and what they said in groups. */
const ofWords = (person: Person) => [
  ofTicket(person),
  sql`t."ticketId" IN ${groupsOf(person)} AND t."participantNumber" = ANY(${list(person.names)})`,
]
const byKey = (person: Person) =>
  sql`${company(person)} AND (t."key" = ANY(${list(person.keys)}) OR t."lid" = ANY(${list(person.lids)}))`
const byWid = (person: Person) =>
  sql`(t."whatsappId", t."wid") IN (SELECT m."whatsappId", m."wid" FROM "messages" m
    WHERE m."ticketId" IN ${ticketsOf(person)} AND m."wid" IS NOT NULL)`
const connectionsOf = ({ companyId }: Person) =>
  sql`(SELECT w."id" FROM "whatsapps" w WHERE w."companyId" = ${companyId})`

const hex = sql`upper(replace(t."id", '-', ''))`
/** What `widOf` makes of a message's id: it says nothing of a person, and that it was not written on the phone. */
const ownWid = sql`'3EB0' || rpad(left(substr(${hex}, 15) || substr(${hex}, 3, 10), 18), 18, '0')`
const withoutWid = sql`(t."wid" IS NULL OR t."wid" LIKE 'erased:%' OR t."wid" = ${ownWid})`

const none = sql`NULL`
const nothing = sql`''`
const noList = sql`'[]'::jsonb`
const noObject = sql`'{}'::jsonb`

const counts: Keeps = { does: 'keeps', why: 'counts, and names nobody' }
const ids: Keeps = { does: 'keeps', why: 'holds ids only' }
const companys: Keeps = { does: 'keeps', why: 'what the company set up, of no contact' }
const peoples: Keeps = { does: 'keeps', why: 'of people who work for the company' }
const operators: Keeps = { does: 'keeps', why: 'the installation’s, of no contact' }

/** In the order in which they are worked off: what finds the others goes last. */
export const places: Readonly<Record<string, Place>> = {
  // What the wires keep, found by the ids of messages, which go later.
  whatsapp_protos: { does: 'erases', kind: 'wire', of: byWid },
  cloud_sends: { does: 'erases', kind: 'wire', of: byWid },
  cloud_media: { does: 'erases', kind: 'wire', of: byWid },
  cloud_changes: {
    ...{ does: 'erases', kind: 'wire' },
    of: (person) => sql`t."whatsappId" IN ${connectionsOf(person)} AND ${names(sql`t."key"`, person)}`,
  },
  cloud_chats: {
    ...{ does: 'erases', kind: 'wire' },
    of: (person) => sql`t."whatsappId" IN ${connectionsOf(person)} AND t."number" = ANY(${list(person.names)})`,
  },
  whatsapp_keys: {
    ...{ does: 'erases', kind: 'wire', whole: true },
    of: (person) =>
      sql`t."whatsappId" IN ${connectionsOf(person)} AND t."type" IN ('session', 'device-list', 'lid-mapping', 'tctoken', 'sender-key', 'identity-key')
        AND regexp_split_to_array(t."id", '[^0-9A-Za-z]+') && ${list(person.names)}`,
  },
  // What came and is not taken in: within seconds mostly, and for as long as nobody looks at it where it cannot be.
  whatsapp_journal: {
    ...{ does: 'opens', kind: 'wire', id: 'id', column: 'event', place: sql`'journal/' || t."id"`, error: 'error' },
    of: (person) => sql`t."whatsappId" IN ${connectionsOf(person)}`,
  },
  cloud_history: {
    ...{ does: 'opens', kind: 'wire', id: 'id', column: 'body', place: sql`'cloud_history:' || t."whatsappId"` },
    of: (person) => sql`t."whatsappId" IN ${connectionsOf(person)}`,
  },
  // That the same bytes came before is remembered by their hash.
  cloud_hooks: {
    ...{ does: 'opens', kind: 'wire', id: 'id', column: 'body', place: sql`'cloud_hooks:' || t."hook"` },
    ...{ error: 'error', empties: true },
    of: (person) => sql`t."body" IS NOT NULL AND t."hook" IN (SELECT n."hook" FROM "cloud_numbers" n
      WHERE n."whatsappId" IN ${connectionsOf(person)}) AND coalesce(t."lockedUntil" < now(), true)`,
  },
  // The service's id of a message has the number in it. The ledger is what the company pays by.
  message_costs: {
    ...{ does: 'empties', kind: 'wire' },
    of: ofTicket,
    to: { wamid: sql`'erased:' || encode(sha256(convert_to(t."wamid", 'UTF8')), 'hex')` },
    stays: ['category', 'type', 'market', 'messageId', 'template'],
    done: sql`t."wamid" LIKE 'erased:%'`,
  },

  // What stands beside messages and tickets.
  message_texts: { does: 'erases', of: ofMessage },
  voice_transcripts: { does: 'erases', kind: 'automation', of: ofMessage },
  automation_states: { does: 'erases', kind: 'automation', of: ofTicket },
  automation_decisions: { does: 'erases', kind: 'traces', of: ofTicket },
  rule_runs: { does: 'erases', kind: 'traces', of: ofTicket },
  flow_runs: {
    ...{ does: 'erases', kind: 'automation' },
    of: ofContact,
  },
  flow_trails: { does: 'follows', with: 'flow_runs' },
  flow_logs: { does: 'follows', with: 'flow_runs' },
  drafts: { does: 'erases', kind: 'drafts', of: ofTicket },
  ticket_notes: { does: 'erases', kind: 'notes', of: ofTicket },
  mentions: { does: 'follows', with: 'ticket_notes' },
  schedules: { does: 'erases', kind: 'schedules', of: ofContact, files: ['mediaPath'] },
  jobs: {
    ...{ does: 'erases', kind: 'jobs', whole: true },
    of: (person) => sql`${company(person)} AND t."kind" NOT IN ('privacy.erase', 'media.release') AND (
      t."payload"->>'contactId' = ${String(person.contactId)}
      OR t."payload"->>'ticketId' IN (SELECT k."id"::text FROM "tickets" k WHERE k."contactId" = ${person.contactId})
      OR t."payload"->>'messageId' IN ${messagesOf(person)}
      OR ${names(sql`t."payload"::text`, person)})`,
  },
  command_log: {
    ...{ does: 'erases', kind: 'jobs', whole: true },
    of: (person) => sql`${company(person)} AND ${names(sql`t."result"::text`, person)}`,
  },
  webhook_outbox: {
    ...{ does: 'erases', kind: 'webhooks', whole: true },
    of: (person) => sql`${company(person)} AND t."type" <> 'contact.erased' AND (
      t."ticketId" IN ${ticketsOf(person)} OR (t."type" LIKE 'contact.%' AND t."subject" = ${String(person.contactId)})
      OR ${names(sql`t."data"::text`, person)})`,
  },
  webhook_deliveries: {
    ...{ does: 'erases', kind: 'webhooks', whole: true },
    of: (person) => sql`t."webhookId" IN (SELECT w."id" FROM "webhooks" w WHERE w."companyId" = ${person.companyId})
      AND t."type" <> 'contact.erased' AND (
      t."payload"::jsonb #>> '{data,contact,id}' = ${String(person.contactId)}
      OR t."payload"::jsonb #>> '{data,ticket,contactId}' = ${String(person.contactId)}
      OR ${names(sql`t."payload"`, person)})`,
  },
  shippings: {
    ...{ does: 'empties', kind: 'campaigns' },
    of: (person) => [byKey(person), ofTicket(person)],
    to: {
      ...{ name: nothing, number: nothing, key: sql`'erased:' || t."id"`, lid: none, email: nothing, body: none },
      ...{ about: none, wid: none, messageId: none, confirmationBody: none, confirmationWid: none },
      ...{ confirmationMessageId: none, answerBody: none, answerWid: none, answerMessageId: none },
      // A word of ours, or what the service said, which may name the number.
      reason: sql`CASE WHEN t."reason" ~ '^[a-z_]{1,40}$' THEN t."reason" END`,
    },
    stays: ['state'],
    besides: { itemId: none, dueAt: none, ticketId: sql`t."ticketId"` },
    done: sql`t."key" LIKE 'erased:%'`,
  },
  contact_list_items: {
    ...{ does: 'erases', kind: 'lists' },
    of: (person) => {
      const inLists = sql`t."contactListId" IN (SELECT l."id" FROM "contact_lists" l WHERE l."companyId" = ${person.companyId})`
      return [
        sql`${inLists} AND t."key" = ANY(${list(person.keys)})`,
        sql`${inLists} AND t."lid" = ANY(${list(person.lids)})`,
      ]
    },
  },
  opt_outs: {
    ...{ does: 'empties', kind: 'optOuts' },
    of: byKey,
    to: {
      ...{ number: nothing, key: sql`'erased:' || t."id"`, lid: none, text: nothing, messageId: none },
      ...{ revokedMessageId: none, reason: none },
    },
    stays: ['source'],
    done: sql`t."key" LIKE 'erased:%'`,
  },
  privacy_exports: { does: 'erases', kind: 'exports', of: ofContact, files: ['path'] },
  privacy_requests: {
    ...{ does: 'empties', kind: 'requests' },
    of: ofContact,
    to: { subject: nothing, note: nothing },
    stays: ['kind', 'law', 'state'],
    done: sql`t."subject" = '' AND t."note" = ''`,
  },
  // What the contact said of a service; how they rated it counts on.
  ratings: { does: 'empties', of: ofTicket, to: { comment: none }, stays: [], done: sql`t."comment" IS NULL` },
  report_services: {
    ...{ does: 'empties', of: ofTicket, to: { comment: none } },
    stays: ['outcome', 'botEnd'],
    done: sql`t."comment" IS NULL`,
  },
  ticket_events: {
    does: 'empties',
    of: ofTicket,
    to: { data: sql`t."data" - ARRAY['note', 'before', 'text', 'reason', 'contact']` },
    stays: ['id', 'kind'],
    done: sql`NOT t."data" ?| ARRAY['note', 'before', 'text', 'reason', 'contact']`,
  },
  messages: {
    ...{ does: 'empties', kind: 'messages' },
    of: ofWords,
    files: ['mediaPath'],
    to: {
      // Another one of its own, so that reports know what came from the phone.
      wid: sql`CASE WHEN ${withoutWid} THEN t."wid" ELSE 'erased:' || t."id" END`,
      ...{ participantName: none, participantNumber: none, body: nothing, mediaType: sql`'chat'` },
      ...{ mediaState: sql`'none'`, mediaPath: none, mediaName: none, mediaMime: none, waveform: none },
      ...{ ackError: none, earlierBodies: noList, reactions: noList, quotedMsgId: none, about: none },
    },
    stays: ['id'],
    besides: {
      ...{ isCut: sql`false`, isVoice: sql`false`, isEdited: sql`false`, isDeleted: sql`true` },
      ...{ mediaSize: none, mediaSeconds: none, updatedAt: sql`now()` },
    },
    done: sql`t."isDeleted" AND ${withoutWid} AND t."body" = '' AND t."mediaPath" IS NULL AND t."about" IS NULL
      AND t."participantNumber" IS NULL AND t."participantName" IS NULL AND t."mediaName" IS NULL AND t."ackError" IS NULL
      AND t."quotedMsgId" IS NULL AND t."reactions" = '[]' AND t."earlierBodies" = '[]' AND t."mediaType" = 'chat'`,
  },
  tickets: {
    ...{ does: 'empties', kind: 'tickets' },
    of: ofContact,
    to: { lastMessage: nothing, snoozeNote: none, fields: noObject },
    stays: ['status', 'nextDueMetric'],
    done: sql`t."lastMessage" = '' AND t."snoozeNote" IS NULL AND t."fields" = '{}'`,
  },
  contact_aliases: { does: 'erases', kind: 'names', of: ofContact },
  contact_merges: {
    ...{ does: 'erases', kind: 'names', whole: true },
    of: (person) =>
      sql`${company(person)} AND (t."keptId" = ${person.contactId} OR t."before"->'gone'->>'id' = ${String(person.contactId)}
        OR ${names(sql`t."before"::text`, person)})`,
  },
  // Already without names when the work begins: whoever looks for the person finds nobody.
  contacts: {
    does: 'empties',
    of: ({ contactId }) => sql`t."id" = ${contactId}`,
    to: {
      ...{ number: none, lid: none, username: none, email: nothing, profilePicUrl: none },
      ...{ extraInfo: noList, fields: noObject },
    },
    stays: ['name', 'nameSource'],
    besides: { numberAt: none },
    done: sql`t."number" IS NULL AND t."lid" IS NULL AND t."username" IS NULL AND t."profilePicUrl" IS NULL`,
  },

  // What stays.
  audit_entries: { does: 'keeps', why: 'the law wants it kept; it names contacts by their ids' },
  audit_anchors: counts,
  audit_heads: counts,
  invoices: { does: 'keeps', why: 'the law wants it kept; between the company and the operator' },
  invoice_charges: { does: 'keeps', why: 'the law wants it kept; between the company and the operator' },
  erasures: { does: 'keeps', why: 'the proof of it: an id, counts and hashes' },
  erased_opt_outs: { does: 'keeps', why: 'a keyed hash, so that who wants no messages gets none' },
  privacy_holds: ids,
  ticket_trackings: counts,
  report_hours: counts,
  report_states: counts,
  report_stale: ids,
  report_views: peoples,
  report_schedules: peoples,
  ticket_merges: ids,
  ticket_taggings: ids,
  sla_states: counts,
  sla_clocks: counts,
  bulk_sends: ids,
  bulk_lines: counts,
  flow_counts: counts,
  cost_days: counts,
  cost_notices: counts,
  usage_days: counts,
  company_usage: counts,
  company_usage_days: counts,
  cloud_ignored: counts,
  cloud_numbers: companys,
  whatsapps: companys,
  whatsapp_queues: companys,
  whatsapp_credentials: companys,
  whatsapp_leases: operators,
  chats: { does: 'keeps', why: 'what colleagues say to each other; of no contact' },
  chat_users: peoples,
  chat_messages: { does: 'keeps', why: 'what colleagues say to each other; of no contact' },
  api_keys: companys,
  campaign_settings: companys,
  campaigns: companys,
  companies: companys,
  contact_lists: companys,
  custom_fields: companys,
  file_list_options: companys,
  file_lists: companys,
  flow_campaigns: companys,
  flow_defaults: companys,
  flow_files: companys,
  flow_nodes: companys,
  flow_secrets: companys,
  flow_versions: companys,
  flows: companys,
  macros: companys,
  message_prices: companys,
  oidc_providers: companys,
  oidc_subjects: peoples,
  prompts: companys,
  queue_integrations: companys,
  queue_options: companys,
  queues: companys,
  quick_messages: companys,
  roles: companys,
  rules: companys,
  saved_filters: companys,
  segments: companys,
  settings: companys,
  sla_policies: companys,
  tags: companys,
  templates: companys,
  webhooks: companys,
  passkey_challenges: peoples,
  passkeys: peoples,
  password_resets: peoples,
  push_preferences: peoples,
  push_subscriptions: peoples,
  sessions: peoples,
  two_factors: peoples,
  user_queues: peoples,
  users: peoples,
  announcements: operators,
  branding: operators,
  clock_leases: operators,
  backup_runs: operators,
  helps: operators,
  payment_accounts: operators,
  plans: operators,
  push_keys: operators,
  due_notices: counts,
  prompt_usage: counts,
  queue_turns: counts,
}

export type ErasablePlace = Erases | Empties
export type SealedPlace = Opens
/** The conditions of a place that find what is left to do. */
export const leftIn = (place: ErasablePlace, person: Person): SQL[] =>
  [place.of(person)].flat().map((which) => (place.does === 'empties' ? sql`${which} AND NOT (${place.done})` : which))
/** Those with something to do, in their order. */
export const erasablePlaces = Object.entries(places).filter(
  (entry): entry is [string, ErasablePlace] => entry[1].does === 'erases' || entry[1].does === 'empties',
)
/** Those whose rows are sealed. */
export const sealedPlaces = Object.entries(places).filter(
  (entry): entry is [string, Opens] => entry[1].does === 'opens',
)
