import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link, useParams } from '@tanstack/react-router'
import {
  ArrowDownLeft,
  ArrowLeft,
  ArrowUpRight,
  CheckCheck,
  Clock,
  Link2,
  RefreshCcw,
  TriangleAlert,
} from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useConnectionState } from '../session/connection-state.ts'
import { LoadingRows, OfflineCopy } from '../kit/data-list.tsx'
import { errorText } from '../session/error-text.ts'
import { dateText } from '../i18n/dates.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { cn } from '../ui/cn.ts'
import { ErrorState } from '../ui/error-state.tsx'
import { Page, PageCard } from '../ui/page.tsx'
import { useNow } from '../base/now.ts'
import { cloudFailureIn } from '../../schema/whatsapps/whatsapps.cloud-failures.ts'
import { kindOf } from '../../schema/whatsapps/whatsapps.providers.ts'
import { useConnections } from '../replica/directory.ts'
import { useOffers } from '../replica/offers.ts'
import { useCan } from '../session/session.tsx'
import { NewChatsCard } from './whatsapps.new-chats.tsx'
import { OfficialCard } from './whatsapps.official-card.tsx'
import { useConnectionHealth } from './whatsapps.queries.ts'
import type { ConnectionHealth } from './whatsapps.queries.ts'
import { StatusBadge, useProblemText } from './whatsapps.words.tsx'

/** From here on what waits is more than a moment's traffic. */
const slowMs = 60_000

/** How a connection is doing: its link, what comes and goes, what waits, what went wrong last. */
export default function ConnectionHealthScreen() {
  const { t } = useLingui()
  const id = Number(useParams({ strict: false }).id)
  const health = useConnectionHealth(id)
  const offline = useConnectionState() === 'offline'
  const { data, error, loading, reload } = health
  return (
    <Page
      title={data?.name ?? t`Saúde da conexão`}
      description={<Trans>Saúde da conexão</Trans>}
      actions={
        <Button asChild variant="outline">
          <Link to="/connections">
            <ArrowLeft />
            <Trans>Conexões</Trans>
          </Link>
        </Button>
      }
    >
      {data && (error || offline) && <OfflineCopy />}
      {data ? (
        <Details health={data} />
      ) : error && !loading ? (
        <PageCard>
          <ErrorState onRetry={reload}>{errorText(error)}</ErrorState>
        </PageCard>
      ) : (
        <LoadingRows label={t`Saúde da conexão`} />
      )}
    </Page>
  )
}

