import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import {
  AlarmClock,
  ArrowRightLeft,
  Check,
  CheckCheck,
  CornerUpLeft,
  MailOpen,
  Tags,
  X,
  type LucideIcon,
} from 'lucide-react'
import { Suspense, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react'
import type { KeyboardEvent, Ref } from 'react'
import type { BulkAction, BulkType } from '../../schema/tickets/tickets.bulk.ts'
import { listOf, mostBulk, type TicketCondition } from '../../schema/tickets/tickets.list.ts'
import { isFocusLost } from '../base/focus-lost.ts'
import { late } from '../base/late.tsx'
import { useStore } from '../base/store.ts'
import { useIsStale, useRows } from '../replica/live-rows.ts'
import { useReplica } from '../replica/replica.tsx'
import { usePrincipal } from '../session/session.tsx'
import { type BulkPlan, type ContactFields, planOf } from '../tickets/tickets.bulk-plan.ts'
import { contactFieldsOf } from '../tickets/tickets.bulk-rows.ts'
import { askedOnClose } from '../tickets/tickets.closing.ts'
import { chosenTickets, listedTickets, type TicketRow } from '../tickets/tickets.rows.ts'
import { allOf, keptOf } from '../tickets/tickets.choosing.ts'
import { clearSelection, selection } from '../tickets/tickets.selection.ts'
import { useBulk } from '../tickets/tickets.use-bulk.ts'
import { Button } from '../ui/button.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { hindrances, bulkWords } from './inbox.bulk-words.ts'

const TransferForm = late(async () => ({ default: (await import('./inbox.transfer-dialog.tsx')).TransferForm }))
const SnoozeForm = late(async () => ({ default: (await import('./inbox.snooze-dialog.tsx')).SnoozeForm }))
const TagsDialog = late(() => import('./inbox.bulk-tags-dialog.tsx'))

const icons: Record<BulkType, LucideIcon> = {
  accept: CheckCheck,
  return: CornerUpLeft,
  resolve: Check,
  transfer: ArrowRightLeft,
  tag: Tags,
  snooze: AlarmClock,
  read: MailOpen,
}
const types = Object.keys(icons) as BulkType[]
/** The keys of the open conversation, for all that are chosen. */
const keys: Partial<Record<string, BulkType>> = {
  ...{ a: 'accept', d: 'return', e: 'resolve', t: 'transfer', h: 'snooze' },
}
/** What is asked for more than a click, in a dialog. */
type Asked = 'transfer' | 'tag' | 'snooze'
const isAsked = (type: BulkType): type is Asked => type === 'transfer' || type === 'tag' || type === 'snooze'

/** What the list tells of its keys. */
export interface BulkBarHandle {
  /** Answers whether the key was meant for what is chosen. */
  press: (event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'repeat'>) => boolean
}

/** What can be done with the tickets that are chosen in a list, and with how many of them, before it is done. */
export default function BulkBar({
  ids,
  shown,
  where,
  onAll,
  ref,
}: {
  ids: ReadonlySet<number>
  shown: readonly TicketRow[]
  where: readonly TicketCondition[] | null
  onAll: () => void
  ref: Ref<BulkBarHandle>
}) {
  const { t } = useLingui()
  const replica = useReplica()
  const who = usePrincipal()
  const bulk = useBulk()
  const words = bulkWords()
  const tickets = useChosen(ids, shown, where)
  const contacts = useContactFields(tickets)
  const plans = useMemo(
    () =>
      Object.fromEntries(types.map((type) => [type, planOf(tickets, type, who, contacts)])) as Record<
        BulkType,
        BulkPlan
      >,
    [tickets, who, contacts],
  )
  /** Can be done with some only: they are named before. */
  const [partial, setPartial] = useState<BulkType | null>(null)
  const [asked, setAsked] = useState<Asked | null>(null)
  const [busy, setBusy] = useState(false)
  // Back to what was asked, where the question took the keyboard with it.
  useEffect(() => {
    if (partial)
      return () => {
        if (isFocusLost()) document.querySelector<HTMLElement>(`[data-bulk="${partial}"]`)?.focus()
      }
    return undefined
  }, [partial])
  const offered = types.filter((type) => plans[type].able.length > 0)
  const count = ids.size

  const run = async (action: BulkAction, said?: string) => {
    const { able } = plans[action.type]
    setBusy(true)
    const taken = await bulk(able, action, said ?? words.done(action.type, able.length))
    if (!taken) setBusy(false)
    return taken
  }
  const start = (type: BulkType, isKnown = false) => {
    const { able, unable } = plans[type]
    if (busy || able.length === 0) return
    if (isAsked(type)) setAsked(type)
    else if (unable.length > 0 && !isKnown) setPartial(type)
    else void run({ type })
  }
  const all = async () => {
    if (!where) return onAll()
    const { query } = listedTickets(listOf(where, mostBulk))
    const rows = await replica.query<{ id: number }>(query.sql, query.params)
    selection.set(allOf(rows.map(({ id }) => id)))
  }
  const press: BulkBarHandle['press'] = ({ key, ctrlKey, metaKey, altKey, repeat }) => {
    const isAll = key === 'a' && (ctrlKey || metaKey)
    if (altKey || (!isAll && (ctrlKey || metaKey))) return false
    const type = isAll ? undefined : keys[key]
    if (isAll) void all()
    else if (type && !repeat) start(type)
    return isAll || type !== undefined
  }
  useImperativeHandle(ref, () => ({ press }))
  const label = plural(count, { one: '# selecionado', other: '# selecionados' })
  return (
    <div
      role="toolbar"
      aria-label={t`Ações para os selecionados`}
      onKeyDown={(event) => {
        // What is typed in a dialog comes by here, too.
        if (!event.currentTarget.contains(event.target as Node)) return
        if (event.key === 'Escape' && partial) setPartial(null)
        else if (event.key === 'Escape') clearSelection()
        else if (!press(event)) return
        event.preventDefault()
        event.stopPropagation()
      }}
      className="shrink-0 border-t bg-card px-2 pt-1 pb-[max(0.375rem,env(safe-area-inset-bottom))]"
    >
      <div className="flex h-9 items-center gap-1 touch:h-11">
        <IconButton label={t`Deixar de selecionar`} aria-keyshortcuts="Escape" onClick={clearSelection}>
          <X />
        </IconButton>
        <p role="status" className="min-w-0 flex-1 truncate text-sm font-medium tabular-nums">
          {count === mostBulk ? t`${label} (o máximo)` : label}
        </p>
        {busy ? (
          <Spinner className="mr-2" />
        ) : (
          count < mostBulk && (
            <Button variant="ghost" size="sm" aria-keyshortcuts="Control+A Meta+A" onClick={() => void all()}>
              <Trans>Selecionar todos</Trans>
            </Button>
          )
        )}
      </div>
      {partial ? (
        <Partial
          plan={plans[partial]}
          title={words.some(partial, plans[partial].able.length, tickets.length)}
          label={words.names[partial]}
          busy={busy}
          onCancel={() => setPartial(null)}
          onConfirm={() => start(partial, true)}
        />
      ) : (
        <div className="flex gap-0.5">
          {offered.map((type) => {
            const Icon = icons[type]
            const { able, unable } = plans[type]
            return (
              <button
                key={type}
                type="button"
                data-bulk={type}
                disabled={busy}
                aria-label={unable.length > 0 ? words.some(type, able.length, tickets.length) : words.names[type]}
                aria-keyshortcuts={Object.keys(keys).find((key) => keys[key] === type)}
                onClick={() => start(type)}
                className="focus-ring flex min-w-0 flex-1 flex-col items-center gap-0.5 rounded-md py-1.5 text-[0.6875rem] text-muted-foreground outline-offset-[-2px] hover:bg-accent hover:text-foreground disabled:opacity-50 touch:py-2"
              >
                <span className="flex h-4.5 items-center gap-1">
                  <Icon aria-hidden="true" className="size-4.5" />
                  {unable.length > 0 && (
                    <span className="rounded-full bg-secondary px-1 text-[0.625rem] font-semibold text-secondary-foreground tabular-nums">
                      {able.length}
                    </span>
                  )}
                </span>
                <span className="max-w-full truncate">{words.short[type]}</span>
              </button>
            )
          })}
        </div>
      )}
      <Suspense fallback={null}>
        {asked === 'transfer' && (
          <TransferForm
            title={words.title(plans.transfer.able.length)}
            description={hindrances(plans.transfer)}
            onClose={() => setAsked(null)}
            onSubmit={async ({ queueId, userId, note }, said) => {
              if (await run({ type: 'transfer', queueId, userId, ...(note && { note }) }, said)) setAsked(null)
            }}
          />
        )}
        {asked === 'snooze' && (
          <SnoozeForm
            title={words.snoozeTitle(plans.snooze.able.length)}
            description={hindrances(plans.snooze)}
            onClose={() => setAsked(null)}
            onSubmit={async (until, more) => {
              setAsked(null)
              await run({ type: 'snooze', until, ...more })
            }}
          />
        )}
        {asked === 'tag' && (
          <TagsDialog
            tickets={tickets}
            onClose={() => setAsked(null)}
            onSubmit={async (tags) => {
              if (await run({ type: 'tag', ...tags })) setAsked(null)
            }}
          />
        )}
      </Suspense>
    </div>
  )
}

/** As they are now, by their ids; those that have left the list are chosen no longer. */
function useChosen(
  ids: ReadonlySet<number>,
  shown: readonly TicketRow[],
  where: readonly TicketCondition[] | null,
): readonly TicketRow[] {
  const asked = useMemo(
    () =>
      chosenTickets(
        where ?? [],
        [...ids].sort((a, b) => a - b),
      ),
    [ids, where],
  )
  const { rows, previous } = useRows(where ? asked : null, { keepPrevious: true })
  // What was chosen before, done with and taken back is asked for once more: its last answer was that nothing is there.
  const stale = useIsStale(where ? asked : null)
  const isNow = !previous && !stale
  const there = useMemo(() => (rows && isNow ? new Set(rows.map(({ id }) => id)) : null), [rows, isNow])
  useEffect(() => {
    if (there) selection.set((now) => (now.ids === ids ? keptOf(now, (id) => there.has(id)) : now))
  }, [there, ids])
  return useMemo(() => {
    const byId = new Map([...(rows ?? []), ...shown].map((ticket) => [ticket.id, ticket]))
    return [...ids].flatMap((id) => byId.get(id) ?? [])
  }, [ids, rows, shown])
}

/** With how many it will be done, and why not with the others. */
function Partial({
  plan,
  title,
  label,
  busy,
  onCancel,
  onConfirm,
}: {
  plan: BulkPlan
  title: string
  label: string
  busy: boolean
  onCancel: () => void
  onConfirm: () => void
}) {
  const confirm = useRef<HTMLButtonElement>(null)
  useEffect(() => confirm.current?.focus(), [])
  return (
    <div role="group" aria-label={[title, hindrances(plan)].join(' ')} className="flex flex-col gap-2 px-2 pb-1">
      <p className="text-sm">
        <span className="font-medium">{title}</span> {hindrances(plan)}
      </p>
      <div className="flex justify-end gap-2">
        <Button variant="outline" size="sm" disabled={busy} onClick={onCancel}>
          <Trans>Cancelar</Trans>
        </Button>
        <Button ref={confirm} size="sm" busy={busy} onClick={onConfirm}>
          {label}
        </Button>
      </div>
    </div>
  )
}

/** What is filled in of the contacts of these tickets; asked only where the company wants to know it on closing. */
function useContactFields(tickets: readonly TicketRow[]): ContactFields {
  const isAsked = useStore(askedOnClose).some(({ entity }) => entity === 'contact')
  const key = isAsked ? [...new Set(tickets.map(({ contactId }) => contactId))].sort((a, b) => a - b).join() : ''
  const { rows } = useRows(useMemo(() => (key === '' ? null : contactFieldsOf(key.split(',').map(Number))), [key]))
  return useMemo(() => new Map(rows?.map(({ id, fields }) => [id, fields])), [rows])
}
