import type { Static } from '@sinclair/typebox'
import { Elysia, t } from 'elysia'
import { hoursQuestion, previewQuestion } from '../../schema/automation/automation.inputs.ts'
import type { AutomationDecision, DecisionStep } from '../../schema/automation/automation.table.ts'
import { receive } from '../../schema/automation/automation.turn.ts'
import { readableBy } from '../../schema/contacts/contacts.masking.ts'
import { DomainError } from '../../schema/errors.ts'
import { checkFlow, type FlowProblemCode } from '../../schema/flows/flows.check.ts'
import type { FlowNode } from '../../schema/flows/flows.graph.ts'
import { isFlowNode } from '../../schema/flows/flows.inputs.ts'
import { hoursAt } from '../../schema/hours/hours.at.ts'
import { newId } from '../../schema/ids.ts'
import { messageId } from '../../schema/inputs.ts'
import { can } from '../../schema/permissions.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demand } from '../http/guard.ts'
import { findMessage } from '../messages/messages.queries.ts'
import { idsOf, turnOf } from './automation.answer.ts'
import { flowsFor, rulesWithDrawing } from './automation.facts.ts'
import { decisionsOf, hoursOf, serviceToTry } from './automation.queries.ts'

const tags = ['automations']

const neverTried: ReadonlySet<FlowProblemCode> = new Set([
  ...(['endlessLoop', 'flowItself', 'tooManyNodes', 'idTwice'] as const),
])

/**
 * The rules of a company with a drawing in the place of what is published of its flow.
 * @throws DomainError `ERR_VALIDATION`, `ERR_FLOW_PROBLEMS`, `ERR_NO_FLOW_FOUND`
 */
async function rulesAsDrawn(
  { db, facts, graphs }: Pick<AppDeps, 'db' | 'facts' | 'graphs'>,
  companyId: number,
  { id, nodes }: NonNullable<Static<typeof previewQuestion>['flow']>,
) {
  const wrong = nodes.findIndex((node) => !isFlowNode(node))
  if (wrong >= 0)
    throw new DomainError('ERR_VALIDATION', { fields: [{ path: `/flow/nodes/${wrong}`, message: 'no such node' }] })
  const graph = { nodes: nodes as unknown as FlowNode[] }
  // It may be unfinished, and tried all the same; what would go round for ever is not begun.
  const problems = checkFlow(graph, { self: id }).filter(({ code }) => neverTried.has(code))
  if (problems.length > 0) throw new DomainError('ERR_FLOW_PROBLEMS', { problems })
  const own = await rulesWithDrawing(db, await facts.of(companyId), companyId, graphs, { id, graph })
  if (!own) throw new DomainError('ERR_NO_FLOW_FOUND')
  return own
}

/** How it ended: of several rules, the last one that acted, or was kept from it. */
const endOf = (trigger: AutomationDecision['trigger'], steps: readonly DecisionStep[]): DecisionStep[] => {
  const acted = trigger === 'rule' ? steps.findLast(({ result }) => result !== 'passed') : undefined
  return acted ? [acted] : steps.slice(-1)
}

