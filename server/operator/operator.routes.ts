import { Elysia, t } from 'elysia'
import { DomainError } from '../../schema/errors.ts'
import { domainWord } from '../../schema/oidc/oidc.inputs.ts'
import type { UsageDay } from '../../schema/usage/usage.table.ts'
import { audit } from '../audit/audit.changes.ts'
import { migrationState } from '../db/migrate.ts'
import { countOddMoney, moneyTotals } from '../invoices/invoices.queries.ts'
import { disproveDomain, proveDomain } from '../oidc/oidc.changes.ts'
import { listDomains } from '../oidc/oidc.queries.ts'
import { cached } from '../cached.ts'
import { type ColumnNames, csvOf, headerOf, sheetLanguage, sheetResponse } from '../contacts/contacts.sheets.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demandSuper } from '../http/guard.ts'
import { patterned } from '../../schema/inputs.ts'
import { cursorQuery, day, idParams, isRealDay, searchParam } from '../http/inputs.ts'
import {
  backupState,
  countConnections,
  jobCounts,
  listConnections,
  listFailedJobs,
  planWarnings,
} from './operator.queries.ts'
import { discardJob, retryJob } from './operator.writes.ts'
import {
  listCompanyDays,
  listCompanyUsage,
  listUsage,
  type UsageOrder,
  usageOrders,
  type UsageSpan,
} from './operator.usage.ts'

const tags = ['operator']
const PER_PAGE = 40
/** Between two days, or the last ones: 30 where nothing is said. */
const span = { from: day, to: day, days: t.Optional(t.Numeric({ minimum: 1, maximum: 366, multipleOf: 1 })) }
/** @throws DomainError `ERR_VALIDATION` for a day that the calendar does not have */
function realSpan(wish: UsageSpan): UsageSpan {
  for (const name of ['from', 'to'] as const)
    if (wish[name] && !isRealDay(wish[name]))
      throw new DomainError('ERR_VALIDATION', { fields: [{ path: `query/${name}`, message: 'no such day' }] })
  return wish
}
const usageColumns = {
  day: ['dia', 'día', 'day'],
  companies: ['empresas', 'empresas', 'companies'],
  activeUsers: ['usuários ativos', 'usuarios activos', 'active users'],
  messagesIn: ['mensagens recebidas', 'mensajes recibidos', 'messages received'],
  messagesOut: ['mensagens enviadas', 'mensajes enviados', 'messages sent'],
  tickets: ['atendimentos', 'tickets', 'tickets'],
  connections: ['conexões', 'conexiones', 'connections'],
} satisfies ColumnNames
const usageFields = Object.keys(usageColumns) as (keyof typeof usageColumns & keyof UsageDay)[]

/** How the installation is, for who runs it: of all companies, and of none what is said. */
export const operatorDayRoutes = (deps: AppDeps) =>
  new Elysia().use(system(deps)).use(usage(deps)).use(companiesHealth(deps)).use(givenUpJobs(deps))

function system(deps: AppDeps) {
  const { db, sql, now } = deps
  // Postgres asks the disk for the size of each of its files: once a minute will do.
  const stored = cached(async () => {
    const [row] = await sql<{ version: string; bytes: string }[]>`
      SELECT current_setting('server_version') AS version, pg_database_size(current_database())::text AS bytes`
    return row
  }, 60_000)
  // Each open tab asks once a minute, and ten thousand companies' invoices are added up for it.
  const money = cached(() => moneyTotals(db, now()))

  return new Elysia({ prefix: '/operator' }).use(authed(deps)).get(
    '/system',
    async ({ who }) => {
      demandSuper(who)
      const [{ known, applied }, server, counts, connections, oddMoney, totals, account, backups] = await Promise.all([
        migrationState(sql),
        stored.of(0),
        jobCounts(db),
        countConnections(db),
        countOddMoney(db),
        money.of(0),
        deps.payments.account(),
        deps.config.backup ? backupState(db) : null,
      ])
      return {
        version: deps.version,
        postgres: server?.version ?? '',
        databaseBytes: Number(server?.bytes ?? 0),
        migrations: { applied: applied.length, pending: known.filter((hash) => !applied.includes(hash)).length },
        jobs: counts,
        connections,
        oddMoney,
        backups,
        money: { ...totals, canBePaid: account !== null },
      }
    },
    {
      detail: {
        tags,
        summary: 'Version, schema, how many jobs, connections and payments wait for somebody, and how the backups are',
      },
    },
  )
}

