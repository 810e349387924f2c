import { Trans, useLingui } from '@lingui/react/macro'
import { useNavigate, useParams } from '@tanstack/react-router'
import { CloudOff, SearchX } from 'lucide-react'
import { Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { can, canSeeTicket } from '../../schema/permissions.ts'
import { hasFinePointer } from '../base/by-finger.ts'
import { api, ApiError } from '../session/api.ts'
import { BrandMark } from '../kit/brand.tsx'
import { FailureText } from '../session/failure.tsx'
import { useStore } from '../base/store.ts'
import { late } from '../base/late.tsx'
import { usePane, useToList } from '../base/panes.ts'
import { ScreenPending } from '../kit/screen-pending.tsx'
import { usePrincipal } from '../session/session.tsx'
import { useAfterFirstScreen } from '../base/use-after-first-screen.ts'
import { useMedia } from '../ui/use-media.ts'
import { Button } from '../ui/button.tsx'
import { cn } from '../ui/cn.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { useDocumentTitle } from '../ui/page.tsx'
import { toast } from '../ui/toaster.tsx'
import { useRows } from '../replica/live-rows.ts'
import { chosenTicket, SelectedTicket } from './inbox.list.tsx'
import { TicketManager } from './inbox.manager.tsx'
import { isUuid, readWireTicket, ticketByUuid, type TicketRow } from '../tickets/tickets.rows.ts'
import { isSentOn, snoozing } from '../tickets/tickets.use-actions.tsx'
import { useReplica } from '../replica/replica.tsx'
import { firstAnswers, firstList } from '../tickets/tickets.first-rows.ts'
import { useOnline } from '../replica/use-online.ts'
import { runWhenOffered } from '../kit/actions.ts'
import { wantRow } from '../tickets/tickets.row-focus.ts'

export const TicketPane = late(() => import('./inbox.pane.tsx'))
const NewTicketDialog = late(async () => ({
  default: (await import('../tickets/tickets.new-dialog.tsx')).NewTicketDialog,
}))
const SnoozeDialog = late(() => import('./inbox.snooze-dialog.tsx'))
const PreviewDialog = late(async () => ({ default: (await import('./inbox.preview-dialog.tsx')).PreviewDialog }))

/** Tickets at the left, the open one at the right; on narrow screens one of the two. */
export default function TicketsScreen() {
  const { t } = useLingui()
  const navigate = useNavigate()
  const { uuid = null } = useParams({ strict: false }) as { uuid?: string }
  const onePane = useMedia('(width < 768px)')
  const [pane, show] = usePane(uuid)
  const [newTicket, setNewTicket] = useState<{ number?: string } | null>(null)
  const [spied, setSpied] = useState<TicketRow | null>(null)
  useDocumentTitle(t`Atendimentos`)
  const replica = useReplica()
  const who = usePrincipal()
  useEffect(() => void replica.first?.(firstList(who), () => firstAnswers(who)), [replica, who])

  // The way back does not lead to a ticket that one may not see any more.
  const leave = useCallback(() => void navigate({ to: '/tickets', replace: true }), [navigate])
  const toList = useToList('/tickets', uuid)
  const backToList = () => {
    // At once: the way back takes a moment.
    show('list')
    toList()
  }
  // On a phone the list is seen before the way back has come to its address: choosing the same again changes none.
  const latestShow = useRef(show)
  useEffect(() => {
    latestShow.current = show
  }, [show])
  const reopen = useCallback(() => {
    latestShow.current('open')
    // A finger would only bring up a keyboard.
    if (hasFinePointer()) runWhenOffered('ticket.write')
  }, [])
  const startNew = useCallback(() => setNewTicket({}), [])

  // On a phone whoever comes to a conversation sees no list: it is built when the conversation is there, or asked for.
  const [isListBuilt, setListBuilt] = useState(false)
  const isListDue = useAfterFirstScreen() || !onePane || pane === 'list'
  if (isListDue && !isListBuilt) setListBuilt(true)
  const manager = (isListDue || isListBuilt) && (
    <SelectedTicket value={uuid}>
      <TicketManager onNewTicket={startNew} onSpy={setSpied} onReopen={reopen} />
    </SelectedTicket>
  )
  const open = uuid ? (
    <OpenTicket
      uuid={uuid}
      onLeave={leave}
      onBack={onePane ? backToList : undefined}
      onWriteTo={(number) => setNewTicket({ number })}
    />
  ) : (
    <Welcome onChoose={onePane ? () => show('list') : undefined} />
  )
  return (
    <>
      <h1 className="sr-only">
        <Trans>Atendimentos</Trans>
      </h1>
      {onePane ? (
        <div className="flex h-full min-h-0 flex-col">
          {/* The list stays: going back to it finds it where it was left. A conversation that is not seen is not read. */}
          <div className={cn('min-h-0 flex-1', pane !== 'list' && 'hidden')}>{manager}</div>
          {pane === 'open' && <div className="min-h-0 flex-1">{open}</div>}
        </div>
      ) : (
        <div className="flex h-full min-h-0">
          <div className="w-[clamp(20rem,28vw,23.5rem)] shrink-0 border-r">{manager}</div>
          <div className="min-w-0 flex-1">{open}</div>
        </div>
      )}
      <Suspense fallback={null}>
        {newTicket && <NewTicketDialog number={newTicket.number} onClose={() => setNewTicket(null)} />}
        <SnoozeHost />
        {spied && <SpiedTicket ticket={spied} onClose={() => setSpied(null)} />}
      </Suspense>
    </>
  )
}

/** Asked for by a row, the head of a conversation or a key. */
function SnoozeHost() {
  const ticket = useStore(snoozing)
  return ticket && <SnoozeDialog key={ticket.id} ticket={ticket} onClose={() => snoozing.set(null)} />
}

function SpiedTicket({ ticket, onClose }: { ticket: TicketRow; onClose: () => void }) {
  const { rows } = useRows(ticketByUuid(ticket.uuid))
  return <PreviewDialog ticket={rows?.[0] ?? ticket} remote={rows?.length === 0} onClose={onClose} />
}

/**
 * The ticket of the address: of the replica, else of the server, else a sentence about why there is none. The pane stays
 * from one ticket to the next, because most of it is the same.
 */
function OpenTicket({
  uuid,
  onLeave,
  onBack,
  onWriteTo,
}: {
  uuid: string
  onLeave: () => void
  onBack: (() => void) | undefined
  onWriteTo: (number: string) => void
}) {
  const { t } = useLingui()
  const who = usePrincipal()
  const online = useOnline()
  const valid = isUuid(uuid)
  const { rows, error } = useRows(valid ? ticketByUuid(uuid) : null)
  const replica = useReplica()
  useEffect(() => {
    if (!valid) return
    const { query } = ticketByUuid(uuid)
    void replica.first?.(query, async () => [
      { query, rows: [readWireTicket(await api.get<Record<string, unknown>>(`/tickets/u/${uuid}`))] },
    ])
  }, [replica, valid, uuid])
  const chosen = chosenTicket.current?.uuid === uuid ? chosenTicket.current : undefined
  const local = rows === undefined ? chosen : rows[0]
  const [answer, setAnswer] = useState<{ uuid: string; ticket?: TicketRow; failure?: ApiError } | null>(null)
  const { ticket: fetched = null, failure = null } = answer?.uuid === uuid ? answer : {}
  const [attempt, setAttempt] = useState(0)
  const wanted = valid && rows !== undefined && !local
  const ticket = local ?? fetched
  const seesAll = can(who, 'tickets-manager:showall')
  const refused =
    (ticket !== null && ticket !== undefined && !canSeeTicket(who, ticket)) ||
    (!seesAll && (failure?.status === 403 || failure?.status === 404))

  useEffect(() => {
    if (!wanted || !online) return
    const controller = new AbortController()
    setAnswer(null)
    api.get<Record<string, unknown>>(`/tickets/u/${uuid}`, { signal: controller.signal }).then(
      (raw) => !controller.signal.aborted && setAnswer({ uuid, ticket: readWireTicket(raw) }),
      (reason: unknown) => {
        if (!controller.signal.aborted)
          setAnswer({ uuid, failure: reason instanceof ApiError ? reason : new ApiError('ERR_NO_TICKET_FOUND', 0) })
      },
    )
    return () => controller.abort()
  }, [wanted, online, uuid, attempt])
  useEffect(() => {
    if (!refused) return
    // Who has just sent it on knows why.
    if (isSentOn(ticket?.uuid ?? uuid)) return onLeave()
    toast.error(t`Acesso não permitido`)
    onLeave()
  }, [refused, onLeave, t, ticket?.uuid, uuid])

  if (refused) return null
  if (ticket)
    return (
      <Suspense fallback={<Opening />}>
        <TicketPane
          ticket={ticket}
          remote={!local}
          onBack={
            onBack &&
            (() => {
              onBack()
              wantRow({ to: 'at', id: ticket.id })
            })
          }
          onWriteTo={onWriteTo}
        />
      </Suspense>
    )
  if (!valid || failure?.status === 404)
    return (
      <EmptyState
        icon={SearchX}
        className="h-full"
        title={t`Atendimento não encontrado`}
        action={
          <Button variant="outline" onClick={onLeave}>
            <Trans>Voltar aos atendimentos</Trans>
          </Button>
        }
      >
        <Trans>Ele pode ter sido excluído, ou o endereço está incompleto.</Trans>
      </EmptyState>
    )
  if (failure || error)
    return (
      <ErrorState className="h-full" onRetry={() => setAttempt((n) => n + 1)}>
        {failure ? (
          <FailureText error={failure} />
        ) : (
          <Trans>Os dados guardados neste navegador não puderam ser lidos.</Trans>
        )}
      </ErrorState>
    )
  if (wanted && !online)
    return (
      <EmptyState icon={CloudOff} className="h-full" title={t`Sem rede`}>
        <Trans>Este atendimento não está neste navegador. Ele abre assim que a rede voltar.</Trans>
      </EmptyState>
    )
  return <Opening />
}

const Opening = () => (
  <ScreenPending>
    <Trans>Abrindo o atendimento…</Trans>
  </ScreenPending>
)

function Welcome({ onChoose }: { onChoose: (() => void) | undefined }) {
  const { t } = useLingui()
  return (
    <div className="flex h-full flex-col items-center justify-center bg-thread">
      <BrandMark className="size-16" />
      <EmptyState
        className="pt-5"
        title={t`Escolha uma conversa`}
        action={
          onChoose ? (
            <Button onClick={onChoose}>
              <Trans>Selecionar conversa</Trans>
            </Button>
          ) : (
            <p className="flex items-center gap-1.5 text-xs text-muted-foreground max-lg:hidden">
              <Kbd>J</Kbd>
              <Kbd>K</Kbd>
              <span className="mr-3">
                <Trans>mover na lista</Trans>
              </span>
              <Kbd>A</Kbd>
              <span className="mr-3">
                <Trans>aceitar</Trans>
              </span>
              <Kbd>N</Kbd>
              <Trans>novo atendimento</Trans>
            </p>
          )
        }
      >
        <Trans>As mensagens aparecem aqui, também sem rede.</Trans>
      </EmptyState>
    </div>
  )
}
