import { Trans, useLingui } from '@lingui/react/macro'
import { useNavigate, useParams } from '@tanstack/react-router'
import { CloudOff, MessagesSquare, SearchX } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { api } from '../session/api.ts'
import { firstScreenShown, late } from '../base/late.tsx'
import { PaneTabs } from '../kit/pane-tabs.tsx'
import { usePane, useToList } from '../base/panes.ts'
import { PlanGate } from '../session/plan-gate.tsx'
import { useReplicaStatus } from '../replica/replica-hooks.ts'
import { RemoveDialog } from '../kit/row-actions.tsx'
import { ScreenPending } from '../kit/screen-pending.tsx'
import { useMedia } from '../ui/use-media.ts'
import { useIsFromLastTime, useRows } from '../replica/live-rows.ts'
import { Button } from '../ui/button.tsx'
import { cn } from '../ui/cn.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { useDocumentTitle } from '../ui/page.tsx'
import { ChatList } from './chats.list.tsx'
import { ChatPane } from './chats.pane.tsx'
import { ownChats, type ChatRow } from './chats.rows.ts'

const ChatDialog = late(async () => ({ default: (await import('./chats.dialog.tsx')).ChatDialog }))

/** The status can be ahead of the rows by a moment, ms. */
const goneMs = 1000

/** Conversations among colleagues: chats at the left, the open one at the right; on narrow screens one of the two. */
export default function ChatsScreen() {
  const { t } = useLingui()
  useDocumentTitle(t`Chat interno`)
  useEffect(firstScreenShown, [])
  return (
    <PlanGate feature="useInternalChat">
      <Chats />
    </PlanGate>
  )
}

function Chats() {
  const { t } = useLingui()
  const navigate = useNavigate()
  const { uuid = null } = useParams({ strict: false }) as { uuid?: string }
  const oneTab = useMedia('(width < 768px)')
  const { rows, error } = useRows(ownChats)
  const fromLastTime = useIsFromLastTime(ownChats)
  const { state, online } = useReplicaStatus()
  const syncing = state === 'starting' || state === 'loading' || state === 'catching-up'
  const found = rows?.find((row) => row.uuid === uuid)
  // What was on the screen stays there while the replica may be behind it, as after a start without a network.
  const [kept, setKept] = useState<ChatRow | null>(null)
  if (found && found !== kept) setKept(found)
  const chat = found ?? (kept?.uuid === uuid ? kept : undefined)
  const [pane, show] = usePane(uuid)
  const toList = useToList('/chats', uuid)
  const backToList = () => {
    // At once: the way back takes a moment.
    show('list')
    toList()
  }
  const [editing, setEditing] = useState<ChatRow | 'new' | null>(null)
  const [removing, setRemoving] = useState<ChatRow | null>(null)
  /** Made here a moment ago; its row is on its way. */
  const [awaited, setAwaited] = useState<string | null>(null)

  // The owner deleted it, or took this user out of it.
  const gone = state === 'live' && rows !== undefined && !fromLastTime && chat !== undefined && !found
  useEffect(() => {
    if (!gone) return
    const timer = setTimeout(() => {
      setKept(null)
      setEditing(null)
      setRemoving(null)
      void navigate({ to: '/chats', replace: true })
    }, goneMs)
    return () => clearTimeout(timer)
  }, [gone, navigate])

  const list = <ChatList chats={rows} selected={uuid} onNew={() => setEditing('new')} onOpen={() => show('open')} />
  const open = chat ? (
    <ChatPane
      key={chat.id}
      chat={chat}
      onBack={oneTab ? backToList : undefined}
      onEdit={() => setEditing(chat)}
      onRemove={() => setRemoving(chat)}
    />
  ) : error && !rows ? (
    <ErrorState className="h-full">
      <Trans>Os dados guardados neste navegador não puderam ser lidos.</Trans>
    </ErrorState>
  ) : uuid === null ? (
    <Welcome onNew={() => setEditing('new')} />
  ) : !online ? (
    <EmptyState icon={CloudOff} className="h-full" title={t`Sem rede`}>
      <Trans>Esta conversa não está neste navegador. Ela abre assim que a rede voltar.</Trans>
    </EmptyState>
  ) : !rows || fromLastTime || syncing || uuid === awaited ? (
    <Opening />
  ) : (
    <EmptyState
      icon={SearchX}
      className="h-full"
      title={t`Conversa não encontrada`}
      action={
        <Button variant="outline" onClick={() => void navigate({ to: '/chats' })}>
          <Trans>Voltar às conversas</Trans>
        </Button>
      }
    >
      <Trans>Ela pode ter sido excluída, ou você não participa dela.</Trans>
    </EmptyState>
  )
  return (
    <>
      <h1 className="sr-only">
        <Trans>Chat interno</Trans>
      </h1>
      {oneTab ? (
        <div className="flex h-full min-h-0 flex-col">
          <PaneTabs
            pane={pane}
            onChange={show}
            hidden={pane === 'open' && chat !== undefined}
            tabs={[
              { pane: 'list', name: <Trans>Chats</Trans> },
              { pane: 'open', name: <Trans>Mensagens</Trans> },
            ]}
          />
          {/* The list stays: going back to it finds it where it was left. A conversation that is not seen is not read. */}
          <div className={cn('min-h-0 flex-1', pane !== 'list' && 'hidden')}>{list}</div>
          {pane === 'open' && <div className="min-h-0 flex-1">{open}</div>}
        </div>
      ) : (
        <div className="grid h-full min-h-0 grid-cols-[minmax(15rem,3fr)_9fr]">
          <div className="min-h-0 border-r">{list}</div>
          <div className="min-h-0 min-w-0">{open}</div>
        </div>
      )}
      <Suspense fallback={null}>
        {editing && (
          <ChatDialog
            chat={editing === 'new' ? null : editing}
            onClose={() => setEditing(null)}
            onSaved={(saved) => {
              if (editing !== 'new') return
              setAwaited(saved.uuid)
              void navigate({ to: '/chats/$uuid', params: { uuid: saved.uuid } })
            }}
          />
        )}
      </Suspense>
      {removing && (
        <RemoveDialog
          name={removing.title}
          remove={() => api.delete(`/chats/${removing.id}`)}
          onRemoved={() => void navigate({ to: '/chats', replace: true })}
          onClose={() => setRemoving(null)}
        >
          <Trans>As mensagens são excluídas para todos os participantes.</Trans>
        </RemoveDialog>
      )}
    </>
  )
}

const Opening = () => (
  <ScreenPending>
    <Trans>Abrindo a conversa…</Trans>
  </ScreenPending>
)

function Welcome({ onNew }: { onNew: () => void }) {
  const { t } = useLingui()
  return (
    <div className="flex h-full items-center justify-center bg-thread">
      <EmptyState
        icon={MessagesSquare}
        title={t`Escolha uma conversa`}
        action={
          <Button variant="outline" onClick={onNew}>
            <Trans>Nova conversa</Trans>
          </Button>
        }
      >
        <Trans>O que você escreve sem rede segue assim que ela voltar.</Trans>
      </EmptyState>
    </div>
  )
}
