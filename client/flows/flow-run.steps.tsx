import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { ArrowDownLeft, ArrowUpRight } from 'lucide-react'
import { nodeTypes } from '../../schema/flows/flows.inputs.ts'
import type { LoggedBlock, LoggedCall, LoggedDoing } from '../../schema/flows/flows.log.ts'
import { FailureText } from '../session/failure.tsx'
import { useCan } from '../session/session.tsx'
import { dateText } from '../i18n/dates.ts'
import { ErrorState } from '../ui/error-state.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { callLine, doneWords, endWords, eventWords } from './flow-runs.words.ts'
import { nodeWords, portText } from './flow.words.ts'
import { useRun, type WholeRun } from './flows.queries.ts'

/** What a run did: each happening with its time, the blocks that were entered, and what went out and came back. */
export function RunSteps({ id, onLeave }: { id: string; onLeave: () => void }) {
  const { t, i18n } = useLingui()
  const { data, error, reload } = useRun(id)
  if (!data) {
    if (error)
      return (
        <ErrorState onRetry={reload} className="py-6">
          <FailureText error={error} />
        </ErrorState>
      )
    return (
      <div role="status" aria-label={t`Carregando a execução`} className="flex w-full flex-col gap-2.5 py-2">
        <Skeleton className="h-4 w-4/5" />
        <Skeleton className="h-4 w-1/2" />
      </div>
    )
  }
  const known = new Map(data.blocks.map((block) => [`${block.version}:${block.node}`, block]))
  if (data.entries.length === 0)
    return (
      <p className="text-sm text-muted-foreground">
        <Trans>O passo a passo desta execução não é mais guardado: ele fica por 30 dias.</Trans>
      </p>
    )
  return (
    <div className="flex w-full min-w-0 flex-col gap-3">
      {data.isCut && (
        <p className="text-xs text-muted-foreground">
          <Trans>Só os últimos passos são mostrados.</Trans>
        </p>
      )}
      <ol aria-label={t`Passo a passo da execução`} className="flex flex-col gap-3">
        {data.entries.map(({ id: key, at, event, blocks, more, calls, done = [], heard, isHidden }) => (
          <li key={key} className="min-w-0 border-l-2 border-border pl-3">
            <p className="flex flex-wrap items-baseline gap-x-2 text-[0.8125rem] font-medium">
              {i18n._(eventWords[event])}
              <time dateTime={at} className="text-xs font-normal text-muted-foreground tabular-nums">
                {dateText(i18n.locale, new Date(at), 'clock')}
              </time>
            </p>
            {heard && <p className="text-[0.8125rem] wrap-anywhere whitespace-pre-line">“{heard}”</p>}
            <Calls calls={calls} way="in" isHidden={isHidden} />
            <Done done={done} at={-1} names={data.names} isHidden={isHidden} />
            <ul className="flex flex-col">
              {blocks.map((block, i) => (
                <li key={i}>
                  <Block
                    block={block}
                    known={known.get(`${block.version}:${block.node}`)}
                    from={known.get(`${block.version}:${block.from}`)}
                    onLeave={onLeave}
                  />
                  <Done done={done} at={i} names={data.names} isHidden={isHidden} />
                </li>
              ))}
              {more > 0 && (
                <li className="text-xs text-muted-foreground">
                  <Plural value={more} one="e mais # bloco" other="e mais # blocos" />
                </li>
              )}
            </ul>
            <Calls calls={calls} way="out" isHidden={isHidden} />
          </li>
        ))}
      </ol>
      <p className="text-[0.8125rem] font-medium">
        {data.reason ? i18n._(endWords[data.reason]) : <Trans>Ainda em andamento</Trans>}
      </p>
    </div>
  )
}

function Block({
  block,
  known,
  from,
  onLeave,
}: {
  block: LoggedBlock
  known: WholeRun['blocks'][number] | undefined
  /** The block before. */
  from: WholeRun['blocks'][number] | undefined
  onLeave: () => void
}) {
  const { i18n } = useLingui()
  const mayDraw = useCan('automations:write')
  const type = nodeTypes.find((one) => one === known?.type) ?? 'unknown'
  const { name, icon: Icon } = nodeWords[type]
  // The only way out of a block says nothing.
  const way = from && from.ports.length > 1 ? from.ports.find(({ id }) => id === block.port) : undefined
  const words = (
    <>
      <Icon aria-hidden="true" className="size-3.5 shrink-0" />
      <span className="truncate">
        {way && `${portText(way, i18n)} → `}
        {i18n._(name)}
        {known?.words && ` · ${known.words}`}
        {(block.why === 'called' || block.why === 'returned') && known && ` · ${known.flow}`}
      </span>
    </>
  )
  const classes = 'flex min-h-7 min-w-0 items-center gap-2 text-[0.8125rem]'
  if (!known || !mayDraw) return <span className={`${classes} text-muted-foreground`}>{words}</span>
  return (
    <Link
      to="/flowbuilder/$id"
      params={{ id: String(known.flowId) }}
      search={{ node: block.node }}
      onClick={onLeave}
      className={`${classes} focus-ring rounded-sm text-primary-soft-foreground hover:underline touch:min-h-11`}
    >
      {words}
    </Link>
  )
}

