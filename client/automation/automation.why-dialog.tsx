import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { History, MessageCircleQuestion, WifiOff } from 'lucide-react'
import { useMemo, useState } from 'react'
import { nodeOf } from '../../schema/flows/flows.rows.ts'
import { useDirectory } from '../replica/directory.ts'
import { errorText } from '../session/error-text.ts'
import { useFetched } from '../session/fetched.ts'
import { useRows } from '../replica/live-rows.ts'
import { useCan } from '../session/session.tsx'
import { useOnline } from '../replica/use-online.ts'
import { cardText } from '../flows/flow.card-text.ts'
import { RunSteps } from '../flows/flow-run.steps.tsx'
import { nodeWords } from '../flows/flow.words.ts'
import { dateText } from '../i18n/dates.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogBody, DialogContent } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { assignedAfter } from './automation.assigned.rows.ts'
import { Assigned } from './automation.assigned.tsx'
import { blocksOf, decisionPath, flowNames, type DecisionView } from './automation.queries.ts'
import { Steps } from './automation.steps.tsx'
import { stepSentence } from './automation.words.ts'

/** Why a message was answered automatically, or was not, or why it was sent. */
export default function WhyDialog({
  messageId,
  fromMe,
  text,
  onClose,
}: {
  messageId: string
  fromMe: boolean
  /** The message, in short. */
  text: string
  onClose: () => void
}) {
  const { t } = useLingui()
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={fromMe ? t`Por que esta mensagem foi enviada?` : t`Por que esta mensagem foi respondida assim?`}
        description={text === '' ? undefined : <span className="line-clamp-2 wrap-anywhere">{text}</span>}
      >
        <DialogBody>
          <Decisions messageId={messageId} fromMe={fromMe} onLeave={onClose} />
          {!fromMe && <AssignedAfter messageId={messageId} />}
        </DialogBody>
      </DialogContent>
    </Dialog>
  )
}

/** To whom the queue gave the ticket after this message, and why: of the replica, so without a network, too. */
function AssignedAfter({ messageId }: { messageId: string }) {
  const { rows = [] } = useRows(assignedAfter(messageId))
  return rows.map((event) => {
    const name = String(event.data['user'] ?? '')
    return (
      <section key={event.id} className="mt-5 flex flex-col gap-2 border-t pt-4">
        <h3 className="text-sm font-medium">
          <Trans>Por que o atendimento foi entregue a {name}?</Trans>
        </h3>
        <Assigned event={event} />
      </section>
    )
  })
}

function Decisions({ messageId, fromMe, onLeave }: { messageId: string; fromMe: boolean; onLeave: () => void }) {
  const { t, i18n } = useLingui()
  const online = useOnline()
  const sees = useCan('automations:trace')
  const mayDraw = useCan('automations:write')
  const { data, error, reload } = useFetched<{ decisions: DecisionView[] }>(decisionPath(messageId))
  if (!data) {
    if (error?.status === 0 || (!error && !online))
      return (
        <EmptyState icon={WifiOff} title={<Trans>Sem conexão</Trans>} className="py-8">
          <Trans>O motivo está guardado no servidor. Ele aparece aqui quando a conexão voltar.</Trans>
        </EmptyState>
      )
    if (error)
      return (
        <ErrorState onRetry={reload} className="py-8">
          {errorText(error)}
        </ErrorState>
      )
    return (
      <div role="status" aria-label={t`Carregando o motivo`} className="flex flex-col gap-2.5 py-2">
        <Skeleton className="h-4 w-4/5" />
        <Skeleton className="h-4 w-1/2" />
      </div>
    )
  }
  if (data.decisions.length === 0)
    return (
      <EmptyState icon={MessageCircleQuestion} title={<Trans>Nenhuma decisão automática</Trans>} className="py-8">
        {fromMe ? (
          <Trans>Esta mensagem não foi enviada por uma regra: foi escrita no celular, por exemplo.</Trans>
        ) : (
          <Trans>Ninguém decidiu sobre esta mensagem: um atendente estava com o atendimento, por exemplo.</Trans>
        )}
      </EmptyState>
    )
  return (
    <div className="flex flex-col gap-5">
      {data.decisions.map(({ createdAt, trigger, steps, by }) => {
        const acted = trigger === 'rule' ? steps.findLast(({ result }) => result !== 'passed') : undefined
        const ended = acted ?? steps.at(-1)
        return (
          <section key={`${trigger} ${createdAt}`} className="flex flex-col gap-3">
            {ended && (
              <div className="rounded-lg bg-muted px-3.5 py-3">
                <p className="text-sm font-medium text-balance">{t(stepSentence(ended))}</p>
                <time dateTime={createdAt} className="text-xs text-muted-foreground tabular-nums">
                  {dateText(i18n.locale, new Date(createdAt), 'moment')}
                </time>
              </div>
            )}
            {by?.nodes && mayDraw && <Blocks nodes={by.nodes} onLeave={onLeave} />}
            {by?.model !== undefined && (
              <Cost model={by.model} tokens={(by.inputTokens ?? 0) + (by.outputTokens ?? 0)} />
            )}
            {sees && by?.runId && <RunLine runId={by.runId} onLeave={onLeave} />}
            {sees && <Steps steps={steps} onLeave={onLeave} />}
          </section>
        )
      })}
    </div>
  )
}