/** Why something was answered, and what would be. Nothing here writes. */
export function automationRoutes(deps: AppDeps) {
  const { db, now, rules, graphs } = deps
  const atOf = (text: string | undefined) => {
    const at = text === undefined ? now() : new Date(text)
    // The 40th of a month looks like a moment.
    if (Number.isNaN(at.getTime()))
      throw new DomainError('ERR_VALIDATION', { fields: [{ path: '/at', message: 'no such moment' }] })
    return at
  }
  return new Elysia()
    .use(authed(deps))
    .get(
      // Named as its neighbours are: the router wants one name in one place.
      '/messages/:ticketId/decision',
      async ({ who, params }) => {
        const message = await findMessage(db, who, params.ticketId)
        if (!message) throw new DomainError('ERR_NO_MESSAGE_FOUND')
        const found = await decisionsOf(db, who.companyId, message.id)
        const isWhole = can(who, 'automations:trace')
        return {
          decisions: found.map(({ trigger, steps, actions, by, messageId: cause, createdAt }) => ({
            ...{ trigger, messageId: cause, createdAt },
            // Who does not run the company reads how it ended.
            steps: isWhole ? steps : endOf(trigger, steps).map(({ step, result, why }) => ({ step, result, why })),
            ...(isWhole ? { actions, by } : { actions: [], by: null }),
          })),
        }
      },
      {
        params: t.Object({ ticketId: messageId }),
        detail: {
          tags,
          summary: 'Why a message was answered, or was not',
          description:
            'By the id of a message. `steps` are the rules in the order in which they were asked; the one that `matched` ' +
            'answered. Agents get the last step alone. Empty for what nobody decided about, such as what is said to an agent.',
        },
      },
    )
    .post(
      '/hours/test',
      async ({ who, body }) => {
        const company = await deps.facts.of(who.companyId)
        const { queue, connection } = await hoursOf(db, who.companyId, {
          queueId: body.queueId ?? null,
          whatsappId: body.whatsappId ?? null,
        })
        if (queue === undefined) throw new DomainError('ERR_NO_QUEUE_FOUND')
        if (!connection && body.whatsappId != null) throw new DomainError('ERR_NO_WAPP_FOUND')
        return hoursAt(
          {
            ...{ scheduleType: company.settings.scheduleType, timeZone: company.timeZone, company, queue },
            connection: connection ?? { schedules: [], outOfHoursMessage: '' },
          },
          atOf(body.at),
        )
      },
      { body: hoursQuestion, detail: { tags, summary: 'Whether it is open at a moment, and why' } },
    )
    .post(
      '/automations/preview',
      async ({ who, body }) => {
        demand(who, 'automations:trace')
        const at = atOf(body.at)
        const own = body.flow ? await rulesAsDrawn(deps, who.companyId, body.flow) : await rules.of(who.companyId)
        if (!own.of(body.whatsappId, at)) throw new DomainError('ERR_NO_WAPP_FOUND')
        const { whatsappId, contactId = null } = body
        // The drawing may say what a role hides from who tries it.
        const service = readableBy(who, await serviceToTry(db, own, who, { whatsappId, contactId }, at))
        if (!service) throw new DomainError('ERR_NO_CONTACT_FOUND')
        const flows = await flowsFor(db, own, graphs, new Map([[service.ticket.id, service]]), { hold: false })
        const turn = turnOf(own, flows, service, at)
        if (!turn) throw new DomainError('ERR_NO_WAPP_FOUND')
        const message = {
          id: newId(),
          text: body.body,
          caption: '',
          file: null,
          writtenAt: at,
          isFirst: contactId === null,
        }
        const { turn: after, steps, actions, texts } = receive(turn, message, idsOf(service.ticket.id))
        const { inOptions, menusSent, handedOver } = after.memory
        return {
          steps,
          actions,
          replies: texts.map(({ body: text, file }) => ({
            body: text,
            file: file && { name: file.name, mimetype: file.mimetype },
          })),
          stateAfter: {
            ...{ status: after.ticket.status, queueId: after.ticket.queueId, userId: after.ticket.userId },
            ...{ flowId: after.run?.flowId ?? null, inOptions, menusSent, handedOver },
          },
        }
      },
      {
        body: previewQuestion,
        detail: {
          tags,
          summary: 'What would be answered to a message',
          description:
            'Walks the same rules as a message that arrives, as things stand at `at`. Nothing is written and nobody outside is ' +
            'asked: what a language model or another bot would say stands in `actions` as `ask`. Without `contactId` ' +
            'somebody writes for the first time. `flow` is a drawing that is taken for the published version of that flow, as ' +
            'if it were switched on: what contacts would meet after publishing it.',
        },
      },
    )
}