function Details({ health }: { health: ConnectionHealth }) {
  const { t } = useLingui()
  const { full, when } = useMoments()
  const now = useNow()
  const { pair } = useOffers(health.id)
  const isOfficial = kindOf(useConnections().byId.get(health.id)?.provider) === 'api'
  const maySetUp = useCan('connections-page:editOrDeleteConnection')
  const problem = useProblemText()(health.lastError)
  const { status, connectedAt, oldestWaitingAt, queueDepth, failed, waitingAcks, reconnections } = health
  const { reusedIds = 0, reusedIdAt } = health
  const connected = status === 'CONNECTED'
  // Over the official API something may be wrong with all that is sent while the link is open.
  const isOver = connected && !cloudFailureIn(health.lastError ?? '')
  const waits = oldestWaitingAt !== null && now - Date.parse(oldestWaitingAt) > slowMs
  return (
    <div className="flex flex-col gap-4">
      <Card className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-4">
        <StatusBadge status={status} pair={pair} />
        <p className="text-sm text-muted-foreground">
          {connected && connectedAt ? (
            <Trans>Conectada desde {full(connectedAt)}</Trans>
          ) : connectedAt ? (
            <Trans>Conectada pela última vez em {full(connectedAt)}</Trans>
          ) : (
            <Trans>Nunca foi conectada.</Trans>
          )}
        </p>
      </Card>
      {problem && (
        <Card
          role={isOver ? 'note' : 'alert'}
          className={cn(
            'flex items-start gap-3 px-5 py-4',
            !isOver && 'border-transparent bg-destructive-soft text-destructive-soft-foreground',
          )}
        >
          <TriangleAlert aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
          <div className="text-sm">
            <p className="font-medium">
              {isOver ? <Trans>Último problema, já superado</Trans> : <Trans>O que aconteceu</Trans>}
            </p>
            <p>{problem}</p>
          </div>
        </Card>
      )}
      <NewChatsCard state={health} />
      {isOfficial && maySetUp && <OfficialCard connection={health} />}
      <dl className="grid grid-cols-2 gap-3 lg:grid-cols-3">
        <Fact
          icon={ArrowDownLeft}
          label={t`Última mensagem recebida`}
          {...when(health.lastMessageInAt, t`Nenhuma ainda`)}
        />
        <Fact
          icon={ArrowUpRight}
          label={t`Última mensagem enviada`}
          {...when(health.lastMessageOutAt, t`Nenhuma ainda`)}
        />
        <Fact
          icon={RefreshCcw}
          label={t`Reconexões`}
          value={String(reconnections)}
          note={t`Desde que o servidor assumiu a conexão`}
        />
        <Fact
          icon={Clock}
          label={t`Na fila de envio`}
          value={String(queueDepth)}
          troubled={waits}
          note={
            oldestWaitingAt ? t`A mais antiga espera desde ${full(oldestWaitingAt)}` : t`Nada espera para ser enviado`
          }
        />
        <Fact
          icon={CheckCheck}
          label={t`Aguardando confirmação`}
          value={String(waitingAcks)}
          note={t`Saíram, e o WhatsApp ainda não confirmou`}
        />
        <Fact
          icon={TriangleAlert}
          label={t`Falhas de envio`}
          value={String(failed)}
          troubled={failed > 0}
          note={
            failed > 0 ? (
              <Plural
                value={failed}
                one="# trabalho abandonado nos últimos 30 dias"
                other="# trabalhos abandonados nos últimos 30 dias"
              />
            ) : (
              t`Nenhuma nos últimos 30 dias`
            )
          }
        />
      </dl>
      {reusedIds > 0 && reusedIdAt && <Reused count={reusedIds} last={full(reusedIdAt)} />}
      <p className="flex items-center gap-2 text-xs text-muted-foreground">
        <Link2 aria-hidden="true" className="size-3.5 shrink-0" />
        {health.state === null ? (
          <Trans>Nenhum processo deste servidor mantém a sessão agora.</Trans>
        ) : (
          <Trans>A sessão é mantida por este servidor.</Trans>
        )}
      </p>
    </div>
  )
}

/** Messages that nobody reads: each came with the id of another one. */
function Reused({ count, last }: { count: number; last: string }) {
  return (
    <Card role="note" className="flex items-start gap-3 px-5 py-4 text-sm">
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
      <Plural
        value={count}
        one={`# mensagem de um contato não foi guardada: veio com o identificador de outra que já estava aqui, em ${last}.`}
        other={`# mensagens de contatos não foram guardadas: vieram com o identificador de outras que já estavam aqui, a última em ${last}.`}
      />
    </Card>
  )
}

/** To the second: a day and its time in one line, or one below the other. */
function useMoments() {
  const { i18n } = useLingui()
  const day = (at: string) => dateText(i18n.locale, new Date(at), 'fullDate')
  const clock = (at: string) => dateText(i18n.locale, new Date(at), 'clock')
  return {
    full: (at: string) => `${day(at)} ${clock(at)}`,
    when: (at: string | null, never: string) =>
      at ? { value: clock(at), note: day(at) } : { value: '—', note: never },
  }
}

function Fact({
  icon: Icon,
  label,
  value,
  note,
  troubled = false,
}: {
  icon: LucideIcon
  label: string
  value: string
  note: ReactNode
  troubled?: boolean
}) {
  return (
    <div className="flex flex-col rounded-xl border bg-card p-4 shadow-xs">
      <dt className="flex items-center gap-1.5 text-xs text-muted-foreground">
        <Icon aria-hidden="true" className="size-3.5 shrink-0" />
        {label}
      </dt>
      <dd className="mt-2 flex flex-1 flex-col">
        <span
          className={cn(
            'text-2xl font-semibold tracking-tight tabular-nums',
            troubled && 'text-destructive-soft-foreground',
          )}
        >
          {value}
        </span>
        <span className="text-xs text-muted-foreground tabular-nums">{note}</span>
      </dd>
    </div>
  )
}