/** What the block at that place did beside its calls. */
function Done({
  done,
  at,
  names,
  isHidden,
}: {
  done: LoggedDoing[]
  at: number
  names: WholeRun['names']
  isHidden: boolean
}) {
  const { i18n } = useLingui()
  const own = done.filter((one) => one.at === at)
  if (own.length === 0) return null
  return (
    <ul className="mb-1 ml-5.5 flex flex-col text-xs text-muted-foreground">
      {own.map((one, i) => (
        <li key={i} className="wrap-anywhere whitespace-pre-line">
          {i18n._(doneWords[one.kind])}
          {doneText(one, { names, isHidden, i18n })}
        </li>
      ))}
    </ul>
  )
}

const fieldWords: Readonly<Record<string, MessageDescriptor>> = { name: msg`Nome`, email: msg`E-mail` }
const listOf: Partial<Record<LoggedDoing['kind'], keyof WholeRun['names']>> = {
  ...{ tag: 'tags', untag: 'tags', queue: 'queues', agent: 'users' },
}

function doneText(
  { kind, name: given, text }: LoggedDoing,
  { names, isHidden, i18n }: { names: WholeRun['names']; isHidden: boolean; i18n: I18n },
): string {
  const own = kind === 'field' ? fieldWords[given] : undefined
  const name = own ? i18n._(own) : given
  const list = listOf[kind]
  if (list) return `: ${names[list][name] ?? `#${name}`}`
  if (name) return isHidden ? `: ${name}` : `: ${name} = ${text || '—'}`
  return text ? `: ${text}` : ''
}

function Calls({ calls, way, isHidden }: { calls: LoggedCall[]; way: LoggedCall['way']; isHidden: boolean }) {
  return calls.filter((call) => call.way === way).map((call, i) => <Call key={i} call={call} isHidden={isHidden} />)
}

/** What went out to a service, or came back. */
function Call({ call: { kind, way, ok, line, body, isCut }, isHidden }: { call: LoggedCall; isHidden: boolean }) {
  const { i18n } = useLingui()
  const Icon = way === 'out' ? ArrowUpRight : ArrowDownLeft
  const said = callLine({ kind, way, ok, line }, i18n)
  return (
    <div className="my-1 min-w-0 rounded-md bg-muted px-2.5 py-1.5 text-xs">
      <p className="flex items-start gap-1.5 font-medium">
        <Icon aria-hidden="true" className="mt-px size-3.5 shrink-0" />
        <span className="min-w-0 wrap-anywhere">
          {way === 'out' ? (
            kind === 'http' ? (
              <Trans>Enviado ao serviço</Trans>
            ) : kind === 'file' ? (
              <Trans>Arquivo buscado em</Trans>
            ) : kind === 'typebot' ? (
              <Trans>Perguntado ao Typebot</Trans>
            ) : (
              <Trans>Perguntado ao assistente</Trans>
            )
          ) : ok === false ? (
            kind === 'file' ? (
              <Trans>O arquivo não pôde ser buscado</Trans>
            ) : (
              <Trans>Não houve resposta</Trans>
            )
          ) : kind === 'file' ? (
            <Trans>Arquivo recebido</Trans>
          ) : (
            <Trans>Respondido</Trans>
          )}
          {said && ` · ${said}`}
        </span>
      </p>
      {isHidden ? (
        <p className="mt-1 text-muted-foreground">
          <Trans>O seu papel oculta números: o conteúdo não é mostrado.</Trans>
        </p>
      ) : (
        body && (
          <pre tabIndex={0} className="focus-ring mt-1 max-h-40 overflow-auto whitespace-pre-wrap wrap-anywhere">
            {body}
            {isCut && '…'}
          </pre>
        )
      )}
    </div>
  )
}
