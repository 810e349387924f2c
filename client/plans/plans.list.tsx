import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Layers, Plus } from 'lucide-react'
import { type Control, Controller, useForm, useWatch } from 'react-hook-form'
import { newPlanLimits, planFeatures } from '../../schema/plans/plans.features.ts'
import { planInput, priceText } from '../../schema/plans/plans.inputs.ts'
import type { PlanInput } from '../../schema/plans/plans.inputs.ts'
import { DataList, useReadOnly } from '../kit/data-list.tsx'
import type { ListSource } from '../kit/data-list.tsx'
import { FormDialog, schemaResolver } from '../kit/form.tsx'
import { useFreeOfCharge } from '../invoices/invoices.free.tsx'
import { useMoney } from '../invoices/invoices.words.ts'
import { RemoveDialog, RowActions, useRowOverlay } from '../kit/row-actions.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Notice } from '../ui/notice.tsx'
import { Switch } from '../ui/switch.tsx'
import { toast } from '../ui/toaster.tsx'
import { plans, usePlans } from './plans.queries.ts'
import type { Plan } from './plans.queries.ts'
import { useFeatureNames } from './plans.words.ts'

/** The plans of the platform. */
export function PlanList() {
  const { t } = useLingui()
  const source: ListSource<Plan> = usePlans()
  const offline = useReadOnly(source)
  const names = useFeatureNames()
  const { edited, removed, create, edit, remove, close } = useRowOverlay<Plan>(source.data)
  const money = useMoney()
  const add = (
    <Button disabled={offline} onClick={create}>
      <Plus />
      <Trans>Adicionar plano</Trans>
    </Button>
  )
  const lacks = (plan: Plan) => planFeatures.filter((feature) => !plan[feature]).map((feature) => names[feature])
  const without = (plan: Plan) => {
    const left = lacks(plan).join(', ')
    return left === '' ? t`Tudo incluído` : t`Sem ${left}`
  }
  /** What is offered at sign-up is not internal: the flag says the opposite of its name. */
  const internal = ({ useInternal }: Plan) => (useInternal ? t`Não` : t`Sim`)
  const used = ({ companies }: Plan) => <Plural value={companies} one="# empresa" other="# empresas" />
  const actions = (plan: Plan) => (
    <RowActions name={plan.name} disabled={offline} onEdit={() => edit(plan)} onRemove={() => remove(plan)} />
  )
  return (
    <div className="flex flex-col gap-3">
      <div className="flex justify-end">{add}</div>
      <DataList
        label={t`Planos`}
        source={source}
        empty={<EmptyState icon={Layers} title={<Trans>Nenhum plano</Trans>} action={add} />}
        columns={[
          {
            id: 'name',
            header: <Trans>Nome</Trans>,
            cell: (plan) => (
              <span className="flex flex-col">
                <span className="font-medium">{plan.name}</span>
                <span className="text-xs text-muted-foreground">{without(plan)}</span>
              </span>
            ),
            className: 'wrap-anywhere',
          },
          { id: 'users', header: <Trans>Usuários</Trans>, cell: ({ users }) => users, className: 'tabular-nums' },
          {
            id: 'connections',
            header: <Trans>Conexões</Trans>,
            cell: ({ connections }) => connections,
            className: 'tabular-nums',
          },
          { id: 'queues', header: <Trans>Filas</Trans>, cell: ({ queues }) => queues, className: 'tabular-nums' },
          { id: 'value', header: <Trans>Valor</Trans>, cell: ({ value }) => money(value), className: 'tabular-nums' },
          { id: 'internal', header: <Trans>Interno</Trans>, cell: internal },
          { id: 'companies', header: <Trans>Em uso</Trans>, cell: used },
          { id: 'actions', header: <span className="sr-only">{t`Ações`}</span>, cell: actions },
        ]}
        card={(plan) => {
          const { users, connections, queues } = plan
          return (
            <div className="flex items-start gap-2">
              <div className="flex min-w-0 flex-1 flex-col gap-0.5 text-sm">
                <p className="flex items-center gap-2 font-medium">
                  <span className="truncate">{plan.name}</span>
                  {!plan.useInternal && <Badge tone="neutral">{t`Interno`}</Badge>}
                </p>
                <p className="tabular-nums">
                  {money(plan.value)} · {used(plan)}
                </p>
                <p className="text-xs text-muted-foreground">
                  <Plural value={users} one="# usuário" other="# usuários" />,{' '}
                  <Plural value={connections} one="# conexão" other="# conexões" />,{' '}
                  <Plural value={queues} one="# fila" other="# filas" />
                  {' · '}
                  {without(plan)}
                </p>
              </div>
              {actions(plan)}
            </div>
          )
        }}
      />
      {edited !== undefined && <PlanDialog plan={edited} onClose={close} onSaved={source.reload} />}
      {removed && (
        <RemoveDialog
          name={removed.name}
          remove={() => plans.remove(removed.id)}
          onRemoved={source.reload}
          onClose={close}
        >
          <Trans>Um plano em uso não pode ser excluído.</Trans>
        </RemoveDialog>
      )}
    </div>
  )
}

