import { Elysia, t } from 'elysia'
import { publishedFlow, restoredFlow } from '../../schema/flows/flows.edits.inputs.ts'
import { restored } from '../../schema/flows/flows.restore.ts'
import type { Principal } from '../../schema/permissions.ts'
import { forgetsRules } from '../automation/automation.facts.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demand } from '../http/guard.ts'
import { cursorQuery, idParams } from '../http/inputs.ts'
import { publish } from './flows.publish.ts'
import { demandFlow, demandVersion, draftOf, knownToDraft, listVersions, lockFlow } from './flows.queries.ts'
import { settleRuns } from './flows.settle.ts'
import { replaceDraft } from './flows.writes.ts'

const tags = ['flows']
const versionParams = t.Object({ ...idParams.properties, versionId: idParams.properties.id })
const mayWrite = (who: Principal) => demand(who, 'automations:write')

/** A draft becomes a version that contacts meet, and a version a draft again. */
export function flowVersions(deps: AppDeps) {
  const { db, now } = deps

  return new Elysia()
    .use(authed(deps))
    .onAfterHandle(forgetsRules(deps))
    .post(
      '/flowbuilder/:id/publish',
      async ({ who, params, body }) => {
        mayWrite(who)
        const published = await db.transaction(async (tx) =>
          publish(tx, await lockFlow(tx, who.companyId, params.id), {
            userId: who.userId,
            note: body?.note?.trim() ?? '',
            now: now(),
          }),
        )
        const place = { flowId: params.id, versionId: published.version.id }
        return { ...published, settled: await settleRuns(db, place, body?.waiting ?? 'stay', now()) }
      },
      {
        params: idParams,
        body: t.Optional(t.Union([publishedFlow, t.Null()])),
        detail: {
          tags,
          summary: 'Freeze the draft of a flow and let contacts meet it',
          description:
            'Contacts in the middle of an earlier version finish there, unless `waiting` is `move` (where their node is still ' +
            'there, they go on in the new one) or `end` (they are left to people). `settled` is how many of them.',
        },
      },
    )
    .get(
      '/flowbuilder/:id/versions',
      async ({ who, params, query }) => {
        mayWrite(who)
        const flow = await demandFlow(db, who.companyId, params.id)
        return listVersions(db, flow.id, { before: query.cursor, limit: query.limit })
      },
      {
        params: idParams,
        query: t.Object(cursorQuery),
        detail: {
          tags,
          summary: 'What was published of a flow, the latest first',
          description: '`cursor` is the `nextCursor` of the page before.',
        },
      },
    )
    .get(
      '/flowbuilder/:id/known',
      async ({ who, params }) => {
        mayWrite(who)
        return knownToDraft(db, await demandFlow(db, who.companyId, params.id))
      },
      {
        params: idParams,
        detail: {
          tags,
          summary: 'What a draft may name: secrets, variables, hours of connections, and which files are gone',
        },
      },
    )
    .get(
      '/flowbuilder/:id/versions/:versionId',
      async ({ who, params }) => {
        mayWrite(who)
        return demandVersion(db, await demandFlow(db, who.companyId, params.id), params.versionId)
      },
      { params: versionParams, detail: { tags, summary: 'A published version with its nodes' } },
    )
    .post(
      '/flowbuilder/:id/versions/:versionId/restore',
      ({ who, params, body }) => {
        mayWrite(who)
        return db.transaction(async (tx) => {
          const flow = await lockFlow(tx, who.companyId, params.id)
          const version = await demandVersion(tx, flow, params.versionId)
          if (body?.publish) {
            // The draft stays as it is: it is work that nobody published yet.
            const note = `↩ ${version.number}`
            const published = await publish(tx, flow, { userId: who.userId, note, now: now(), of: version.nodes })
            return { ...published, kept: [] }
          }
          const live = flow.versionId === null ? [] : (await demandVersion(tx, flow, flow.versionId)).nodes
          const { nodes, kept } = restored(await draftOf(tx, flow.id), live, version.nodes, who.userId)
          await replaceDraft(tx, flow, nodes, { userId: who.userId, now: now() })
          return { version: null, problems: [], kept }
        })
      },
      {
        params: versionParams,
        body: t.Optional(t.Union([restoredFlow, t.Null()])),
        detail: {
          tags,
          summary: 'Make the draft of a flow what a version was, or publish the version again',
          description:
            'What others changed in the draft and nobody published stays; `kept` names those nodes. With `publish` the ' +
            'draft stays as it is.',
        },
      },
    )
}
