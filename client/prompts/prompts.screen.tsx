import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { BotMessageSquare, ExternalLink, MessageCircleQuestion, Plus, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useBotFailure } from '../kit/bot-failures.ts'
import { DataList, useReadOnly } from '../kit/data-list.tsx'
import { PlanGate } from '../session/plan-gate.tsx'
import { RemoveDialog, RowActions, useRowOverlay } from '../kit/row-actions.tsx'
import { useCan } from '../session/session.tsx'
import { dateText } from '../i18n/dates.ts'
import { ColorTag } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'
import { UsesList } from '../uses/uses.list.tsx'
import { TryDialog, type TryLine } from './prompts.try-dialog.tsx'
import { PromptDialog } from './prompts.dialog.tsx'
import { type Prompt, prompts, type PromptUse, usePrompts, usePromptUse } from './prompts.queries.ts'

const usageAddress = 'https://platform.openai.com/usage'
const billingAddress = 'https://platform.openai.com/settings/organization/billing'

export default function PromptsScreen() {
  return (
    <PlanGate feature="useOpenAi">
      <Prompts />
    </PlanGate>
  )
}

function Prompts() {
  const { t } = useLingui()
  const source = usePrompts()
  const offline = useReadOnly(source)
  const mayWrite = useCan('automations:write')
  const { edited, removed, create, edit, remove, close } = useRowOverlay<Prompt>(source.data)
  const use = usePromptUse(mayWrite)
  const [tried, setTried] = useState<Prompt>()
  const endTry = () => {
    setTried(undefined)
    use.reload()
  }

  const add = mayWrite && (
    <Button disabled={offline} onClick={create}>
      <Plus />
      <Trans>Adicionar assistente</Trans>
    </Button>
  )
  const queue = (prompt: Prompt) =>
    prompt.queue ? (
      <ColorTag color={prompt.queue.color} className="text-sm text-foreground">
        {prompt.queue.name}
      </ColorTag>
    ) : (
      <span className="text-warning-soft-foreground">
        <Trans>Sem fila</Trans>
      </span>
    )
  const actions = (prompt: Prompt) => (
    <RowActions
      name={prompt.name}
      disabled={offline}
      onEdit={() => edit(prompt)}
      onRemove={() => remove(prompt)}
      more={[
        {
          ...{ icon: MessageCircleQuestion, label: t`Testar`, name: t`Testar ${prompt.name}`, disabled: offline },
          run: () => setTried(prompt),
        },
      ]}
    />
  )

  return (
    <Page title={t`Assistentes de IA`} actions={add}>
      {mayWrite && (
        <div className="mb-4 flex flex-col gap-3">
          <FreeCredit />
          {use.data && <Usage use={use.data} />}
        </div>
      )}
      <DataList
        label={t`Assistentes de IA`}
        source={source}
        empty={
          <EmptyState icon={BotMessageSquare} title={<Trans>Nenhum assistente</Trans>} action={add}>
            <Trans>
              Um assistente responde aos contatos com um modelo de linguagem e chama um atendente quando precisa.
            </Trans>
          </EmptyState>
        }
        columns={[
          {
            id: 'name',
            header: <Trans>Nome</Trans>,
            cell: (row) => <span className="font-medium">{row.name}</span>,
            className: 'wrap-anywhere',
          },
          { id: 'queue', header: <Trans>Fila</Trans>, cell: queue },
          {
            id: 'maxTokens',
            header: <Trans>Máximo de tokens</Trans>,
            cell: (row) => row.maxTokens,
            className: 'tabular-nums',
          },
          ...(mayWrite
            ? [{ id: 'actions', header: <span className="sr-only">{t`Ações`}</span>, cell: actions, className: 'w-36' }]
            : []),
        ]}
        card={(row) => (
          <div className="flex items-start gap-3">
            <div className="flex min-w-0 flex-1 flex-col gap-1">
              <p className="truncate font-medium">{row.name}</p>
              {queue(row)}
              <p className="text-xs text-muted-foreground tabular-nums">
                <Trans>Até {row.maxTokens} tokens por resposta</Trans>
              </p>
            </div>
            {mayWrite && <div className="-mt-2 -mr-2">{actions(row)}</div>}
          </div>
        )}
      />
      {edited !== undefined && <PromptDialog prompt={edited} onClose={close} onSaved={source.reload} />}
      {removed && (
        <RemoveDialog
          name={removed.name}
          uses={<UsesList noun="prompt" id={removed.id} />}
          remove={() => prompts.remove(removed.id)}
          onRemoved={source.reload}
          onClose={close}
        >
          <Trans>O que já foi conversado fica nos atendimentos.</Trans>
        </RemoveDialog>
      )}
      {tried && <TryPrompt prompt={tried} onClose={endTry} />}
    </Page>
  )
}

