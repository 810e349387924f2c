import { plural, t } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import {
  ArrowRight,
  Bot,
  BotMessageSquare,
  CircleAlert,
  Clock,
  FileDown,
  FileText,
  FlaskConical,
  Globe,
  Image,
  Mic,
  Paperclip,
  RotateCcw,
  Send,
  type LucideIcon,
  Video,
} from 'lucide-react'
import { createContext, use, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { ReactNode } from 'react'
import { START_ID } from '../../schema/flows/flows.graph.ts'
import type { HttpRequest, SecretText, SentFile } from '../../schema/flows/flows.run.ts'
import { useQueues, useTags, useUsers } from '../replica/directory.ts'
import { dateTextIn } from '../i18n/dates.ts'
import { FormattedText } from '../kit/formatted-text.tsx'
import { useMedia } from '../kit/media.ts'
import { Button } from '../ui/button.tsx'
import { cn } from '../ui/cn.ts'
import { Combobox, MultiCombobox } from '../ui/combobox.tsx'
import { DropdownMenu, DropdownMenuContent, DropdownMenuItem, DropdownMenuTrigger } from '../ui/dropdown-menu.tsx'
import { Field } from '../ui/field.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Input } from '../ui/input.tsx'
import { Select } from '../ui/select.tsx'
import { Sheet, SheetContent } from '../ui/sheet.tsx'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '../ui/tabs.tsx'
import { Textarea } from '../ui/textarea.tsx'
import { useEditor } from './flow.editor.tsx'
import { PanelClose } from './flow.panels.tsx'
import { fileWords } from './flow-runs.words.ts'
import { problemText } from './flow.problem-words.ts'
import {
  type CallEffect,
  DRAFT,
  type Trial,
  triedFile,
  triedTypes,
  type TrialLine,
  type TrialView,
} from './flow.trial.ts'
import { type HeldTrial, useTrial } from './flow.trial-source.ts'
import { nodeWords } from './flow.words.ts'
import { MINUTE_MS } from '../../schema/durations.ts'
import { isComposing } from '../base/is-composing.ts'

/** However long a text is, whoever tries the flow waits no longer for it. */
const LONGEST_TYPING_MS = 900

/**
 * The draft as a contact would meet it, beside the drawing that shows the way it goes; on a phone above it.
 */
export default function TrialPanel({ narrow, heldRef }: { narrow: boolean; heldRef: HeldTrial }) {
  const { t } = useLingui()
  const { trying, stopTrying, setPath, look, show } = useEditor()
  const { trial, ready, fromDrafts, timeZone } = useTrial(heldRef)
  const view = useSyncExternalStore(trial.subscribe, trial.view)
  const begun = useRef(0)

  useEffect(() => {
    if (!trying || trying.count === begun.current || !ready) return
    begun.current = trying.count
    if (trying.from !== null) trial.begin(trying.from === START_ID ? null : trying.from)
  }, [trying, trial, ready])
  useEffect(() => setPath(view.path), [setPath, view.path])
  const { at } = view.path
  useEffect(() => {
    if (at !== null) look(at)
  }, [at, look])
  useEffect(
    () => () => {
      // Above the list it hides what it marks: there the marks stay when it is closed.
      if (narrow) return
      setPath(null)
      heldRef.current = null
    },
    [narrow, setPath, heldRef],
  )

  const restart = () => {
    trial.restart()
    look(START_ID)
  }
  const title = t`Testar o fluxo`
  const again = (
    <IconButton label={t`Recomeçar`} disabled={!view.run} onClick={restart}>
      <RotateCcw />
    </IconButton>
  )
  const body = (
    <ZoneContext value={timeZone}>
      <TrialTabs
        trial={trial}
        view={view}
        ready={ready}
        fromDrafts={fromDrafts}
        onRestart={restart}
        onShow={(id, open) => {
          // On a phone the test lies above what is to be seen.
          if (narrow) stopTrying()
          requestAnimationFrame(() => show(id, open))
        }}
      />
    </ZoneContext>
  )
  if (narrow)
    return (
      <Sheet open onOpenChange={stopTrying}>
        <SheetContent title={title} className="w-full max-w-full">
          <div className="absolute top-1 right-14">{again}</div>
          {body}
        </SheetContent>
      </Sheet>
    )
  return (
    <aside aria-label={title} className="flex w-88 shrink-0 flex-col border-l bg-card">
      <div className="flex h-12 shrink-0 items-center gap-2.5 border-b px-4">
        <span className="flex size-6 items-center justify-center rounded-md bg-success-soft text-success-soft-foreground">
          <FlaskConical aria-hidden="true" className="size-3.5" />
        </span>
        <h2 className="min-w-0 flex-1 truncate text-sm font-semibold">{title}</h2>
        {again}
        <PanelClose onClose={stopTrying} />
      </div>
      {body}
    </aside>
  )
}

/** Shows a block, with its fields if wished. */
type OnShow = (id: string, open: boolean) => void

interface Shown {
  trial: Trial
  view: TrialView
}

function TrialTabs({
  trial,
  view,
  ready,
  fromDrafts,
  onRestart,
  onShow,
}: Shown & { ready: boolean; fromDrafts: boolean; onRestart: () => void; onShow: OnShow }) {
  const { t } = useLingui()
  const variables = Object.keys(view.run?.vars ?? {}).length
  return (
    <Tabs defaultValue="talk" className="flex min-h-0 flex-1 flex-col">
      <TabsList look="pill" className="mx-3 my-2" aria-label={t`O que ver do teste`}>
        <TabsTrigger value="talk">
          <Trans>Conversa</Trans>
        </TabsTrigger>
        <TabsTrigger value="contact">
          <Trans>Contato</Trans>
        </TabsTrigger>
        <TabsTrigger value="variables">
          <Trans>Variáveis</Trans>
          {variables > 0 && <span className="text-xs text-muted-foreground tabular-nums">{variables}</span>}
        </TabsTrigger>
      </TabsList>
      <TabsContent value="talk" className="flex min-h-0 flex-1 flex-col">
        <Problems onShow={onShow} />
        {fromDrafts && (
          <p className="bg-warning-soft px-4 py-1.5 text-xs text-warning-soft-foreground">
            <Trans>Sem conexão: os outros fluxos são testados como estão desenhados, não como foram publicados.</Trans>
          </p>
        )}
        <Phone view={view} onRestart={onRestart} />
        <Clockwork trial={trial} view={view} onShow={onShow} />
        {view.call?.kind === 'file' ? (
          <FileForm key={view.call.waitId} call={view.call} trial={trial} />
        ) : view.call?.kind === 'typebot' ? (
          <TypebotForm key={view.call.waitId} call={view.call} trial={trial} />
        ) : view.call ? (
          <CallForm key={view.call.waitId} call={view.call} trial={trial} />
        ) : (
          <Composer trial={trial} view={view} ready={ready} />
        )}
      </TabsContent>
      <TabsContent value="contact" className="min-h-0 flex-1 overflow-y-auto p-4 pt-2">
        <ContactFields trial={trial} view={view} />
      </TabsContent>
      <TabsContent value="variables" className="min-h-0 flex-1 overflow-y-auto p-4 pt-2">
        <Variables view={view} />
      </TabsContent>
    </Tabs>
  )
}

/** A draft with mistakes is tried all the same; that it would not be published is said before. */
function Problems({ onShow }: { onShow: OnShow }) {
  const { i18n } = useLingui()
  const { problems } = useEditor()
  const errors = problems.list.filter(({ severity }) => severity === 'error')
  const [first] = errors
  if (!first) return null
  return (
    <div className="flex items-start gap-2 bg-destructive-soft px-4 py-1.5 text-xs text-destructive-soft-foreground">
      <CircleAlert aria-hidden="true" className="mt-0.5 size-3.5 shrink-0" />
      <p className="min-w-0">
        <Plural
          value={errors.length}
          one="# problema impede de publicar:"
          other="# problemas impedem de publicar, o primeiro:"
        />{' '}
        {first.nodeId === null ? (
          problemText(first, i18n)
        ) : (
          <button type="button" className="focus-ring rounded-sm underline" onClick={() => onShow(first.nodeId!, true)}>
            {problemText(first, i18n)}
          </button>
        )}
      </p>
    </div>
  )
}

// ── the conversation ───────────────────────────────────────────────────────────────────────────

/** The lines that have been said by now: the bot types before each of its own. */
function useSaid(lines: readonly TrialLine[]): { said: readonly TrialLine[]; typing: boolean } {
  const [upTo, setUpTo] = useState(() => lines.at(-1)?.id ?? 0)
  const index = lines.findIndex(({ id }) => id > upTo)
  const next = index === -1 ? undefined : lines[index]
  const hurry = typeof matchMedia === 'function' && matchMedia('(prefers-reduced-motion: reduce)').matches
  useEffect(() => {
    if (!next) return
    const ms = next.kind === 'said' && !hurry ? Math.min(next.typingMs, LONGEST_TYPING_MS) : 0
    const timer = setTimeout(() => setUpTo(next.id), ms)
    return () => clearTimeout(timer)
  }, [next, hurry])
  return { said: index === -1 ? lines : lines.slice(0, index), typing: next?.kind === 'said' }
}

function Phone({ view, onRestart }: { view: TrialView; onRestart: () => void }) {
  const { t } = useLingui()
  const { said, typing } = useSaid(view.lines)
  const end = useRef<HTMLDivElement>(null)
  const last = said.at(-1)?.id
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'nearest' })
  }, [last, typing])
  return (
    <div className="min-h-0 flex-1 overflow-y-auto bg-thread">
      <div
        role="log"
        aria-live="polite"
        aria-label={t`Conversa de teste`}
        aria-busy={typing}
        className="flex flex-col gap-1.5 px-3 py-4"
      >
        {said.map((line) => (
          <Line key={line.id} line={line} />
        ))}
        {typing && (
          <p aria-hidden="true" className="self-start rounded-xl rounded-bl-sm bg-bubble-in px-3 py-2.5 shadow-xs">
            <span className="flex gap-1 motion-safe:animate-pulse">
              <span className="size-1.5 rounded-full bg-muted-foreground" />
              <span className="size-1.5 rounded-full bg-muted-foreground" />
              <span className="size-1.5 rounded-full bg-muted-foreground" />
            </span>
          </p>
        )}
        {!typing && view.run?.ended && (
          <div className="flex flex-col items-center gap-2 pt-2">
            <Aside>
              <Trans>O fluxo terminou.</Trans>
            </Aside>
            <Button variant="outline" size="sm" onClick={onRestart}>
              <RotateCcw />
              <Trans>Testar de novo</Trans>
            </Button>
          </div>
        )}
        {!view.run && (
          <p className="py-6 text-center text-sm text-balance text-muted-foreground">
            <Trans>Escreva como se fosse o contato. Nada sai daqui, e o rascunho vale como está.</Trans>
          </p>
        )}
      </div>
      <div ref={end} />
    </div>
  )
}

