import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { auditFilter, auditPage } from '../../schema/audit/audit.inputs.ts'
import { dateOf } from '../../schema/inputs.ts'
import type { Principal } from '../../schema/permissions.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demand, demandSuper } from '../http/guard.ts'
import { queryId } from '../http/inputs.ts'
import { type ColumnNames, csvOf, headerOf, sheetLanguage, sheetResponse } from '../contacts/contacts.sheets.ts'
import { audit } from './audit.changes.ts'
import { type AuditWish, auditRows, listAudit, verifyAudit } from './audit.queries.ts'

const tags = ['audit']
const PER_PAGE = 40

/** Of another company: the operator only. */
const filter = { ...auditFilter, userId: queryId, companyId: queryId }
/** Their names are for people. What stands below is the entry itself, of which each hash is made. */
const columns = {
  seq: ['nº', 'n.º', 'no.'],
  at: ['quando', 'cuándo', 'when'],
  actorKind: ['tipo de autor', 'tipo de autor', 'kind of author'],
  actorId: ['id do autor', 'id del autor', 'author id'],
  actorName: ['autor', 'autor', 'author'],
  operator: ['operador', 'operador', 'operator'],
  action: ['ação', 'acción', 'action'],
  entity: ['o quê', 'qué', 'what'],
  entityId: ['id', 'id', 'id'],
  before: ['antes', 'antes', 'before'],
  after: ['depois', 'después', 'after'],
  ip: ['endereço IP', 'dirección IP', 'IP address'],
  prevHash: ['hash anterior', 'hash anterior', 'previous hash'],
  hash: ['hash', 'hash', 'hash'],
} satisfies ColumnNames
const fields = Object.keys(columns) as (keyof typeof columns)[]

/** Who changed what, and from where. */
export function auditRoutes(deps: AppDeps) {
  const { db, sealer, now } = deps

  const companyOf = (who: Principal, companyId: number | undefined): number => {
    demand(who, 'audit:read')
    if (companyId === undefined || companyId === who.companyId) return who.companyId
    demandSuper(who)
    return companyId
  }
  type Asked = Omit<Partial<AuditWish>, 'from' | 'to'> & { from?: string; to?: string }
  const wishOf = ({ entity, entityId, action, userId, from, to }: Asked): AuditWish => ({
    ...{ entity, entityId, action, userId },
    from: from === undefined ? undefined : dateOf(from, 'query/from'),
    to: to === undefined ? undefined : dateOf(to, 'query/to'),
  })

  return new Elysia({ prefix: '/audit' })
    .use(authed(deps))
    .get(
      '/',
      ({ who, query }) =>
        listAudit(db, companyOf(who, query.companyId), wishOf(query), {
          before: query.cursor === undefined ? undefined : Number(query.cursor),
          limit: Number(query.limit ?? PER_PAGE),
        }),
      {
        query: Type.Object({ ...filter, ...auditPage }),
        detail: { tags, summary: 'The audit log, the latest first; admins, `companyId` for the operator' },
      },
    )
    .get(
      '/export',
      async ({ who, query }) => {
        const companyId = companyOf(who, query.companyId)
        const wish = wishOf(query)
        await audit(db, { companyId, action: 'export', entity: 'audit' })
        async function* lines(): AsyncGenerator<string[]> {
          for await (const entry of auditRows(db, companyId, wish))
            yield fields.map((column) => {
              const value = entry[column]
              if (value === null) return ''
              if (value instanceof Date) return value.toISOString()
              return typeof value === 'object' ? JSON.stringify(value) : String(value)
            })
        }
        const name = `audit-${now().toISOString().slice(0, 10)}`
        return sheetResponse(csvOf(headerOf(columns, query.language), lines()), { name, format: 'csv' })
      },
      {
        query: Type.Object({ ...filter, language: sheetLanguage }),
        detail: {
          tags,
          summary:
            'The same as a file, the oldest first; `language` names the columns, below them stand the codes and fields over which the hashes are counted',
        },
      },
    )
    .get('/verify', ({ who, query }) => verifyAudit(db, sealer, companyOf(who, query.companyId)), {
      query: Type.Object({ companyId: queryId }),
      detail: {
        tags,
        summary:
          'Whether each entry is what it was when it was written; and nothing is gone; `brokenAt` is the first that is not',
      },
    })
}
