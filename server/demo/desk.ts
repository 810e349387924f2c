import { asc, eq, inArray } from 'drizzle-orm'
import { customFields } from '../../schema/custom-fields/custom-fields.table.ts'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { HOUR_MS, MINUTE_MS } from '../../schema/durations.ts'
import { rules } from '../../schema/rules/rules.table.ts'
import { savedFilters } from '../../schema/filters/filters.table.ts'
import { uuidv7From } from '../../schema/ids.ts'
import { macros } from '../../schema/macros/macros.table.ts'
import { settings } from '../../schema/settings/settings.table.ts'
import { slaPolicies } from '../../schema/sla-policies/sla-policies.table.ts'
import { ticketEvents, tickets } from '../../schema/tickets/tickets.table.ts'
import { userQueues, users } from '../../schema/users/users.table.ts'
import type { Db } from '../db/database.ts'
import { chance, isoDay } from './files.ts'
import { districts, team } from './texts.ts'

/** The two queues whose people are the team's. */
export const teamQueues = [
  {
    name: 'Atacado',
    color: '#7c2d12',
    orderQueue: 4,
    greetingMessage: 'Olá! Qual é o seu pedido de hoje?',
    assignment: 'leastBusy' as const,
    whenAway: 'others' as const,
    lastAgentFirst: true,
  },
  {
    name: 'Eventos',
    color: '#be185d',
    orderQueue: 5,
    greetingMessage: 'Olá! Conte para a gente como será a festa.',
    assignment: 'skill' as const,
    whenAway: 'queue' as const,
  },
]

/** The people of the two newest queues, as `fillTeam` wants them. */
export async function hireTeam(
  db: Db,
  { companyId, whatsappId, passwordHash }: { companyId: number; whatsappId: number; passwordHash: string },
  { queueIds, tagIds }: { queueIds: readonly number[]; tagIds: readonly number[] },
  now: Date,
): Promise<{ id: number; name: string; queue: number }[]> {
  const made = await db
    .insert(users)
    .values(
      team.map(({ name, mail, skills = [], capacity = null, awayFor }) => ({
        ...{ companyId, name, email: `${mail}@padaria.test`, passwordHash, whatsappId, capacity },
        skillIds: skills.map((tag) => tagIds[tag]!),
        ...(awayFor && { awayAt: now, awayUntil: new Date(now.getTime() + awayFor * HOUR_MS) }),
      })),
    )
    .returning()
  await db
    .insert(userQueues)
    .values(team.map(({ queue }, i) => ({ companyId, userId: made[i]!.id, queueId: queueIds[queue]! })))
  return made.map(({ id, name }, i) => ({ id, name, queue: team[i]!.queue }))
}

/**
 * What the bakery has set up so that nobody is forgotten: what it promises, its own fields, macros, views and a rule; and what
 * some have done with it today: put aside, called a supervisor, filled in.
 */
export async function furnishDesk(
  db: Db,
  {
    companyId,
    headId,
    queueIds,
    tagIds,
  }: { companyId: number; headId: number; queueIds: readonly number[]; tagIds: readonly number[] },
  now: Date,
): Promise<void> {
  await db.insert(settings).values({ companyId, key: 'agentCapacity', value: '10' })
  await db.insert(slaPolicies).values([
    {
      ...{ companyId, name: 'Atacado', position: 1, queueIds: [queueIds[3]!], escalateUserIds: [headId] },
      ...{ firstAnswer: 30, nextAnswer: 120, resolution: 480 },
    },
    { companyId, name: 'Todos os clientes', position: 2, firstAnswer: 120, nextAnswer: 360, resolution: 1_440 },
  ])
  const fieldIds = await fillFields(db, companyId)
  await db.insert(macros).values([
    {
      ...{ companyId, userId: headId, name: 'Pedido confirmado', shortcut: 'confirmado', sharing: 'company' as const },
      actions: [
        { type: 'message', body: 'Pedido confirmado, {{firstName}}! Avisamos quando sair do forno. 🥖' },
        { type: 'field', fieldId: fieldIds.pickup, value: 'loja' },
        { type: 'snooze', until: 'tomorrow' },
      ],
    },
    {
      ...{
        companyId,
        userId: headId,
        name: 'Passar para o financeiro',
        shortcut: 'financeiro',
        sharing: 'company' as const,
      },
      actions: [
        { type: 'message', body: 'Vou passar você para o financeiro, que responde em seguida.' },
        { type: 'queue', queueId: queueIds[2]! },
      ],
    },
    {
      ...{ companyId, userId: headId, name: 'Reclamação de entrega', shortcut: 'faltou', sharing: 'queues' as const },
      queueIds: [queueIds[3]!],
      actions: [
        { type: 'tag', add: [tagIds[1]!], remove: [] },
        { type: 'note', note: 'Faltou mercadoria: conferir com a expedição.' },
      ],
    },
  ])
  await db.insert(rules).values({
    ...{ companyId, name: 'Quem quer cancelar', position: 1, active: true, activeSince: now, trigger: 'messageIn' },
    conditions: [{ kind: 'words', words: ['cancelar', 'desistir', 'estorno'], not: false }],
    actions: [
      { type: 'tag', add: [tagIds[1]!], remove: [] },
      { type: 'note', note: 'Fala em cancelar: oferecer outra data antes do estorno.' },
    ],
  })
  const keys = chance(77)
  await db.insert(savedFilters).values(
    [
      { name: 'Esperam resposta', color: '#dc2626', filter: { unansweredOnly: true } },
      { name: 'Atacado e eventos', color: '#7c2d12', filter: { queueIds: [queueIds[3]!, queueIds[4]!] } },
      { name: 'Festas', color: '#0d9488', filter: { tagIds: [tagIds[2]!] } },
    ].map((view, position) => ({
      ...{
        id: uuidv7From(now.getTime(), keys.bytes(10)),
        companyId,
        userId: headId,
        sharing: 'company' as const,
        position,
      },
      ...view,
    })),
  )
  await fillToday(db, companyId, { fieldIds, queueIds }, now)
}