function Aside({ children }: { children: ReactNode }) {
  return (
    <p className="max-w-[90%] self-center rounded-lg bg-muted px-2.5 py-1 text-center text-xs wrap-anywhere text-muted-foreground">
      {children}
    </p>
  )
}

function Line({ line }: { line: TrialLine }) {
  const { i18n } = useLingui()
  const { byId: queues } = useQueues()
  const { byId: tags } = useTags()
  const { byId: users } = useUsers()
  const zone = useZone()
  if (line.kind === 'clock')
    return (
      <Aside>
        <Clock aria-hidden="true" className="mr-1 inline size-3" />
        {clockText(i18n.locale, line.at, zone)}
      </Aside>
    )
  if (line.kind === 'called')
    return (
      <Aside>
        {line.effect.kind === 'http' ? (
          <Trans>Chamada: {requestText(line.effect.request)}</Trans>
        ) : line.effect.kind === 'file' ? (
          <Trans>Arquivo do endereço: {secretText(line.effect.url) || '—'}</Trans>
        ) : line.effect.kind === 'typebot' ? (
          <Trans>Pergunta ao Typebot</Trans>
        ) : (
          <Trans>O assistente foi consultado.</Trans>
        )}
      </Aside>
    )
  if (line.kind === 'did')
    return (
      <Aside>
        {deedText(line.effect, {
          queue: (id) => queues.get(id)?.name ?? String(id),
          tag: (id) => tags.get(id)?.name ?? String(id),
          user: (id) => users.get(id)?.name ?? String(id),
        })}
      </Aside>
    )
  const own = line.kind === 'wrote'
  return (
    <div
      data-phone={own ? 'contact' : 'business'}
      className={cn(
        'flex max-w-[85%] min-w-0 flex-col gap-1 rounded-xl px-2.5 py-1.5 text-[0.8125rem] leading-[1.45] wrap-anywhere shadow-xs',
        own ? 'self-end rounded-br-sm bg-bubble-out' : 'self-start rounded-bl-sm bg-bubble-in',
      )}
    >
      <span className="sr-only">{own ? <Trans>Contato:</Trans> : <Trans>Fluxo:</Trans>}</span>
      {line.kind === 'wrote' && line.file && <SentByContact kind={line.file} />}
      {line.kind === 'said' && line.file && <SentByFlow file={line.file} voice={line.voice} />}
      {line.body && <FormattedText text={line.body} />}
    </div>
  )
}

