import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ArrowLeft, Hand, Maximize, WifiOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { marksAway } from '../../schema/permissions.ts'
import { dateText } from '../i18n/dates.ts'
import { QueuePicker } from '../queues/queues.picker.tsx'
import { errorText } from '../session/error-text.ts'
import { usePrincipal, useUser } from '../session/session.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { cn } from '../ui/cn.ts'
import { Button } from '../ui/button.tsx'
import { useDocumentTitle } from '../ui/page.tsx'
import { useMedia } from '../ui/use-media.ts'
import { Spinner } from '../ui/spinner.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import { lastInteraction } from '../tickets/tickets.last-interaction.ts'
import { WallAgent } from './wall.agent.tsx'
import { pageOf, waitText } from './wall.parts.ts'
import { type Shown, useWall, type Wall } from './wall.queries.ts'

/** So long a page of a list stands, in milliseconds. */
const PAGE_MS = 8_000
const QUEUES = 8
const AGENTS = 14
const CONNECTIONS = 3
/** The pointer, and what is for it, goes after so long. */
const POINTER_MS = 3_000

/**
 * For a television that hangs where everybody sees it: always dark, in letters that are read from five metres, and without
 * anything that must be pressed. It lies over the menu and the bar.
 */
export default function WallScreen() {
  const { t, i18n } = useLingui()
  const navigate = useNavigate()
  const { company } = useUser()
  const { queues: chosen = [] } = useSearch({ strict: false }) as { queues?: number[] }
  const shown = useWall(chosen)
  const pointed = usePointed()
  useDocumentTitle(t`Painel de parede`)
  useAwake()
  const { wall, now, isOld } = shown
  return (
    <div
      className={cn(
        'dark fixed inset-0 z-40 flex flex-col overflow-y-auto bg-background text-foreground scheme-dark',
        'gap-[1.2vw] p-[1.6vw] text-[clamp(1rem,1.75vw,4.5rem)] max-sm:gap-4 max-sm:p-4',
        !pointed && 'cursor-none',
      )}
    >
      <header className="flex items-center gap-[1em]">
        <h1 className="min-w-0 flex-1 truncate font-semibold">
          <Trans>Atendimento agora</Trans>
          <span className="font-normal text-muted-foreground max-sm:hidden"> · {company.name}</span>
        </h1>
        <div
          className={cn(
            // In a hand there is room for the way back only, and it stays.
            'flex items-center gap-2 text-sm transition-opacity focus-within:opacity-100 max-sm:opacity-100',
            'has-data-[state=open]:opacity-100',
            pointed ? 'opacity-100' : 'opacity-0',
          )}
        >
          <span className="w-64 max-sm:hidden">
            <QueuePicker
              value={chosen}
              none={t`Todas as filas`}
              onChange={(queues) =>
                void navigate({ to: '/wall', search: queues.length > 0 ? { queues } : {}, replace: true })
              }
            />
          </span>
          {[
            {
              ...{ label: t`Tela cheia`, icon: <Maximize />, isFar: true },
              run: () => void document.documentElement.requestFullscreen().catch(() => undefined),
            },
            { label: t`Voltar`, icon: <ArrowLeft />, isFar: false, run: () => void navigate({ to: '/' }) },
          ].map(({ label, icon, isFar, run }) => (
            // What explains it goes with it: nothing stays written where the pointer was left.
            <Tooltip key={label} content={pointed && label}>
              <Button
                variant="ghost"
                size="icon"
                aria-label={label}
                className={cn('text-muted-foreground', isFar && 'max-sm:hidden')}
                onClick={run}
              >
                {icon}
              </Button>
            </Tooltip>
          ))}
        </div>
        <time className="font-semibold tabular-nums" dateTime={new Date(now).toISOString()}>
          {dateText(i18n.locale, new Date(now), 'time')}
        </time>
      </header>
      {wall ? (
        <>
          {isOld && <Old at={wall.at} />}
          <Figures wall={wall} now={now} isOld={isOld} />
        </>
      ) : (
        <Nothing shown={shown} />
      )}
    </div>
  )
}

function Nothing({ shown: { error, reload } }: { shown: Shown }) {
  return (
    <div className="flex flex-1 items-center justify-center">
      {error ? (
        <ErrorState onRetry={reload}>{errorText(error)}</ErrorState>
      ) : (
        <Spinner className="size-[2em] text-muted-foreground" />
      )}
    </div>
  )
}

/** Nobody must take old figures for new ones. */
function Old({ at }: { at: string }) {
  const { i18n } = useLingui()
  const when = dateText(i18n.locale, new Date(at), 'time')
  return (
    <p
      role="alert"
      className="flex items-center gap-[0.6em] rounded-[0.5em] bg-warning px-[0.8em] py-[0.4em] font-semibold text-background"
    >
      <WifiOff aria-hidden="true" className="size-[1.1em] shrink-0" />
      <Trans>Sem contato com o servidor: os números são das {when}</Trans>
    </p>
  )
}

