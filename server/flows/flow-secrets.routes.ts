import { and, eq } from 'drizzle-orm'
import { Elysia } from 'elysia'
import { DomainError } from '../../schema/errors.ts'
import { changedFlowSecret, MOST_SECRETS, newFlowSecret, triedCall } from '../../schema/flows/flows.edits.inputs.ts'
import { flowSecrets } from '../../schema/flows/flows.table.ts'
import type { Principal } from '../../schema/permissions.ts'
import { call } from '../automation/automation.effects.ts'
import { violates } from '../commands/apply.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demand } from '../http/guard.ts'
import { idParams } from '../http/inputs.ts'
import { listSecrets, openSecrets, sealedSecret } from './flow-secrets.queries.ts'

const tags = ['flows']

/** Keys that the calls of flows need. They are written and never read: whoever forgets one writes another. */
export function flowSecretRoutes(deps: AppDeps) {
  const { db, sealer, now } = deps
  const one = (who: Principal, id: number) => and(eq(flowSecrets.companyId, who.companyId), eq(flowSecrets.id, id))
  const need = async (who: Principal, id: number) => {
    const [row] = await db.select({ id: flowSecrets.id, name: flowSecrets.name }).from(flowSecrets).where(one(who, id))
    if (!row) throw new DomainError('ERR_NO_FLOW_SECRET_FOUND')
    return row
  }
  return new Elysia()
    .use(authed(deps))
    .get(
      '/flowsecret',
      async ({ who }) => {
        demand(who, 'automations:write')
        return { secrets: await listSecrets(db, who.companyId) }
      },
      { detail: { tags, summary: 'The names of keys that calls of flows use, and which flows use them' } },
    )
    .post(
      '/flowbuilder/call',
      async ({ who, body }) => {
        demand(who, 'automations:write')
        const open = (companyId: number, names: readonly string[], host: string | null) =>
          openSecrets(db, sealer, companyId, names, host)
        const {
          ok,
          status,
          body: answer,
        } = await call({ outside: deps.outside, log: deps.log, openSecrets: open }, who.companyId, body)
        return { ok, status, body: answer }
      },
      {
        body: triedCall,
        detail: {
          tags,
          summary: 'Try an outside call',
          description:
            'As a flow would make it, with the limits that a flow has: https, no address inside, 10 s, 64 KB. `ok` is false ' +
            'where no answer came. Secrets are named by `{"secret": name}`, sent to their own hosts only (`ERR_FLOW_SECRET_HOST`), and ' +
            'masked in what comes back.',
        },
      },
    )
    .post(
      '/flowsecret',
      async ({ who, body: { name, value, hosts = [] } }) => {
        demand(who, 'automations:write')
        const { companyId, userId } = who
        if ((await db.$count(flowSecrets, eq(flowSecrets.companyId, companyId))) >= MOST_SECRETS)
          throw new DomainError('ERR_FLOW_SECRETS_FULL', { limit: MOST_SECRETS })
        const sealed = sealedSecret(sealer, companyId, name, value)
        try {
          const [row] = await db
            .insert(flowSecrets)
            .values({ companyId, name, value: sealed, hosts, userId, createdAt: now(), updatedAt: now() })
            .returning({ id: flowSecrets.id, name: flowSecrets.name })
          return row!
        } catch (error) {
          throw violates(error, 'flow_secrets_name') ? new DomainError('ERR_FLOW_SECRET_ALREADY_EXISTS') : error
        }
      },
      {
        body: newFlowSecret,
        detail: {
          tags,
          summary: 'Keep a key, for calls to name it as `{{secret:name}}`; it is sent to `hosts` and nowhere else',
        },
      },
    )
    .put(
      '/flowsecret/:id',
      async ({ who, params, body: { value, hosts } }) => {
        demand(who, 'automations:write')
        const { id, name } = await need(who, params.id)
        const sealed = sealedSecret(sealer, who.companyId, name, value)
        await db
          .update(flowSecrets)
          .set({ value: sealed, ...(hosts && { hosts }), userId: who.userId, updatedAt: now() })
          .where(one(who, id))
        return { id, name }
      },
      {
        params: idParams,
        body: changedFlowSecret,
        detail: { tags, summary: 'Write another key in the place of one, and to which hosts it is sent' },
      },
    )
    .delete(
      '/flowsecret/:id',
      async ({ who, params }) => {
        demand(who, 'automations:write')
        await need(who, params.id)
        await db.delete(flowSecrets).where(one(who, params.id))
        return {}
      },
      { params: idParams, detail: { tags, summary: 'Forget a key; calls that name it fail from now on' } },
    )
}