function SentByContact({ kind }: { kind: string }) {
  const Icon = kind === 'image' ? Image : kind === 'audio' ? Mic : FileText
  return (
    <span className="flex items-center gap-1.5 text-muted-foreground">
      <Icon aria-hidden="true" className="size-4 shrink-0" />
      {kind === 'image' ? (
        <Trans>Foto</Trans>
      ) : kind === 'audio' ? (
        <Trans>Mensagem de voz</Trans>
      ) : (
        <Trans>Arquivo</Trans>
      )}
    </span>
  )
}

function SentByFlow({ file: { kind, file, name, fetched }, voice }: { file: SentFile; voice: boolean }) {
  const media = useMedia(fetched ? null : { path: file })
  if (media.url && kind === 'image')
    return <img src={media.url} alt={name} className="max-h-48 rounded-lg object-contain" />
  if (media.url && kind === 'audio') return <audio controls src={media.url} className="h-9 w-56 max-w-full" />
  if (media.url && kind === 'video') return <video controls src={media.url} className="max-h-48 rounded-lg" />
  const Icon = kind === 'image' ? Image : kind === 'video' ? Video : kind === 'audio' ? Mic : FileText
  return (
    <span className="flex items-center gap-1.5 text-muted-foreground">
      <Icon aria-hidden="true" className="size-4 shrink-0" />
      <span className="truncate">{voice ? <Trans>Mensagem de voz</Trans> : name}</span>
    </span>
  )
}