function Figures({ wall, now, isOld }: { wall: Wall; now: number; isOld: boolean }) {
  const { t } = useLingui()
  const mayMark = marksAway(usePrincipal())
  const turn = Math.floor(now / PAGE_MS)
  // In a hand all of it is scrolled.
  const isHeld = useMedia('(width < 640px)')
  // Whoever waits longest stands first.
  const queues = pageOf(
    wall.queues
      .filter(({ waiting, open }) => waiting + open > 0)
      .toSorted((a, b) => sinceOf(a) - sinceOf(b) || b.waiting - a.waiting),
    isHeld ? Number.MAX_SAFE_INTEGER : QUEUES,
    turn,
  )
  const order = { present: 0, away: 1, offline: 2 }
  const here = wall.agents.filter(({ state }) => state !== 'offline')
  const agents = pageOf(
    here.toSorted((a, b) => order[a.state] - order[b.state] || b.open - a.open),
    isHeld ? Number.MAX_SAFE_INTEGER : AGENTS,
    turn,
  )
  const present = here.filter(({ state }) => state === 'present').length
  const tone = wall.since === null ? undefined : lastInteraction(Date.parse(wall.since), now)?.tone
  return (
    <div className={cn('flex min-h-0 flex-1 flex-col gap-[1.2vw] max-sm:gap-4', isOld && 'opacity-50')}>
      <dl className="grid auto-cols-fr grid-flow-col gap-[1.2vw] max-sm:grid-flow-row max-sm:grid-cols-2 max-sm:gap-3">
        <Tile label={t`Aguardando`}>{wall.waiting}</Tile>
        <Tile
          label={t`Maior espera`}
          className={tone === 'red' ? 'text-destructive-soft-foreground' : tone === 'orange' ? 'text-warning' : ''}
        >
          {wall.since === null ? '–' : waitText(now - Date.parse(wall.since))}
        </Tile>
        {wall.risk && (
          <Tile
            label={t`Em risco`}
            className={wall.risk.atRisk > 0 ? 'text-warning' : ''}
            note={
              wall.risk.breached > 0 && (
                <span className="text-destructive-soft-foreground">
                  <Plural value={wall.risk.breached} one="# fora do prazo" other="# fora do prazo" />
                </span>
              )
            }
          >
            {wall.risk.atRisk}
          </Tile>
        )}
        <Tile
          label={t`Em atendimento`}
          note={
            wall.called > 0 && (
              <span className="inline-flex items-center gap-[0.3em] text-warning">
                <Hand aria-hidden="true" className="size-[1em]" />
                <Plural value={wall.called} one="# chamado" other="# chamados" />
              </span>
            )
          }
        >
          {wall.open}
        </Tile>
      </dl>
      <div className="grid min-h-0 flex-1 grid-cols-[1fr_1.15fr] gap-[1.2vw] max-sm:flex-none max-sm:grid-cols-1 max-sm:gap-4">
        <List title={t`Filas`} page={queues} empty={t`Ninguém espera`}>
          {queues.rows.map((queue) => (
            <li key={queue.queueId ?? 0} className="flex items-center gap-[0.6em]">
              <span
                aria-hidden="true"
                className="h-[1.1em] w-[0.25em] shrink-0 rounded-full"
                style={{ background: queue.color ?? 'var(--border)' }}
              />
              <span className="min-w-0 flex-1 truncate">{queue.name ?? t`Sem fila`}</span>
              <span className="text-muted-foreground tabular-nums">
                {queue.since === null ? '' : waitText(now - Date.parse(queue.since))}
              </span>
              <span className="w-[2.2em] text-right font-semibold tabular-nums">{queue.waiting}</span>
            </li>
          ))}
        </List>
        <div className="flex min-h-0 flex-col gap-[1.2vw] max-sm:gap-4">
          <List
            title={t`Atendentes`}
            note={<Plural value={present} one="# presente" other="# presentes" />}
            page={agents}
            empty={t`Ninguém está presente`}
            className="flex-1"
            columns
          >
            {agents.rows.map((agent) => (
              <li key={agent.id} className="flex items-center gap-[0.5em]">
                <span
                  aria-hidden="true"
                  className={cn(
                    'size-[0.55em] shrink-0 rounded-full',
                    agent.state === 'present' ? 'bg-success' : 'border-[0.15em] border-warning',
                  )}
                />
                <span className={cn('flex min-w-0 flex-1', agent.state === 'away' && 'text-muted-foreground')}>
                  {mayMark ? <WallAgent agent={agent} /> : <span className="truncate">{agent.name}</span>}
                </span>
                {agent.state === 'away' ? (
                  <span className="text-warning">
                    <AwayUntil at={agent.awayUntil} />
                  </span>
                ) : (
                  <span className="tabular-nums">
                    <span className="font-semibold">{agent.open}</span>
                    {agent.capacity !== null && <span className="text-muted-foreground">/{agent.capacity}</span>}
                  </span>
                )}
              </li>
            ))}
          </List>
          <Connections connections={wall.connections} turn={turn} />
        </div>
      </div>
    </div>
  )
}