/** Fields that the bakery has given its contacts and its orders. */
async function fillFields(db: Db, companyId: number) {
  const [birthday, district, date, pickup] = await db
    .insert(customFields)
    .values([
      { companyId, entity: 'contact', name: 'Aniversário', key: 'aniversario', type: 'date', position: 0 },
      {
        ...{ companyId, entity: 'contact', name: 'Entrega em', key: 'entrega_em', type: 'choice', position: 1 },
        options: districts.map((label, i) => ({ id: `bairro-${i}`, label })),
      },
      { companyId, entity: 'ticket', name: 'Data da encomenda', key: 'data_da_encomenda', type: 'date', position: 0 },
      {
        ...{ companyId, entity: 'ticket', name: 'Retirada', key: 'retirada', type: 'choice', position: 1 },
        options: [
          { id: 'loja', label: 'Na loja' },
          { id: 'entrega', label: 'Entrega' },
        ],
      },
    ])
    .returning({ id: customFields.id })
  return { birthday: birthday!.id, district: district!.id, date: date!.id, pickup: pickup!.id }
}

/** What was done today in the two newest queues, each as the command would have left it. */
async function fillToday(
  db: Db,
  companyId: number,
  { fieldIds, queueIds }: { fieldIds: Awaited<ReturnType<typeof fillFields>>; queueIds: readonly number[] },
  now: Date,
): Promise<void> {
  const open = await db
    .select()
    .from(tickets)
    .where(inArray(tickets.queueId, [queueIds[3]!, queueIds[4]!]))
    .orderBy(asc(tickets.id))
  const served = open.filter(({ status }) => status === 'open')
  const line = (
    { id: ticketId, queueId, userId }: (typeof served)[number],
    kind: (typeof ticketEvents.$inferInsert)['kind'],
    data: Record<string, string | number | null>,
  ) => ({
    ...{
      id: `demo:${ticketId}:${kind}`,
      companyId,
      ticketId,
      kind,
      userId,
      data,
      queueScope: queueId,
      userScope: userId,
    },
    createdAt: new Date(now.getTime() - MINUTE_MS),
  })
  const [tomorrow, answer, called] = [served[2]!, served[5]!, served[8]!]
  const until = new Date(now.getTime() + 20 * HOUR_MS)
  const note = 'Ligar para confirmar o número de convidados'
  await db
    .update(tickets)
    .set({ snoozedUntil: until, snoozeNote: note, snoozedBy: tomorrow.userId })
    .where(eq(tickets.id, tomorrow.id))
  await db
    .update(tickets)
    .set({ supervisorCalledAt: new Date(now.getTime() - 4 * MINUTE_MS), supervisorCalledBy: called.userId })
    .where(eq(tickets.id, called.id))
  await db
    .insert(ticketEvents)
    .values([
      line(tomorrow, 'snoozed', { until: until.getTime(), keep: 0, note }),
      line(called, 'supervisor_called', { note: 'Pede desconto acima do que posso dar.' }),
    ])
  for (const [i, { id }] of served.entries())
    if (i % 2 === 0)
      await db
        .update(tickets)
        .set({
          fields: {
            [fieldIds.date]: isoDay(now.getTime() + (2 + i) * 24 * HOUR_MS),
            [fieldIds.pickup]: i % 4 === 0 ? 'loja' : 'entrega',
          },
        })
        .where(eq(tickets.id, id))
  await db
    .update(contacts)
    .set({ fields: { [fieldIds.birthday]: '1987-05-16', [fieldIds.district]: 'bairro-1' } })
    .where(inArray(contacts.id, [tomorrow.contactId, answer.contactId, called.contactId]))
}