/** What a flow does besides speaking, as one sentence. */
function deedText(
  effect: Extract<TrialLine, { kind: 'did' }>['effect'],
  names: { queue(id: number): string; tag(id: number): string; user(id: number): string },
): string {
  switch (effect.kind) {
    case 'toQueue': {
      const queue = names.queue(effect.queueId)
      return t`O atendimento vai para a fila ${queue}.`
    }
    case 'toAgent': {
      const user = names.user(effect.userId)
      return t`O atendimento vai para ${user}.`
    }
    case 'tag': {
      const tag = names.tag(effect.tagId)
      return t`Etiqueta posta: ${tag}`
    }
    case 'untag': {
      const tag = names.tag(effect.tagId)
      return t`Etiqueta retirada: ${tag}`
    }
    case 'field': {
      const field = effect.field === 'extra' ? effect.extraName : effect.field === 'name' ? t`Nome` : t`E-mail`
      return `${field} = ${effect.value}`
    }
    case 'note':
      return t`Observação interna: ${effect.text}`
    case 'close':
      return t`O atendimento é resolvido.`
    case 'leave':
      if (effect.to === 'menu') return t`O contato volta ao menu das filas.`
      return effect.to === 'pending' ? t`O atendimento espera um atendente.` : t`O fluxo termina aqui.`
  }
}

const secretText = (text: SecretText): string =>
  text.map((part) => (typeof part === 'string' ? part : `{{secret:${part.secret}}}`)).join('')
const requestText = ({ method, url }: HttpRequest): string => `${method} ${secretText(url)}`

// ── the clock ──────────────────────────────────────────────────────────────────────────────────

const ZoneContext = createContext('UTC')
const useZone = (): string => use(ZoneContext)

const clockText = (locale: string, at: number, timeZone: string): string =>
  dateTextIn(timeZone, locale, at, 'weekday', 'clock')