/** What the installation, and each company, did. */
function usage(deps: AppDeps) {
  const { db, now } = deps
  return new Elysia({ prefix: '/operator' })
    .use(authed(deps))
    .get(
      '/usage',
      async ({ who, query: { format, language, ...span } }) => {
        demandSuper(who)
        const days = await listUsage(db, realSpan(span), now())
        if (format !== 'csv') return days
        async function* lines(): AsyncGenerator<string[]> {
          for (const row of days.records) yield usageFields.map((column) => String(row[column] ?? ''))
        }
        const name = `usage-${now().toISOString().slice(0, 10)}`
        return sheetResponse(csvOf(headerOf(usageColumns, language), lines()), { name, format: 'csv' })
      },
      {
        query: t.Object({
          ...span,
          format: t.Optional(t.Union([t.Literal('json'), t.Literal('csv')])),
          language: sheetLanguage,
        }),
        detail: {
          tags,
          summary:
            'What the installation did by day, the oldest first, as it was counted last: the last `days`, or between `from` and `to`; `format=csv` as a file',
        },
      },
    )
    .get(
      '/usage/companies',
      ({ who, query: { order, searchParam, cursor, limit } }) => {
        demandSuper(who)
        const wish = { order: order ?? 'messagesIn', search: searchParam, cursor, limit: limit ?? PER_PAGE }
        return listCompanyUsage(db, wish)
      },
      {
        query: t.Object({
          order: t.Optional(t.Unsafe<UsageOrder>(t.Union(usageOrders.map((order) => t.Literal(order))))),
          searchParam,
          cursor: t.Optional(patterned({ maxLength: 30, pattern: '^[0-9]{1,15}:[0-9]{1,9}$' })),
          limit: cursorQuery.limit,
        }),
        detail: {
          tags,
          summary: 'What each company has, and did in 30 days, the busiest first: how much, never what',
        },
      },
    )
    .get(
      '/usage/companies/:id',
      async ({ who, params, query }) => {
        demandSuper(who)
        return listCompanyDays(db, params.id, realSpan(query), now())
      },
      {
        params: idParams,
        query: t.Object(span),
        detail: { tags, summary: 'What one company did by day, the oldest first' },
      },
    )
}

/** Of all companies: connections, domains of sign-in, and who nears the end of a plan. */
function companiesHealth(deps: AppDeps) {
  const { db, now } = deps
  return new Elysia({ prefix: '/operator' })
    .use(authed(deps))
    .get(
      '/connections',
      ({ who, query: { cursor, limit, state } }) => {
        demandSuper(who)
        return listConnections(db, { cursor, limit: limit ?? PER_PAGE, broken: state === 'broken' })
      },
      {
        query: t.Object({ ...cursorQuery, state: t.Optional(t.Union([t.Literal('broken'), t.Literal('all')])) }),
        detail: { tags, summary: 'Health of the connections of all companies, never their contents' },
      },
    )
    .get(
      '/domains',
      async ({ who }) => {
        demandSuper(who)
        return { records: await listDomains(db) }
      },
      { detail: { tags, summary: 'The e-mail domains by which companies sign in, those without a proof first' } },
    )
    .put(
      '/domains',
      async ({ who, body: { companyId, domain: given, proven } }) => {
        demandSuper(who)
        const domain = given.toLowerCase()
        const isDone = proven
          ? await proveDomain(db, { companyId, domain, by: 'operator' }, now())
          : await disproveDomain(db, { companyId, domain }, now())
        if (!isDone) throw new DomainError('ERR_NOT_FOUND')
        return { companyId, domain, proven }
      },
      {
        body: domainWord,
        detail: { tags, summary: 'Say that a domain is a company’s, in place of a DNS record, or that it is not' },
      },
    )
    .get(
      '/plan-warnings',
      async ({ who }) => {
        demandSuper(who)
        return { records: await planWarnings(db) }
      },
      { detail: { tags, summary: 'Who uses 80 % or more of what their plan allows' } },
    )
}

function givenUpJobs(deps: AppDeps) {
  const { db, now } = deps
  return new Elysia({ prefix: '/operator' })
    .use(authed(deps))
    .get(
      '/jobs',
      ({ who, query: { cursor, limit } }) => {
        demandSuper(who)
        return listFailedJobs(db, { cursor, limit: limit ?? PER_PAGE })
      },
      {
        query: t.Object(cursorQuery),
        detail: { tags, summary: 'Jobs that were given up, newest first, without what they carry' },
      },
    )
    .post(
      '/jobs/:id/retry',
      async ({ who, params }) => {
        demandSuper(who)
        if (!(await retryJob(db, params.id, now()))) throw new DomainError('ERR_NOT_FOUND')
        await audit(db, { companyId: who.companyId, action: 'start', entity: 'job', id: params.id })
        return { id: params.id }
      },
      { params: idParams, detail: { tags, summary: 'Try a job again that was given up' } },
    )
    .delete(
      '/jobs/:id',
      async ({ who, params }) => {
        demandSuper(who)
        if (!(await discardJob(db, params.id))) throw new DomainError('ERR_NOT_FOUND')
        await audit(db, { companyId: who.companyId, action: 'delete', entity: 'job', id: params.id })
        return { id: params.id }
      },
      { params: idParams, detail: { tags, summary: 'Forget a job that was given up' } },
    )
}
