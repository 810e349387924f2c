import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { RadioGroup } from 'radix-ui'
import { useId } from 'react'
import type { Ref } from 'react'
import { planFeatures, type PlanFeature } from '../../schema/plans/plans.features.ts'
import { moneyText } from '../i18n/money.ts'
import { useFeatureNames } from '../plans/plans.words.ts'

export interface OfferedPlan extends Record<PlanFeature, boolean> {
  id: number
  name: string
  users: number
  connections: number
  queues: number
  /** Price of a month in BRL, as the database writes it: `49.90`. */
  value: string
}

/** One of the plans, each with what it counts, holds and costs. */
export function PlanChoice({
  plans,
  value,
  onChange,
  error,
  focusRef,
}: {
  plans: readonly OfferedPlan[]
  value: number | null
  onChange: (id: number) => void
  error: string | undefined
  /** Where the focus goes when no plan is chosen. */
  focusRef: Ref<HTMLButtonElement>
}) {
  const { i18n } = useLingui()
  const id = useId()
  const names = useFeatureNames()
  const holds = (plan: OfferedPlan) => planFeatures.filter((feature) => plan[feature]).map((feature) => names[feature])
  if (plans.length === 0)
    return (
      <p role="status" className="rounded-md bg-warning-soft px-3 py-2 text-sm text-warning-soft-foreground">
        <Trans>Nenhum plano está à venda agora. Fale com quem administra este sistema.</Trans>
      </p>
    )
  return (
    <div className="flex flex-col gap-1.5">
      <span id={`${id}-label`} className="text-[0.8125rem] leading-none font-medium">
        <Trans>Plano</Trans>
        <span aria-hidden="true" className="text-destructive-soft-foreground">
          {' *'}
        </span>
      </span>
      <RadioGroup.Root
        aria-labelledby={`${id}-label`}
        aria-describedby={error ? `${id}-error` : undefined}
        aria-required
        value={value === null ? '' : String(value)}
        onValueChange={(next) => onChange(Number(next))}
        className="flex flex-col gap-2"
      >
        {plans.map((plan, index) => (
          <RadioGroup.Item
            key={plan.id}
            ref={index === 0 ? focusRef : undefined}
            value={String(plan.id)}
            className="focus-ring group flex items-start gap-3 rounded-lg border p-3 text-left transition-colors hover:bg-accent/50 data-[state=checked]:border-primary data-[state=checked]:bg-primary-soft"
          >
            <span
              aria-hidden="true"
              className="mt-0.5 flex size-4 shrink-0 items-center justify-center rounded-full border border-control bg-background group-data-[state=checked]:border-primary"
            >
              <RadioGroup.Indicator className="size-2 rounded-full bg-primary" />
            </span>
            <span className="min-w-0 flex-1">
              <span className="flex items-baseline justify-between gap-3 text-sm font-medium">
                <span className="min-w-0 wrap-anywhere">{plan.name}</span>
                <span className="shrink-0 tabular-nums">
                  {moneyText(i18n.locale, plan.value)}{' '}
                  <span className="text-xs font-normal text-muted-foreground">
                    <Trans>por mês</Trans>
                  </span>
                </span>
              </span>
              <span className="mt-0.5 block text-xs text-muted-foreground">
                <Plural value={plan.users} one="# usuário" other="# usuários" />
                {' · '}
                <Plural value={plan.connections} one="# conexão" other="# conexões" />
                {' · '}
                <Plural value={plan.queues} one="# fila" other="# filas" />
              </span>
              {holds(plan).length > 0 && (
                <span className="mt-1 block text-xs text-muted-foreground">{holds(plan).join(', ')}</span>
              )}
            </span>
          </RadioGroup.Item>
        ))}
      </RadioGroup.Root>
      {error && (
        <p id={`${id}-error`} role="alert" className="text-xs text-destructive-soft-foreground">
          {error}
        </p>
      )}
    </div>
  )
}
