import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { CloudOff } from 'lucide-react'
import {
  Component,
  createContext,
  memo,
  use,
  useCallback,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { KeyboardEvent, ReactNode, RefObject } from 'react'
import { offersOf } from '../../schema/whatsapps/whatsapps.providers.ts'
import { usePrincipal } from '../session/session.tsx'
import { useConnections, useUsers } from '../replica/directory.ts'
import { firstScreenShown } from '../base/late.tsx'
import { useRows } from '../replica/live-rows.ts'
import { useNow } from '../base/now.ts'
import { EventWords } from './messages.timeline.tsx'
import { dateText } from '../i18n/dates.ts'
import { useDayName } from '../tickets/tickets.words.ts'
import type { TicketRow } from '../tickets/tickets.rows.ts'
import { useOnline } from '../replica/use-online.ts'
import { Button } from '../ui/button.tsx'
import { cn } from '../ui/cn.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { NewestButton } from '../ui/newest-button.tsx'
import { OlderMessages } from '../ui/older-messages.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { bringIntoView, bringRangeIntoView } from './messages.bring-into-view.ts'
import { Bubble, useMediaWords, type BubbleActions } from './messages.bubble.tsx'
import { captionOf } from './messages.bubble-media.tsx'
import { messagesById, type EventRow, type MessageRow } from './messages.rows.ts'
import { MessageActions } from './messages.actions.tsx'
import { memberNumber } from '../kit/phone-text.ts'
import { afterPaint } from '../base/after-paint.ts'
import { firstSought, highlight } from './messages.highlight.ts'
import { sought } from './messages.open-at.ts'
import { useStore } from '../base/store.ts'
import { onceScrolled } from '../base/once-scrolled.ts'
import { plainText } from '../kit/text-tree.ts'
import {
  byDay,
  fillsWindow,
  intoBlocks,
  threadEntries,
  waitsFor,
  type Block,
  type DayEntry,
  type Days,
  type ThreadMessage,
} from './messages.thread.ts'
import type { Thread } from './messages.use-thread.ts'

/** Older messages are loaded when the top is this near, px: about a window, so that who scrolls on does not arrive there before them (docs/decisions/0019-older-messages.md). */
const olderWithin = 900
/** The same where some are missing, above or below. */
const gapWithin = 600
/** What counts as being at the newest message, px. */
const bottomWithin = 60
/** Blocks at the end that are always drawn. */
const blocksAlwaysDrawn = 2
/** What stands above and below the messages in the window at the least, px. */
const aroundMessages = 110
/** Height of a message that was never drawn, px. */
const usualHeight = 48

/**
 * The conversation. Its scroller runs from the bottom (`column-reverse`), so it opens at the newest message without
 * measuring anything, keeps what is in sight in place when older messages are put in front, and the browser skips
 * drawing what is out of sight (`content-visibility`): no list of measured heights has to be kept right.
 */
export function ThreadView({
  ticket,
  thread,
  unread,
  writable,
  actions,
  jump,
  editingId,
  typing,
}: {
  ticket: TicketRow
  thread: Thread
  /** Where the line before the unread messages stands; fixed while the conversation is open. */
  unread: { from: string; count: number } | null
  writable: boolean
  actions: BubbleActions
  /** A message to scroll to and point out; another object asks again. */
  jump: { id: string } | null
  /** The message that is being changed: marked, so that nobody wonders which. */
  editingId: string | null
  typing: ReactNode
}) {
  const { t } = useLingui()
  const who = usePrincipal()
  const users = useUsers()
  const online = useOnline()
  const connection = useConnections().byId.get(ticket.whatsappId ?? 0)
  // One that is not known here is not said to be down.
  const connected = connection === undefined || connection.status === 'CONNECTED'
  const reactable = writable && offersOf(connection?.provider).react
  const { messages, events, gapAfter, leaveFar } = thread
  // The first frame draws what fills the window; the rest of the page follows at once, above what is in sight.
  const whole = useDeferredValue(true, false)
  const first = useMemo(() => messages && fillsWindow(messages, window.innerHeight - aroundMessages), [messages])
  const entries = useMemo(
    () => threadEntries((whole ? messages : first) ?? [], events, unread, gapAfter, whole && !thread.hasOlder),
    [messages, first, events, unread, whole, gapAfter, thread.hasOlder],
  )
  const { days } = useBlocks(entries)
  const quotes = useQuotes(messages)
  useEffect(() => {
    if (messages) firstScreenShown()
  }, [messages])
  const scroller = useRef<HTMLDivElement>(null)
  const [atBottom, setAtBottom] = useState(true)
  // Known from scrolling, so that nobody asks the browser for it in the frame in which a bubble appears: the answer costs a layout.
  const bottomNow = useRef(true)
  /** On the way to the newest message nothing is held in place: that would end the way. */
  const headingDown = useRef(false)
  const [newCount, setNewCount] = useState(0)
  useEffect(() => {
    if (editingId === null) return
    // By hand: drawn anew, all bubbles would be asked whether they are meant.
    const bubble = scroller.current?.querySelector(`[data-message="${CSS.escape(editingId)}"] [data-bubble]`)
    bubble?.setAttribute('data-editing', '')
    bubble?.scrollIntoView({ block: 'nearest' })
    return () => bubble?.removeAttribute('data-editing')
  }, [editingId])
  const newest = messages?.at(-1)?.row
  // To find out whether a block is in sight costs the frame a second layout. What one begins with is, and so is what
  // comes.
  const firstBlocks = useRef<Set<number>>(null)
  if (first && days.length > 0) firstBlocks.current ??= lastOf(days, first.length)
  const lastBlocks = days.flatMap(({ blocks }) => blocks.map(({ id }) => id)).slice(-blocksAlwaysDrawn)

  const authorOf = useCallback(
    (row: MessageRow): string | null => {
      if (row.fromMe)
        return row.authorId === null || row.authorId === who.userId
          ? null
          : (users.byId.get(row.authorId)?.name ?? null)
      return ticket.isGroup ? (row.participantName ?? memberNumber(row.participantNumber)) || null : null
    },
    [users.byId, who.userId, ticket.isGroup],
  )
  const quotedName = useCallback(
    (row: MessageRow | null | undefined): string | null => {
      if (!row) return null
      if (row.fromMe)
        return row.authorId === who.userId
          ? t`Você`
          : row.authorId === null
            ? null
            : (users.byId.get(row.authorId)?.name ?? null)
      return authorOf(row) ?? (ticket.contactName || null)
    },
    [t, who.userId, users.byId, authorOf, ticket.contactName],
  )

  const onScroll = () => {
    const element = scroller.current
    if (!element) return
    // Counted from the bottom, so upwards is negative.
    const bottom = element.scrollTop > -bottomWithin
    bottomNow.current = bottom || headingDown.current
    setAtBottom(bottom)
    if (bottom) setNewCount(0)
    fillGap()
    if (element.scrollHeight - element.clientHeight + element.scrollTop < olderWithin && thread.older !== 'failed')
      thread.loadOlder()
  }
  /** Asks for what is missing when the place where it is missing is near. */
  const { loadNewer, newer } = thread
  const fillGap = () => {
    const element = scroller.current
    const gap = gapAfter !== null && newer === 'idle' && online && element?.querySelector('[data-gap]')
    if (!gap) return
    const [window, place] = [element!.getBoundingClientRect(), gap.getBoundingClientRect()]
    if (place.top < window.bottom + gapWithin && place.bottom > window.top - gapWithin) loadNewer()
  }
  // Who moves on alone is not brought back when there is more to show.
  const left = useRef<typeof jump>(null)
  const letGo = useRef<() => void>(undefined)
  const leave = () => {
    headingDown.current = false
    left.current = jump
    letGo.current?.()
  }
  const leaving = useRef<() => void>(undefined)
  useEffect(() => {
    leaving.current = () => {
      leave()
      leaveFar()
    }
  })
  const toNewest = useCallback((smooth: boolean) => {
    leaving.current?.()
    setNewCount(0)
    const element = scroller.current
    if (!element || element.scrollTop === 0) return
    headingDown.current = smooth
    bottomNow.current = true
    element.scrollTo({ top: 0, behavior: smooth ? 'smooth' : 'instant' })
    if (smooth)
      onceScrolled(element, () => {
        // What came or went on the way may have ended it early.
        if (headingDown.current) element.scrollTo({ top: 0, behavior: 'instant' })
        headingDown.current = false
      })
  }, [])

  // What we write ourselves is always shown; what arrives while we read further up is only counted.
  const seenNewest = useRef<string | undefined>(undefined)
  useLayoutEffect(() => {
    const before = seenNewest.current
    seenNewest.current = newest?.id
    const element = scroller.current
    if (!element || !newest || before === undefined || before === newest.id || bottomNow.current) return
    if (newest.fromMe && newest.authorId === who.userId) toNewest(false)
    else setNewCount((n) => n + 1)
  }, [newest, who.userId, toNewest])

  // A conversation shorter than the window cannot be scrolled, so nothing else would ask for what is older.
  const { loadOlder, hasOlder, older } = thread
  const shown = messages?.length ?? 0
  useEffect(() => {
    if (!whole || !hasOlder || older !== 'idle' || shown === 0) return
    // Not in the frame of a new bubble: what is asked here would have to be laid out twice.
    return afterPaint(() => {
      const element = scroller.current
      if (element && element.scrollHeight <= element.clientHeight) loadOlder()
    })
    // Asked again when there is more to show, not at every drawing.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [whole, hasOlder, older, shown])

  const fillAgain = useEffectEvent(fillGap)
  // What has come may leave the place in sight.
  useEffect(() => {
    if (gapAfter !== null) return afterPaint(() => fillAgain())
  }, [gapAfter, newer])

  useEffect(() => {
    if (!jump || jump === left.current) return
    const element = scroller.current?.querySelector(`[data-message="${CSS.escape(jump.id)}"]`)
    if (!element) return
    // In a text longer than the window, its middle is not where it is said.
    const first = element.clientHeight < scroller.current!.clientHeight ? undefined : firstSought(element)
    if (first) bringRangeIntoView(scroller.current!, first)
    letGo.current = first ? undefined : bringIntoView(scroller.current!, element)
    element.animate([{ background: 'oklch(from var(--primary) l c h / 0.22)' }, { background: 'transparent' }], {
      duration: 1600,
      easing: 'ease-in',
    })
    return letGo.current
    // Also when the message comes into the list after it was asked for, and when more comes while it is being reached.
  }, [jump, shown])

  const { id: ticketId } = ticket
  const looked = useStore(sought)
  useEffect(() => {
    const element = scroller.current
    if (looked?.ticketId !== ticketId || !element) return
    const message = element.querySelector(`[data-message="${CSS.escape(looked.messageId)}"]`)
    return message
      ? highlight(message, looked.text, (first) => {
          if (message.clientHeight < element.clientHeight) return
          letGo.current?.()
          bringRangeIntoView(element, first)
        })
      : undefined
  }, [looked, ticketId, entries])
  useEffect(() => () => sought.set((now) => (now?.ticketId === ticketId ? null : now)), [ticketId])

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const target = event.target as HTMLElement
    // A player's own controls move with the same keys.
    if (!event.currentTarget.contains(target) || target.matches('input, textarea, audio, video, [role="slider"]'))
      return
    const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-message]')]
    const message = target.closest<HTMLElement>('[data-message]')
    const at = message ? all.indexOf(message) : -1
    const go = (index: number) => {
      event.preventDefault()
      const next = all[Math.min(Math.max(index, 0), all.length - 1)]
      next?.focus({ preventScroll: true })
      next?.scrollIntoView({ block: 'nearest' })
    }
    if (event.key === 'ArrowUp') go(at < 0 ? all.length - 1 : at - 1)
    else if (event.key === 'ArrowDown') go(at < 0 ? all.length - 1 : at + 1)
    else if (event.key === 'Home') go(0)
    else if (event.key === 'End') go(all.length - 1)
    else if ((event.key === 'Enter' || event.key === 'ContextMenu') && target === message) {
      event.preventDefault()
      target.querySelector<HTMLElement>('[aria-haspopup="menu"]')?.click()
      // A menu that no key of its own has opened waits for one before it goes to its first item.
      afterPaint(() => document.querySelector<HTMLElement>('[role="menu"] [role="menuitem"]')?.focus())
    }
  }

  if (thread.error && !messages)
    return (
      <ErrorState className="flex-1">{t`As mensagens guardadas neste navegador não puderam ser lidas.`}</ErrorState>
    )
  return (
    <div className="relative flex min-h-0 flex-1 flex-col bg-thread [contain:content]">
      <div
        ref={scroller}
        role="group"
        aria-label={t`Mensagens`}
        aria-busy={messages === undefined}
        tabIndex={0}
        onScroll={onScroll}
        onKeyDown={onKeyDown}
        onKeyDownCapture={leave}
        onWheel={leave}
        onTouchMove={leave}
        onPointerDown={leave}
        data-conversation
        className="focus-ring flex min-h-0 flex-1 flex-col-reverse overflow-y-auto overscroll-contain outline-offset-[-2px] [overflow-anchor:none]"
      >
        {/* Contained, so that what moves up for a new bubble is moved as it was painted, and not painted again. */}
        <div className="pt-3 pb-2 [contain:content]">
          {messages === undefined ? (
            <ThreadSkeleton />
          ) : (
            <>
              <OlderNote thread={thread} />
              {entries.length === 0 && !hasOlder && (
                <EmptyState title={t`Nenhuma mensagem ainda`}>
                  {writable && <Trans>Escreva a primeira abaixo.</Trans>}
                </EmptyState>
              )}
              {/* Another value has React look through all bubbles for who uses it: it changes only where something is missing. */}
              <GapContext value={gapAfter === null ? null : thread}>
                {days.map(({ day, blocks }) => (
                  <section key={day}>
                    <DayLine day={day} />
                    {blocks.map((block) => (
                      <BlockView
                        key={block.id}
                        entries={block.entries}
                        skippable={!firstBlocks.current?.has(block.id) && !lastBlocks.includes(block.id)}
                        quotes={quotes}
                        authorOf={authorOf}
                        quotedName={quotedName}
                        online={online}
                        connected={connected}
                        writable={writable}
                        reactable={reactable}
                        actions={actions}
                      />
                    ))}
                  </section>
                ))}
              </GapContext>
              <KeepPlace scroller={scroller} atBottom={bottomNow} entries={entries} />
            </>
          )}
          {typing}
        </div>
      </div>
      {!atBottom && <NewestButton newCount={newCount} onClick={() => toNewest(true)} />}
      <MessageActions scroller={scroller} messages={messages} reactable={reactable} actions={actions} />
      <Announcer newest={newest} name={ticket.contactName || t`Contato sem nome`} />
    </div>
  )
}

/** The blocks at the end that hold so many entries. */
function lastOf(days: Days['days'], count: number): Set<number> {
  const last = new Set<number>()
  let left = count
  for (const { id, entries } of days.flatMap(({ blocks }) => blocks).toReversed()) {
    if (left <= 0) break
    last.add(id)
    left -= entries.length
  }
  return last
}

/** The entries in blocks; those that say the same as before are the same objects. */
function useBlocks(entries: ReturnType<typeof threadEntries>): Days {
  const before = useRef<Days | null>(null)
  const days = useMemo(() => intoBlocks(byDay(entries), before.current), [entries])
  useLayoutEffect(() => {
    before.current = days
  }, [days])
  return days
}

/**
 * While somebody reads further up, what they read stays where it is on the screen, whatever comes below it or grows.
 * A class, because only a class is asked for the old places just before they change.
 */
class KeepPlace extends Component<{
  scroller: RefObject<HTMLElement | null>
  atBottom: RefObject<boolean>
  entries: unknown
}> {
  override shouldComponentUpdate(next: Readonly<{ entries: unknown }>): boolean {
    return next.entries !== this.props.entries
  }
  override getSnapshotBeforeUpdate(): { element: Element; top: number } | null {
    const scroller = this.props.scroller.current
    if (!scroller || this.props.atBottom.current) return null
    const box = scroller.getBoundingClientRect()
    const hit = document.elementFromPoint(box.left + box.width / 2, box.top + 80)?.closest('[data-entry]')
    return hit && scroller.contains(hit) ? { element: hit, top: hit.getBoundingClientRect().top } : null
  }
  override componentDidUpdate(_: unknown, __: unknown, held: { element: Element; top: number } | null): void {
    const scroller = this.props.scroller.current
    if (!scroller || !held?.element.isConnected) return
    const moved = held.element.getBoundingClientRect().top - held.top
    if (Math.abs(moved) > 1) scroller.scrollTop += moved
  }
  override render(): null {
    return null
  }
}

interface DrawnWith {
  /** The quoted messages by id; null where one is unknown. */
  quotes: ReadonlyMap<string, MessageRow | null>
  authorOf: (row: MessageRow) => string | null
  quotedName: (row: MessageRow | null | undefined) => string | null
  online: boolean
  connected: boolean
  writable: boolean
  reactable: boolean
  actions: BubbleActions
}

/** What is drawn again together, and passed over by the browser together while it is out of sight. */
const BlockView = memo(function BlockView({
  entries,
  skippable,
  ...rest
}: DrawnWith & { entries: Block['entries']; skippable: boolean }) {
  return (
    <div
      className={skippable ? '[content-visibility:auto]' : '[contain:content]'}
      style={skippable ? { containIntrinsicBlockSize: `auto ${entries.length * usualHeight}px` } : undefined}
    >
      {entries.map((entry) => (
        <Entry key={entry.key} entry={entry} {...rest} />
      ))}
    </div>
  )
})

const Entry = memo(function Entry({
  entry,
  quotes,
  authorOf,
  quotedName,
  online,
  connected,
  writable,
  reactable,
  actions,
}: DrawnWith & { entry: DayEntry }) {
  switch (entry.kind) {
    case 'event':
      return <EventLine event={entry.event} />
    case 'gap':
      return <GapNote />
    case 'unread':
      return (
        <p
          data-entry
          className="my-2 flex items-center gap-3 px-5 text-xs font-medium text-primary-soft-foreground before:h-px before:flex-1 before:bg-primary/25 after:h-px after:flex-1 after:bg-primary/25"
        >
          <Plural value={entry.count} one="# mensagem não lida" other="# mensagens não lidas" />
        </p>
      )
    case 'message': {
      const { row, delivery } = entry.message
      const quoted = row.quotedMsgId === null ? undefined : (quotes.get(row.quotedMsgId) ?? null)
      return (
        <div
          data-entry
          data-message={row.id}
          role="article"
          aria-labelledby={`bubble-${row.id}`}
          tabIndex={-1}
          className="pb-px outline-none focus-visible:bg-primary/8"
        >
          <Bubble
            row={row}
            deliveryState={delivery?.state ?? null}
            entryId={delivery?.entryId ?? null}
            errorCode={delivery?.error?.code ?? null}
            waitsFor={waitsFor(entry.message, { online, connected })}
            first={entry.first}
            last={entry.last}
            quoted={quoted}
            author={authorOf(row)}
            quotedAuthor={quotedName(quoted)}
            writable={writable}
            reactable={reactable}
            actions={actions}
          />
        </div>
      )
    }
  }
})

/** Quoted messages: among those shown, else of the replica. The same map while they say the same. */
function useQuotes(messages: readonly ThreadMessage[] | undefined): ReadonlyMap<string, MessageRow | null> {
  const { shown, missing } = useMemo(() => {
    const wanted = new Set((messages ?? []).flatMap(({ row }) => row.quotedMsgId ?? []))
    const shown = new Map<string, MessageRow>()
    for (const { row } of messages ?? []) if (wanted.delete(row.id)) shown.set(row.id, row)
    return { shown, missing: [...wanted].sort() }
  }, [messages])
  const { rows } = useRows(missing.length > 0 ? messagesById(missing) : null)
  const before = useRef<ReadonlyMap<string, MessageRow | null>>(new Map())
  const quotes = useMemo(() => {
    const found = new Map<string, MessageRow | null>(shown)
    for (const id of missing) found.set(id, rows?.find((row) => row.id === id) ?? null)
    const old = before.current
    return old.size === found.size && [...found].every(([id, row]) => old.get(id) === row) ? old : found
  }, [shown, missing, rows])
  useLayoutEffect(() => {
    before.current = quotes
  }, [quotes])
  return quotes
}

function DayLine({ day }: { day: number }) {
  const nameOf = useDayName()
  const now = useNow()
  return (
    <div data-entry className="sticky top-0 z-10 flex justify-center py-2">
      <h3 className="rounded-full border bg-card px-2.5 py-0.5 text-[0.6875rem] font-medium text-muted-foreground shadow-xs first-letter:uppercase">
        {nameOf(day, now)}
      </h3>
    </div>
  )
}

/** What happened to the ticket, as one small line. */
function EventLine({ event }: { event: EventRow }) {
  const { i18n } = useLingui()
  return (
    <p data-entry className="flex justify-center px-6 py-1.5 text-center text-xs text-balance text-muted-foreground">
      <span>
        <EventWords
          event={event}
          when={
            <>
              <span aria-hidden="true"> · </span>
              <time dateTime={new Date(event.createdAt).toISOString()} className="tabular-nums">
                {dateText(i18n.locale, event.createdAt, 'time')}
              </time>
            </>
          }
        />
      </span>
    </p>
  )
}

/** Says above the oldest message that more is coming, or why not. */
function OlderNote({ thread }: { thread: Thread }) {
  if (thread.older === 'idle' && !thread.hasOlder) return null
  return (
    <p className="flex min-h-9 items-center justify-center gap-2 text-xs text-muted-foreground">
      {thread.older === 'idle' ? (
        <Button variant="link" size="sm" onClick={thread.loadOlder}>
          <Trans>Mensagens anteriores</Trans>
        </Button>
      ) : (
        <OlderMessages state={thread.older} onRetry={thread.loadOlder} />
      )}
    </p>
  )
}

const GapContext = createContext<Pick<Thread, 'newer' | 'loadNewer'> | null>(null)

/** Where messages are missing: they come as it is scrolled near, or why they do not. */
function GapNote() {
  const gap = use(GapContext)
  const online = useOnline()
  return (
    <p data-entry data-gap className="flex min-h-9 items-center justify-center gap-2 text-xs text-muted-foreground">
      {gap?.newer === 'failed' ? (
        <Button variant="link" size="sm" onClick={gap.loadNewer}>
          <Trans>Não foi possível buscar as seguintes. Tentar de novo</Trans>
        </Button>
      ) : online ? (
        <>
          <Spinner className="size-3.5" />
          <Trans>Buscando as mensagens seguintes…</Trans>
        </>
      ) : (
        <>
          <CloudOff aria-hidden="true" className="size-3.5" />
          <Trans>Mensagens seguintes, só com rede</Trans>
        </>
      )}
    </p>
  )
}

/** Reads a message out as it arrives, and says when one of ours has left; never what was there before. */
function Announcer({ newest, name }: { newest: MessageRow | undefined; name: string }) {
  const { t } = useLingui()
  const words = useMediaWords()
  const [openedAt] = useState(() => Date.now())
  const news = newest && newest.createdAt > openedAt - 5000 && !newest.isDeleted ? newest : undefined
  const text = !news
    ? ''
    : !news.fromMe
      ? `${news.participantName ?? name}: ${plainText(captionOf(news)) || words(news)}`
      : news.ack >= 1
        ? t`Mensagem enviada`
        : ''
  return (
    <p aria-live="polite" className="sr-only">
      {/* Who says the same twice is heard twice. */}
      {text && <span key={news?.id}>{text}</span>}
    </p>
  )
}

function ThreadSkeleton() {
  const { t } = useLingui()
  const widths = ['w-56', 'w-72', 'w-40', 'w-64', 'w-48', 'w-80']
  return (
    <div role="status" aria-label={t`Carregando mensagens`} className="flex flex-col gap-2 px-5">
      {widths.map((width, index) => (
        <Skeleton
          key={width}
          className={cn('h-10 max-w-full rounded-xl bg-foreground/6', width, index % 3 === 1 && 'self-end')}
        />
      ))}
    </div>
  )
}