const sinceOf = ({ since }: { since: string | null }) => (since === null ? Number.MAX_SAFE_INTEGER : Date.parse(since))

function AwayUntil({ at }: { at: string | null }) {
  const { i18n } = useLingui()
  if (at === null) return <Trans>ausente</Trans>
  const when = dateText(i18n.locale, new Date(at), 'time')
  return <Trans>até {when}</Trans>
}

function Tile({
  label,
  note,
  className,
  children,
}: {
  label: string
  note?: ReactNode
  className?: string
  children: ReactNode
}) {
  return (
    <div className="@container flex flex-col rounded-[0.6em] bg-card px-[0.9em] py-[0.5em]">
      <dt className="truncate text-muted-foreground">{label}</dt>
      <dd
        className={cn(
          // The longest, such as “23 h 59”, fills the tile.
          'text-[min(3.6em,26cqw)] leading-[1.15] font-semibold whitespace-nowrap tabular-nums max-sm:text-[min(2em,26cqw)]',
          className,
        )}
      >
        {children}
      </dd>
      {/* Below: beside a large number there is no room for words. */}
      {note && <dd className="truncate font-semibold">{note}</dd>}
    </div>
  )
}

function List({
  title,
  note,
  page,
  empty,
  columns = false,
  className,
  children,
}: {
  title: string
  note?: ReactNode
  page: { rows: readonly unknown[]; page: number; of: number }
  empty: string
  columns?: boolean
  className?: string
  children: ReactNode
}) {
  const { t } = useLingui()
  return (
    <section className={cn('flex min-h-0 flex-col gap-[0.5em] rounded-[0.6em] bg-card p-[0.9em]', className)}>
      <h2 className="flex items-baseline justify-between gap-[1em] text-muted-foreground">
        {title}
        <span className="tabular-nums">
          {note}
          {page.of > 1 && (
            <span aria-label={t`Página ${page.page} de ${page.of}`}>
              {' '}
              {page.page}/{page.of}
            </span>
          )}
        </span>
      </h2>
      {page.rows.length === 0 ? (
        <p className="text-muted-foreground">{empty}</p>
      ) : (
        <ul
          className={cn(
            'grid gap-x-[1.6em] gap-y-[0.45em]',
            columns ? 'grid-cols-[repeat(2,minmax(0,1fr))] max-sm:grid-cols-1' : 'grid-cols-1',
          )}
        >
          {children}
        </ul>
      )}
    </section>
  )
}

/** Those that work are a number; those that do not have names. */
function Connections({ connections, turn }: { connections: Wall['connections']; turn: number }) {
  const { t } = useLingui()
  if (connections.length === 0) return null
  const down = connections.filter(({ status }) => status !== 'CONNECTED')
  const page = pageOf(down, CONNECTIONS, turn)
  const linked = connections.length - down.length
  return (
    <section
      aria-label={t`Conexões`}
      className="flex flex-wrap items-center gap-x-[1.2em] gap-y-[0.3em] rounded-[0.6em] bg-card px-[0.9em] py-[0.6em]"
    >
      <p className="text-muted-foreground">
        <Plural value={linked} one="# conexão ligada" other="# conexões ligadas" />
      </p>
      {page.rows.map(({ id, name }) => (
        <p key={id} className="flex min-w-0 items-center gap-[0.4em] font-semibold text-destructive-soft-foreground">
          <WifiOff aria-hidden="true" className="size-[1em] shrink-0" />
          <span className="truncate">{name}</span>
        </p>
      ))}
      {page.of > 1 && (
        <p className="text-muted-foreground tabular-nums">
          {page.page}/{page.of}
        </p>
      )}
    </section>
  )
}

/** Whether somebody moves a pointer, or presses keys, or did a moment ago. */
function usePointed(): boolean {
  const [isPointed, setPointed] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const onMove = () => {
      setPointed(true)
      clearTimeout(timer)
      timer = setTimeout(() => setPointed(false), POINTER_MS)
    }
    window.addEventListener('pointermove', onMove)
    window.addEventListener('keydown', onMove)
    return () => {
      window.removeEventListener('pointermove', onMove)
      window.removeEventListener('keydown', onMove)
      clearTimeout(timer)
    }
  }, [])
  return isPointed
}

/** The screen stays on while it is shown, where the browser can. */
function useAwake(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | undefined
    const ask = () => {
      if (document.visibilityState !== 'visible') return
      void navigator.wakeLock
        ?.request('screen')
        .then((given) => (lock = given))
        .catch(() => undefined)
    }
    ask()
    document.addEventListener('visibilitychange', ask)
    return () => {
      document.removeEventListener('visibilitychange', ask)
      void lock?.release().catch(() => undefined)
    }
  }, [])
}
