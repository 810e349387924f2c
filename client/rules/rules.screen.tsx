import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { ArrowDown, ArrowUp, Plus, Workflow } from 'lucide-react'
import { useState } from 'react'
import { DataList, useReadOnly } from '../kit/data-list.tsx'
import { RemoveDialog, RowActions, useRowOverlay } from '../kit/row-actions.tsx'
import { toastError } from '../session/failure.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'
import { Switch } from '../ui/switch.tsx'
import { RuleDialog } from './rules.dialog.tsx'
import { LiveDialog } from './rules.live-dialog.tsx'
import { type ListedRule, rules, useRules } from './rules.queries.ts'
import { useRuleSentences } from './rules.sentences.ts'

/** What is done by itself after something has happened to a ticket, in the order in which it is asked. */
export default function RulesScreen() {
  const { t } = useLingui()
  const source = useRules()
  const offline = useReadOnly(source)
  const { edited, removed, create, edit, remove, close } = useRowOverlay<ListedRule>(source.data)
  const [going, setGoing] = useState<ListedRule>()
  const { when, then } = useRuleSentences()
  const latelyOf = useLatelyWords()
  const count = source.data?.length ?? 0
  const change = async (row: ListedRule, input: Parameters<typeof rules.update>[1]) => {
    try {
      await rules.update(row.id, input)
    } catch (error) {
      toastError(error)
    }
    source.reload()
  }
  const add = (
    <Button disabled={offline} onClick={create}>
      <Plus />
      <Trans>Nova regra</Trans>
    </Button>
  )
  const state = (row: ListedRule) => {
    const { name, active, version } = row
    return (
      <Switch
        aria-label={t`Regra ${name} ligada`}
        checked={active}
        disabled={offline}
        onCheckedChange={(on) => (on ? setGoing(row) : void change(row, { active: false, version }))}
      />
    )
  }
  const name = (row: ListedRule) => (
    <Link
      to="/rules/$id"
      params={{ id: String(row.id) }}
      className="focus-ring rounded-sm text-sm font-medium underline-offset-4 hover:underline"
    >
      {row.name}
    </Link>
  )
  const actions = (row: ListedRule) => {
    const { name: called, position } = row
    return (
      <RowActions
        name={called}
        disabled={offline}
        onEdit={() => edit(row)}
        onRemove={() => remove(row)}
        more={[
          position > 1 && {
            ...{ icon: ArrowUp, label: t`Subir`, name: t`Subir ${called}`, disabled: offline },
            run: () => void change(row, { position: position - 1 }),
          },
          position < count && {
            ...{ icon: ArrowDown, label: t`Descer`, name: t`Descer ${called}`, disabled: offline },
            run: () => void change(row, { position: position + 1 }),
          },
        ]}
      />
    )
  }
  return (
    <Page
      title={t`Regras`}
      description={<Trans>O que é feito sozinho depois que algo acontece com um atendimento, nesta ordem.</Trans>}
      actions={add}
    >
      <DataList
        label={t`Regras`}
        source={source}
        empty={
          <EmptyState icon={Workflow} title={<Trans>Nenhuma regra</Trans>} action={add}>
            <Trans>
              Uma regra age sozinha: quando algo acontece e as condições valem, ela etiqueta, passa, avisa ou resolve.
            </Trans>
          </EmptyState>
        }
        columns={[
          {
            id: 'name',
            header: <Trans>Nome</Trans>,
            cell: (row) => (
              <span className="flex items-baseline gap-2">
                <span className="text-sm text-muted-foreground tabular-nums">{row.position}.</span>
                {name(row)}
              </span>
            ),
            className: 'min-w-44 wrap-anywhere',
          },
          {
            id: 'does',
            header: <Trans>O que faz</Trans>,
            cell: (row) => (
              <span className="line-clamp-2 text-muted-foreground wrap-anywhere">
                {when(row)}, {then(row)}
              </span>
            ),
            className: 'max-w-96',
          },
          {
            id: 'lately',
            header: <Trans>Últimos 7 dias</Trans>,
            cell: latelyOf,
            className: 'w-40 text-muted-foreground tabular-nums max-lg:hidden',
          },
          { id: 'state', header: <Trans>Ligada</Trans>, cell: state, className: 'w-20' },
          { id: 'actions', header: <span className="sr-only">{t`Ações`}</span>, cell: actions, className: 'w-44' },
        ]}
        card={(row) => (
          <div className="flex items-center gap-3">
            <div className="flex min-w-0 flex-1 flex-col gap-0.5">
              <span className="flex items-baseline gap-1.5">
                <span className="text-sm text-muted-foreground tabular-nums">{row.position}.</span>
                {name(row)}
              </span>
              <span className="line-clamp-3 text-xs text-muted-foreground wrap-anywhere">
                {when(row)}, {then(row)}
              </span>
              <span className="text-xs text-muted-foreground tabular-nums">{latelyOf(row)}</span>
            </div>
            {state(row)}
            <div className="-mr-2 flex">{actions(row)}</div>
          </div>
        )}
      />
      {edited !== undefined && <RuleDialog row={edited} onClose={close} onSaved={source.reload} />}
      {going && <LiveDialog rule={going} onClose={() => setGoing(undefined)} onSaved={source.reload} />}
      {removed && (
        <RemoveDialog
          name={removed.name}
          remove={() => rules.remove(removed.id)}
          onRemoved={source.reload}
          onClose={close}
        >
          <Trans>O que ela fez nos atendimentos fica; o registro das execuções dela é apagado.</Trans>
        </RemoveDialog>
      )}
    </Page>
  )
}

/** How often it acted lately, and what kept it from it. */
function useLatelyWords() {
  const { t } = useLingui()
  return ({ active, lately: { done, blocked, refused } }: ListedRule): string => {
    const acted = plural(done, { one: 'agiu # vez', other: 'agiu # vezes' })
    const kept = plural(blocked + refused, { one: '# impedida', other: '# impedidas' })
    if (done + blocked + refused === 0) return active ? t`não agiu` : ''
    return blocked + refused === 0 ? acted : `${acted} · ${kept}`
  }
}
