import { Trans, useLingui } from '@lingui/react/macro'
import { Link, useRouter } from '@tanstack/react-router'
import { Ban, Check, Minus } from 'lucide-react'
import type { ReactNode } from 'react'
import type { DecisionStep } from '../../schema/automation/automation.table.ts'
import { useQueues } from '../replica/directory.ts'
import { useRows } from '../replica/live-rows.ts'
import { errorCodeText } from '../session/error-text.ts'
import { useCan } from '../session/session.tsx'
import { failureWords } from '../flows/flow-runs.words.ts'
import { cn } from '../ui/cn.ts'
import { flowNames } from './automation.queries.ts'
import { stepName, stepSentence } from './automation.words.ts'

const marks = { matched: Check, blocked: Ban, passed: Minus }

/** The rules in the order in which they were asked; the one that ended it stands out. */
export function Steps({ steps, onLeave }: { steps: readonly DecisionStep[]; onLeave: () => void }) {
  const { t } = useLingui()
  const results = {
    matched: t`Valeu`,
    passed: t`Não valeu`,
    blocked: t`Impediu`,
  }
  return (
    <ol aria-label={t`Regras, na ordem em que foram consultadas`} className="flex flex-col">
      {steps.map((step, index) => {
        const Mark = marks[step.result] ?? Minus
        const isLast = index === steps.length - 1
        const stands = step.result !== 'passed' || isLast
        return (
          <li
            // The same rule may be asked twice.
            key={index}
            data-step={step.step}
            aria-current={isLast ? 'step' : undefined}
            className={cn(
              'relative flex gap-3 py-1.5 pl-1',
              !isLast && 'after:absolute after:top-7 after:-bottom-1 after:left-[0.8125rem] after:w-px after:bg-border',
            )}
          >
            <span
              className={cn(
                'mt-0.5 flex size-[1.125rem] shrink-0 items-center justify-center rounded-full',
                step.result === 'matched' && 'bg-success-soft text-success-soft-foreground',
                step.result === 'blocked' && 'bg-warning-soft text-warning-soft-foreground',
                step.result === 'passed' && 'bg-muted text-muted-foreground',
              )}
            >
              <Mark aria-hidden="true" className="size-3" strokeWidth={2.5} />
              <span className="sr-only">{results[step.result] ?? results.passed}</span>
            </span>
            <div className={cn('min-w-0 flex-1 text-[0.8125rem]', stands ? '' : 'text-muted-foreground')}>
              <p className={cn(stands && 'font-medium')}>{t(stepName(step))}</p>
              <p className="text-muted-foreground">{t(stepSentence(step))}</p>
              <About step={step} onLeave={onLeave} />
            </div>
          </li>
        )
      })}
    </ol>
  )
}

/** What a rule speaks of, by name, leading to where it is set. */
function About({ step, onLeave }: { step: DecisionStep; onLeave: () => void }) {
  const { t } = useLingui()
  const queues = useQueues().byId
  const { rows: flows } = useRows(flowNames)
  const mayManage = useCan('drawer-admin-items:view')
  const mayDraw = useCan('automations:write')
  const mayRule = useCan('rules:write')
  const facts = step.facts ?? {}
  const idOf = (key: string): number | null => {
    const id = facts[key]
    return typeof id === 'number' ? id : null
  }
  const name = typeof facts['name'] === 'string' ? facts['name'] : null
  const [queueId, flowId] = [idOf('queueId'), idOf('flowId')]
  const [promptId, integrationId] = [idOf('promptId'), idOf('integrationId')]
  const things: { key: string; to: string | null; words: ReactNode }[] = []
  if (queueId !== null) {
    const queue = queues.get(queueId)?.name ?? String(queueId)
    things.push({ key: 'queue', to: mayManage ? '/queues' : null, words: <Trans>Fila: {queue}</Trans> })
  }
  if (flowId !== null) {
    const flow = flows?.find(({ id }) => id === flowId)?.name ?? String(flowId)
    things.push({ key: 'flow', to: mayDraw ? `/flowbuilder/${flowId}` : null, words: <Trans>Fluxo: {flow}</Trans> })
  }
  if (promptId !== null) {
    const prompt = name ?? String(promptId)
    things.push({ key: 'prompt', to: mayDraw ? '/prompts' : null, words: <Trans>Assistente: {prompt}</Trans> })
  }
  if (integrationId !== null) {
    const to = mayDraw ? '/queue-integration' : null
    const integration = name ?? String(integrationId)
    things.push({ key: 'integration', to, words: <Trans>Integração: {integration}</Trans> })
  }
  const ruleId = idOf('ruleId')
  if (ruleId !== null) {
    const rule = name ?? String(ruleId)
    things.push({ key: 'rule', to: mayRule ? `/rules/${ruleId}` : null, words: <Trans>Regra: {rule}</Trans> })
  }
  const refused = facts['error']
  if (step.why === 'rule_refused' && typeof refused === 'string') {
    const why = errorCodeText(refused)
    things.push({ key: 'refused', to: null, words: <Trans>Motivo: {why}</Trans> })
  }
  const [status, failure, reason] = [facts['status'], facts['failure'], facts['reason']]
  if (typeof status === 'number')
    things.push({ key: 'status', to: null, words: <Trans>Resposta: HTTP {status}</Trans> })
  if (typeof failure === 'string') {
    const why = t(failureWords[failure] ?? failureWords['broken']!)
    things.push({ key: 'failure', to: null, words: <Trans>Motivo: {why}</Trans> })
  }
  if (typeof reason === 'string') things.push({ key: 'reason', to: null, words: <Trans>Motivo: {reason}</Trans> })
  if (step.step === 'hours' && step.why !== 'not_by_company' && mayManage)
    things.push({ key: 'hours', to: '/settings', words: t`Ver os horários` })
  if (things.length === 0) return null
  return (
    <p className="mt-0.5 flex flex-wrap gap-x-3 gap-y-0.5 text-xs">
      {things.map(({ key, to, words }) => (
        <ScreenLink key={key} to={to} onLeave={onLeave}>
          {words}
        </ScreenLink>
      ))}
    </p>
  )
}

/** Leads to a screen, where this version has it. */
function ScreenLink({ to, onLeave, children }: { to: string | null; onLeave: () => void; children: ReactNode }) {
  const screens = Object.keys(useRouter().routesByPath)
  const exists = to !== null && screens.some((path) => new RegExp(`^${path.replaceAll(/\$\w+/g, '[^/]+')}$`).test(to))
  if (!exists) return <span className="text-muted-foreground">{children}</span>
  return (
    // One of those that the router has just named.
    <Link
      to={to as '/'}
      onClick={onLeave}
      className="focus-ring rounded-sm text-primary-soft-foreground underline-offset-4 hover:underline touch:inline-flex touch:min-h-8 touch:items-center"
    >
      {children}
    </Link>
  )
}