/** Adds (`plan` null) or edits a plan. */
function PlanDialog({ plan, onClose, onSaved }: { plan: Plan | null; onClose: () => void; onSaved: () => void }) {
  const { t } = useLingui()
  const names = useFeatureNames()
  const { agreed, question } = useFreeOfCharge()
  const form = useForm<PlanInput>({
    defaultValues: {
      name: plan?.name ?? '',
      users: plan?.users ?? newPlanLimits.users,
      connections: plan?.connections ?? newPlanLimits.connections,
      queues: plan?.queues ?? newPlanLimits.queues,
      value: plan?.value.replace('.', ',') ?? '0,00',
      useInternal: plan?.useInternal ?? true,
      ...Object.fromEntries(planFeatures.map((feature) => [feature, plan?.[feature] ?? true])),
    },
    resolver: schemaResolver(planInput, { value: t`Use um valor como 49,90` }),
  })
  const {
    register,
    control,
    formState: { errors },
  } = form
  const count = (name: 'users' | 'connections' | 'queues') => (
    <Input type="number" inputMode="numeric" min={0} {...register(name, { valueAsNumber: true })} />
  )
  /** @param inverted switched on where the flag is false */
  const flag = (
    name: keyof typeof names | 'useInternal',
    label: string,
    { inverted = false, hint }: { inverted?: boolean; hint?: string } = {},
  ) => (
    <Field key={name} label={label} inline {...(hint && { hint })}>
      <Controller
        control={control}
        name={name}
        render={({ field: { value, onChange, ref } }) => (
          <Switch ref={ref} checked={value !== inverted} onCheckedChange={(on) => onChange(on !== inverted)} />
        )}
      />
    </Field>
  )
  return (
    <FormDialog
      onClose={onClose}
      title={plan ? t`Editar plano` : t`Adicionar plano`}
      form={form}
      failed={t`Não foi possível realizar a operação. Verifique se já existe um plano com o mesmo nome ou se os campos foram preenchidos corretamente`}
      fieldOf={{ ERR_PLAN_ALREADY_EXISTS: 'name' }}
      onSubmit={async (values) => {
        const isFree = priceText(values.value) === '0.00' && plan !== null && Number(plan.value) > 0
        if (isFree && !(await agreed({ planId: plan.id }))) return false
        await (plan ? plans.update(plan.id, values) : plans.create(values))
        toast.success(t`Operação realizada com sucesso!`)
        onSaved()
      }}
    >
      {question}
      <div className="grid gap-4 sm:grid-cols-[1fr_9rem]">
        <Field label={<Trans>Nome</Trans>} required error={errors.name?.message}>
          <Input autoFocus autoComplete="off" {...register('name')} />
        </Field>
        <Field label={<Trans>Valor por mês (R$)</Trans>} error={errors.value?.message}>
          <Input inputMode="decimal" autoComplete="off" {...register('value')} />
        </Field>
      </div>
      <div className="grid grid-cols-3 gap-4">
        <Field label={<Trans>Usuários</Trans>} error={errors.users?.message}>
          {count('users')}
        </Field>
        <Field label={<Trans>Conexões</Trans>} error={errors.connections?.message}>
          {count('connections')}
        </Field>
        <Field label={<Trans>Filas</Trans>} error={errors.queues?.message}>
          {count('queues')}
        </Field>
      </div>
      <Nothing control={control} />
      <p className="-mt-2 text-xs text-muted-foreground">
        <Trans>Um limite menor não apaga nada: só impede criar mais.</Trans>
      </p>
      <fieldset className="grid gap-x-4 sm:grid-cols-2">
        <legend className="mb-1 text-[0.8125rem] font-medium">
          <Trans>Incluído</Trans>
        </legend>
        {planFeatures.map((feature) => flag(feature, names[feature]))}
      </fieldset>
      {flag('useInternal', t`Interno`, {
        inverted: true,
        hint: t`Não é oferecido no cadastro de empresas: só o operador o atribui.`,
      })}
    </FormDialog>
  )
}

/** What a plan of zeros comes to, while it is written. */
function Nothing({ control }: { control: Control<PlanInput> }) {
  const { t } = useLingui()
  const [users, connections, queues, value] = useWatch({ control, name: ['users', 'connections', 'queues', 'value'] })
  const lacking = [users === 0 && t`usuário`, connections === 0 && t`conexão`, queues === 0 && t`fila`].filter(
    (what) => what !== false,
  )
  const isFree = /^0*([.,]0*)?$/.test(String(value).trim())
  if (lacking.length === 0 && !isFree) return null
  const none = lacking.join(', ')
  return (
    <Notice>
      {none !== '' && <p>{t`Com 0, ninguém cria nada disto: ${none}.`}</p>}
      {isFree && (
        <p>
          <Trans>Sem valor, o plano é grátis: nenhuma fatura é feita.</Trans>
        </p>
      )}
    </Notice>
  )
}