/** 45 s, 3 min, 2 h, as people say it. */
function spanText(ms: number): string {
  const seconds = Math.ceil(ms / 1_000)
  if (seconds < 90) return plural(seconds, { one: '# segundo', other: '# segundos' })
  if (seconds < 5_400) return plural(Math.round(seconds / 60), { one: '# minuto', other: '# minutos' })
  if (seconds < 129_600) return plural(Math.round(seconds / 3_600), { one: '# hora', other: '# horas' })
  return plural(Math.round(seconds / 86_400), { one: '# dia', other: '# dias' })
}

/** What is waited for, and the way to have the time go by. */
function Clockwork({ trial, view, onShow }: Shown & { onShow: OnShow }) {
  const { t, i18n } = useLingui()
  const { draft, textOf } = useEditor()
  const { nodes } = useSyncExternalStore(draft.subscribe, draft.view)
  const zone = useZone()
  const { run, now, path } = view
  const due = trial.dueIn()
  const wait = run?.ended ? null : run?.wait
  const node = path.at === null ? undefined : nodes.get(path.at)
  const span = due === null ? '' : spanText(due)
  return (
    <div className="flex shrink-0 flex-col gap-1 border-t px-3 py-2 text-xs">
      {wait && (
        <p className="text-muted-foreground">
          {wait.kind === 'timer' ? (
            <Trans>Espera o relógio.</Trans>
          ) : wait.kind === 'gather' ? (
            <Trans>Espera o resto da resposta.</Trans>
          ) : wait.kind === 'job' ? (
            <Trans>Espera o resultado da chamada.</Trans>
          ) : (
            <Trans>Espera a resposta do contato.</Trans>
          )}{' '}
          {node && (
            <button
              type="button"
              className="focus-ring max-w-full truncate rounded-sm text-left align-bottom font-medium text-primary-soft-foreground hover:underline touch:min-h-8"
              onClick={() => onShow(node.id, false)}
            >
              {i18n._(nodeWords[node.type].name)}
              {textOf(node) && ` · ${textOf(node).slice(0, 30)}`}
            </button>
          )}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-1.5">
        <span className="mr-auto flex items-center gap-1.5 font-medium tabular-nums">
          <Clock aria-hidden="true" className="size-3.5 text-muted-foreground" />
          <span className="sr-only">
            <Trans>Relógio do teste:</Trans>
          </span>
          {clockText(i18n.locale, now, zone)}
        </span>
        <Button
          variant="outline"
          size="sm"
          aria-label={t`+1 min: adiantar 1 minuto`}
          onClick={() => trial.pass(MINUTE_MS)}
        >
          <Trans>+1 min</Trans>
        </Button>
        <Button
          variant="outline"
          size="sm"
          aria-label={t`+1 h: adiantar 1 hora`}
          onClick={() => trial.pass(60 * MINUTE_MS)}
        >
          <Trans>+1 h</Trans>
        </Button>
        {due !== null && (
          <Button variant="secondary" size="sm" onClick={trial.passToNext}>
            <ArrowRight />
            <Trans>Até o prazo: {span}</Trans>
          </Button>
        )}
      </div>
    </div>
  )
}

// ── what the contact does ──────────────────────────────────────────────────────────────────────

function Composer({ trial, view, ready }: Shown & { ready: boolean }) {
  const { t } = useLingui()
  const { draft } = useEditor()
  const [text, setText] = useState('')
  const field = useRef<HTMLTextAreaElement>(null)
  const { run } = view
  const over = run?.ended != null
  const send = (file: 'image' | 'audio' | 'application' | null = null, words = text.trim()) => {
    if (over || !ready || (words === '' && !file)) return
    trial.hear(words, file)
    setText('')
    field.current?.focus()
  }
  const at = run && !over && run.version === DRAFT && run.node !== null ? draft.view().nodes.get(run.node) : undefined
  const options = at?.type === 'menu' && run?.wait?.kind === 'reply' ? at.data.options : []
  return (
    <div className="flex shrink-0 flex-col gap-2 border-t p-3">
      {options.length > 0 && (
        <ul aria-label={t`Opções do menu`} className="flex max-h-24 flex-wrap gap-1.5 overflow-y-auto">
          {options.map(({ number, label }) => (
            <li key={number} className="max-w-full">
              <Button variant="outline" size="sm" className="max-w-full" onClick={() => send(null, String(number))}>
                <span className="truncate">
                  {number}. {label}
                </span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      {!run && (
        <Button variant="outline" size="sm" className="self-start" disabled={!ready} onClick={() => trial.begin()}>
          <ArrowRight />
          <Trans>Começar sem mensagem</Trans>
        </Button>
      )}
      <form
        className="flex items-end gap-1.5"
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <DropdownMenu>
          <DropdownMenuTrigger asChild>
            <Button
              variant="ghost"
              size="icon"
              aria-label={t`Enviar como o contato`}
              disabled={over || !run || !ready}
              className="text-muted-foreground"
            >
              <Paperclip />
            </Button>
          </DropdownMenuTrigger>
          <DropdownMenuContent align="start">
            <DropdownMenuItem onSelect={() => send('image')}>
              <Image />
              <Trans>Uma foto</Trans>
            </DropdownMenuItem>
            <DropdownMenuItem onSelect={() => send('audio', '')}>
              <Mic />
              <Trans>Uma mensagem de voz</Trans>
            </DropdownMenuItem>
            <DropdownMenuItem onSelect={() => send('application')}>
              <FileText />
              <Trans>Um arquivo</Trans>
            </DropdownMenuItem>
          </DropdownMenuContent>
        </DropdownMenu>
        <Textarea
          ref={field}
          autoFocus
          maxRows={4}
          aria-label={t`Mensagem do contato`}
          placeholder={over ? t`O fluxo terminou` : t`Mensagem do contato`}
          value={text}
          disabled={over}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || isComposing(event.nativeEvent)) return
            event.preventDefault()
            send()
          }}
        />
        <Button type="submit" size="icon" aria-label={t`Enviar`} disabled={over || !ready}>
          <Send />
        </Button>
      </form>
    </div>
  )
}

/** What the flow calls, which nobody answers in a test, and the fields in which whoever tries it says what would have come. */
function AnswerForm({
  label,
  icon: Icon,
  called,
  onAnswer,
  children,
}: {
  label: string
  icon: LucideIcon
  called: ReactNode
  onAnswer: () => void
  children: ReactNode
}) {
  return (
    <form
      aria-label={label}
      className="flex max-h-[60%] shrink-0 flex-col gap-2.5 overflow-y-auto border-t p-3"
      onSubmit={(event) => {
        event.preventDefault()
        onAnswer()
      }}
    >
      <p className="flex items-start gap-2 text-xs text-muted-foreground">
        <Icon aria-hidden="true" className="mt-0.5 size-3.5 shrink-0" />
        <span className="min-w-0 wrap-anywhere">{called}</span>
      </p>
      {children}
    </form>
  )
}

type FileEffect = Extract<CallEffect, { kind: 'file' }>

function FileForm({ call, trial }: { call: FileEffect; trial: Trial }) {
  const { t } = useLingui()
  const found = triedFile(call.url)
  const [kind, setKind] = useState('problem' in found ? 'document' : found.kind)
  const why = 'problem' in found ? t(fileWords[found.problem]) : null
  const reply = () => {
    if ('problem' in found) return
    const file = { path: '', name: found.name, mimetype: triedTypes[kind], size: 0 }
    trial.answer({ kind: 'file', ok: true, file })
  }
  return (
    <AnswerForm
      label={t`Arquivo do endereço`}
      icon={FileDown}
      called={
        <>
          <span className="font-medium text-foreground">{secretText(call.url) || '—'}</span>
          <span className="block">
            {why ? (
              <Trans>Nada seria enviado: {why}.</Trans>
            ) : (
              <Trans>O teste não busca o arquivo. Diga como ele chegaria.</Trans>
            )}
          </span>
        </>
      }
      onAnswer={reply}
    >
      {!why && (
        <Field label={<Trans>Enviado como</Trans>}>
          <Select
            value={kind}
            onChange={setKind}
            options={[
              { value: 'document', label: t`Documento` },
              { value: 'image', label: t`Imagem` },
              { value: 'audio', label: t`Áudio` },
              { value: 'video', label: t`Vídeo` },
            ]}
          />
        </Field>
      )}
      <div className="flex flex-wrap gap-1.5">
        {!why && (
          <Button type="submit" size="sm">
            <Trans>Enviar</Trans>
          </Button>
        )}
        <Button
          variant="outline"
          size="sm"
          onClick={() =>
            trial.answer({ kind: 'file', ok: false, why: 'problem' in found ? found.problem : 'file_refused' })
          }
        >
          <Trans>Falhar</Trans>
        </Button>
      </div>
    </AnswerForm>
  )
}

type TypebotEffect = Extract<CallEffect, { kind: 'typebot' }>

function TypebotForm({ call, trial }: { call: TypebotEffect; trial: Trial }) {
  const { t } = useLingui()
  const [text, setText] = useState('')
  const answer = (session: object | null) => {
    const said = text.trim() === '' ? [] : [{ body: text.trim(), typingMs: 0 }]
    trial.answer({ kind: 'typebot', ok: true, said, session })
  }
  return (
    <AnswerForm
      label={t`Resposta do Typebot`}
      icon={BotMessageSquare}
      called={
        call.text === null ? (
          <Trans>O Typebot começaria a conversa. O teste não o chama.</Trans>
        ) : (
          <span className="line-clamp-3">“{call.text}”</span>
        )
      }
      onAnswer={() => answer({})}
    >
      <Field label={<Trans>O que o Typebot diria</Trans>}>
        <Textarea autoFocus rows={2} maxRows={8} value={text} onChange={(event) => setText(event.target.value)} />
      </Field>
      <div className="flex flex-wrap gap-1.5">
        <Button type="submit" size="sm">
          <Trans>Responder</Trans>
        </Button>
        <Button variant="outline" size="sm" onClick={() => answer(null)}>
          <Trans>Responder e terminar</Trans>
        </Button>
        <Button
          variant="outline"
          size="sm"
          onClick={() => trial.answer({ kind: 'typebot', ok: false, why: 'unreachable' })}
        >
          <Trans>Falhar</Trans>
        </Button>
      </div>
    </AnswerForm>
  )
}

/** Nothing is called from here: whoever tries the flow says what would have come back. */
function CallForm({ call, trial }: { call: Exclude<CallEffect, FileEffect | TypebotEffect>; trial: Trial }) {
  const { t } = useLingui()
  const { list: queues } = useQueues()
  const [status, setStatus] = useState('200')
  const [text, setText] = useState('')
  const [queueId, setQueueId] = useState<number | null>(null)
  const http = call.kind === 'http' ? call.request : null
  const answer = http === null ? '' : http.body === null ? '' : secretText(http.body)
  const reply = () =>
    trial.answer(
      http
        ? { kind: 'http', ok: true, status: Number(status) || 0, body: parsed(text) }
        : { kind: 'ai', ok: true, text: text.trim() },
    )
  return (
    <AnswerForm
      label={http ? t`Resposta da chamada` : t`Resposta do assistente`}
      icon={http ? Globe : Bot}
      called={
        http ? (
          <>
            <span className="font-medium text-foreground">{requestText(http)}</span>
            {answer && <span className="line-clamp-3 whitespace-pre-wrap">{answer}</span>}
          </>
        ) : (
          call.kind === 'ai' && <span className="line-clamp-3">“{call.text}”</span>
        )
      }
      onAnswer={reply}
    >
      {http && (
        <Field label={<Trans>Código da resposta</Trans>}>
          <Input
            inputMode="numeric"
            autoComplete="off"
            value={status}
            onChange={(event) => setStatus(event.target.value.replace(/\D/g, '').slice(0, 3))}
          />
        </Field>
      )}
      <Field
        label={http ? <Trans>Conteúdo da resposta</Trans> : <Trans>O que o assistente diria</Trans>}
        hint={http && <Trans>JSON ou texto</Trans>}
      >
        <Textarea
          autoFocus
          rows={http ? 3 : 2}
          maxRows={8}
          spellCheck={!http}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      <div className="flex flex-wrap gap-1.5">
        <Button type="submit" size="sm">
          <Trans>Responder</Trans>
        </Button>
        {!http && (
          <Button
            variant="outline"
            size="sm"
            onClick={() => trial.answer({ kind: 'ai', ok: true, text: text.trim(), done: true })}
          >
            <Trans>Responder e terminar</Trans>
          </Button>
        )}
        <Button
          variant="outline"
          size="sm"
          onClick={() =>
            trial.answer(
              http ? { kind: 'http', ok: false, status: 0, body: null } : { kind: 'ai', ok: false, text: '' },
            )
          }
        >
          <Trans>Falhar</Trans>
        </Button>
      </div>
      {!http && (
        <div className="flex items-end gap-1.5">
          <Field label={<Trans>Passar a uma pessoa</Trans>} className="min-w-0 flex-1">
            <Combobox
              clearable
              placeholder={t`Sem fila`}
              value={queueId === null ? null : String(queueId)}
              onChange={(id) => setQueueId(id === null ? null : Number(id))}
              options={queues.map(({ id, name }) => ({ id: String(id), label: name }))}
            />
          </Field>
          <Button
            variant="outline"
            onClick={() => trial.answer({ kind: 'ai', ok: true, text: text.trim(), transferTo: queueId })}
          >
            <Trans>Passar</Trans>
          </Button>
        </div>
      )}
    </AnswerForm>
  )
}

/** JSON where it is, else the text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

// ── facts ──────────────────────────────────────────────────────────────────────────────────────

function ContactFields({ trial, view: { setup, known } }: Shown) {
  const { t } = useLingui()
  const { list: tags } = useTags()
  const options = useMemo(() => tags.map(({ id, name }) => ({ id: String(id), label: name })), [tags])
  return (
    <div className="flex flex-col gap-4">
      <Field label={<Trans>Nome</Trans>}>
        <Input
          value={known.contact.name}
          autoComplete="off"
          onChange={(event) => trial.change({ name: event.target.value })}
        />
      </Field>
      <Field label={<Trans>Número</Trans>}>
        <Input
          inputMode="tel"
          value={setup.number}
          autoComplete="off"
          onChange={(event) => trial.change({ number: event.target.value.replace(/\D/g, '') })}
        />
      </Field>
      <Field label={<Trans>O contato</Trans>}>
        <Select
          value={setup.isNew ? 'new' : 'known'}
          onChange={(value) => trial.change({ isNew: value === 'new' })}
          options={[
            { value: 'new', label: t`Escreve pela primeira vez` },
            { value: 'known', label: t`Já é conhecido` },
          ]}
        />
      </Field>
      {!setup.isNew && (
        <>
          <Field label={<Trans>E-mail</Trans>}>
            <Input
              type="email"
              value={known.contact.email ?? ''}
              autoComplete="off"
              onChange={(event) => trial.change({ email: event.target.value })}
            />
          </Field>
          <Field label={<Trans>Etiquetas</Trans>}>
            <MultiCombobox
              values={known.tags.map(String)}
              onChange={(ids) => trial.change({ tags: ids.map(Number) })}
              options={options}
              empty={t`Nenhuma etiqueta`}
            />
          </Field>
        </>
      )}
      <Field label={<Trans>Horário</Trans>} hint={<Trans>Decide o que os blocos de horário encontram.</Trans>}>
        <Select
          value={setup.hours}
          onChange={(hours) => trial.change({ hours })}
          options={[
            { value: 'clock', label: t`Pelo relógio do teste` },
            { value: 'open', label: t`Sempre aberto` },
            { value: 'closed', label: t`Sempre fechado` },
          ]}
        />
      </Field>
    </div>
  )
}

function Variables({ view: { run } }: { view: TrialView }) {
  const entries = Object.entries(run?.vars ?? {})
  if (!run || (entries.length === 0 && run.lastText === ''))
    return (
      <p className="py-6 text-center text-sm text-muted-foreground">
        <Trans>O fluxo ainda não guardou nada.</Trans>
      </p>
    )
  const rows: [name: string, value: string][] = [...entries, ['lastText', run.lastText]]
  return (
    <dl className="flex flex-col divide-y rounded-lg border text-sm">
      {rows.map(([name, value]) => (
        <div key={name} className="flex flex-col gap-0.5 px-3 py-2">
          <dt className="text-xs font-medium text-muted-foreground">{name}</dt>
          <dd className="wrap-anywhere whitespace-pre-wrap">{value || '—'}</dd>
        </div>
      ))}
    </dl>
  )
}