/** What the flow did, block by block: shown where it is asked for. */
function RunLine({ runId, onLeave }: { runId: string; onLeave: () => void }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="flex flex-col items-start gap-2">
      <Button variant="outline" size="sm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <History />
        {isOpen ? <Trans>Ocultar a execução do fluxo</Trans> : <Trans>Ver a execução do fluxo</Trans>}
      </Button>
      {isOpen && <RunSteps id={runId} onLeave={onLeave} />}
    </div>
  )
}

/** Which language model answered, and what it used. */
function Cost({ model, tokens }: { model: string; tokens: number }) {
  return (
    <p className="text-xs text-muted-foreground tabular-nums">
      <Trans>Modelo: {model}</Trans>
      {' · '}
      <Trans>Tokens: {tokens}</Trans>
    </p>
  )
}

/** So many blocks are named, those that were come to last. */
const MOST_BLOCKS = 6

/** The blocks of a flow that answered, each leading to its place in the drawing. */
function Blocks({ nodes, onLeave }: { nodes: readonly string[]; onLeave: () => void }) {
  const { t, i18n } = useLingui()
  const key = [...new Set(nodes)].slice(-MOST_BLOCKS).join(' ')
  const ids = useMemo(() => key.split(' '), [key])
  const { rows } = useRows(useMemo(() => (key === '' ? null : blocksOf(ids)), [key, ids]))
  const directory = useDirectory()
  const { rows: flows } = useRows(flowNames)
  const names = {
    queue: (id: number) => directory.queues.byId.get(id)?.name,
    tag: (id: number) => directory.tags.byId.get(id)?.name,
    user: (id: number) => directory.users.byId.get(id)?.name,
    flow: (id: number) => flows?.find((flow) => flow.id === id)?.name,
  }
  // What was removed from the draft since has no place to lead to.
  const found = ids.flatMap((id) => rows?.find(({ node }) => node === id) ?? [])
  if (found.length === 0) return null
  return (
    <div className="flex flex-col gap-1">
      <p className="text-xs font-medium text-muted-foreground">
        <Trans>Blocos do fluxo que responderam</Trans>
      </p>
      <ul aria-label={t`Blocos do fluxo que responderam`} className="flex flex-col">
        {found.map((row) => {
          const node = nodeOf(row)
          const { name, icon: Icon } = nodeWords[node.type]
          const words = cardText(node, names, i18n).replaceAll('\n', ' ').slice(0, 60)
          return (
            <li key={row.id}>
              <Link
                to="/flowbuilder/$id"
                params={{ id: String(row.flowId) }}
                search={{ node: node.id }}
                onClick={onLeave}
                className="focus-ring flex min-h-7 items-center gap-2 rounded-sm text-[0.8125rem] text-primary-soft-foreground hover:underline touch:min-h-11"
              >
                <Icon aria-hidden="true" className="size-3.5 shrink-0" />
                <span className="truncate">
                  {i18n._(name)}
                  {words && ` · ${words}`}
                </span>
              </Link>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