/** What people do not expect of a service whose beginning is free. */
function FreeCredit() {
  const link = (href: string, text: string) => (
    <a
      href={href}
      target="_blank"
      rel="noreferrer"
      className="focus-ring inline-flex items-center gap-1 rounded-sm font-medium underline underline-offset-4"
    >
      {text}
      <ExternalLink aria-hidden="true" className="size-3.5" />
    </a>
  )
  const { t } = useLingui()
  return (
    <div className="flex items-start gap-2.5 rounded-lg bg-warning-soft px-3.5 py-2.5 text-sm text-warning-soft-foreground">
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <p className="min-w-0 flex-1">
        <Trans>
          O crédito gratuito da OpenAI vence, e sem crédito os assistentes não respondem: o atendimento vai para a fila.
        </Trans>{' '}
        <span className="inline-flex flex-wrap gap-x-3">
          {link(usageAddress, t`Ver o uso`)}
          {link(billingAddress, t`Ver a cobrança`)}
        </span>
      </p>
    </div>
  )
}

function Usage({ use }: { use: PromptUse }) {
  const { t, i18n } = useLingui()
  const { tokens, limit, answers } = use
  const number = (value: number) => value.toLocaleString(i18n.locale)
  const month = dateText(i18n.locale, new Date(`${use.month}T12:00:00`), 'month')
  const isOver = limit > 0 && tokens >= limit
  return (
    <div className="flex flex-col gap-2 rounded-xl border bg-card px-4 py-3 text-sm shadow-xs">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <span className="font-medium">
          <Trans>Tokens em {month}</Trans>
        </span>
        <span className="text-muted-foreground tabular-nums">
          {limit > 0 ? t`${number(tokens)} de ${number(limit)}` : number(tokens)}
          {' · '}
          {plural(answers, { one: '# resposta', other: '# respostas' })}
        </span>
      </p>
      {limit > 0 && (
        <div
          role="progressbar"
          aria-label={t`Tokens usados`}
          aria-valuemin={0}
          aria-valuemax={limit}
          aria-valuenow={Math.min(tokens, limit)}
          className="h-1.5 overflow-hidden rounded-full bg-muted"
        >
          <div
            className={isOver ? 'h-full bg-destructive' : 'h-full bg-primary'}
            style={{ width: `${Math.min(100, (tokens / limit) * 100)}%` }}
          />
        </div>
      )}
      {isOver && (
        <p className="text-xs text-destructive-soft-foreground">
          <Trans>O limite do mês foi alcançado: os atendimentos vão para a fila. O limite está em Configurações.</Trans>
        </p>
      )}
    </div>
  )
}

function TryPrompt({ prompt, onClose }: { prompt: Prompt; onClose: () => void }) {
  const { t, i18n } = useLingui()
  const failureText = useBotFailure()
  const ask = async (text: string, lines: readonly TryLine[]): Promise<TryLine[]> => {
    const history = lines.flatMap((line) =>
      'text' in line && line.from !== 'note'
        ? [{ from: line.from === 'me' ? ('contact' as const) : ('us' as const), text: line.text }]
        : [],
    )
    const { messages, transfer, usage, voice, failure } = await prompts.try(prompt.id, text, history.slice(-50))
    const answer: TryLine[] = messages.map((said) => ({ from: 'bot', text: said }))
    if (voice) answer.push({ from: 'bot', sound: `data:audio/ogg;base64,${voice}` })
    if (transfer) {
      const queue = prompt.queue?.name ?? t`Sem fila`
      const note = transfer.reason
        ? t`Passa o atendimento para ${queue}: ${transfer.reason}`
        : t`Passa o atendimento para ${queue}`
      answer.push({ from: 'note', text: note })
    }
    if (usage) {
      const count = (usage.inputTokens + usage.outputTokens).toLocaleString(i18n.locale)
      answer.push({ from: 'note', text: t`${count} tokens` })
    }
    if (failure) answer.push({ from: 'note', text: failureText(failure), isFailure: true })
    return answer
  }
  return (
    <TryDialog
      title={t`Testar ${prompt.name}`}
      description={<Trans>Os tokens do teste contam no mês.</Trans>}
      ask={ask}
      onClose={onClose}
    />
  )
}
