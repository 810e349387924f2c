import { Trans, useLingui } from '@lingui/react/macro'
import { Clock, DoorClosed, DoorOpen, Paperclip, Send } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { previewQuestion } from '../../schema/automation/automation.inputs.ts'
import { ApiError } from '../session/api.ts'
import { useConnections, useQueues } from '../replica/directory.ts'
import { errorText } from '../session/error-text.ts'
import { useOnline } from '../replica/use-online.ts'
import type { FoundContact } from '../contacts/contacts.rows.ts'
import { searchFrom, useContactSearch } from '../contacts/contacts.search.ts'
import { dateText } from '../i18n/dates.ts'
import { FormattedText } from '../kit/formatted-text.tsx'
import { contactHint, useContactLabel } from '../kit/contact-label.ts'
import { Button } from '../ui/button.tsx'
import { cn } from '../ui/cn.ts'
import { Combobox } from '../ui/combobox.tsx'
import { DateInput } from '../ui/date-input.tsx'
import { Dialog, DialogBody, DialogContent, DialogForm } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '../ui/tabs.tsx'
import { Textarea } from '../ui/textarea.tsx'
import { isComposing } from '../base/is-composing.ts'
import { type HoursAnswer, type Preview, tries } from './automation.queries.ts'
import { Steps } from './automation.steps.tsx'
import { actionSentence, stepSentence } from './automation.words.ts'

/** What would be answered to a message, and whether a moment lies within the hours. Nothing is written by asking. */
export default function TryDialog({ about, onClose }: { about: 'reply' | 'hours'; onClose: () => void }) {
  const { t } = useLingui()
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent size="lg" title={t`Testar o atendimento automático`} description={t`Nada é enviado nem gravado.`}>
        <Tabs defaultValue={about} className="flex min-h-0 flex-1 flex-col">
          <TabsList className="mx-5" aria-label={t`O que testar`}>
            <TabsTrigger value="reply">
              <Trans>O que responderia?</Trans>
            </TabsTrigger>
            <TabsTrigger value="hours">
              <Trans>Testar horário</Trans>
            </TabsTrigger>
          </TabsList>
          <TabsContent value="reply" className="flex min-h-0 flex-1 flex-col">
            <ReplyTab onLeave={onClose} />
          </TabsContent>
          <TabsContent value="hours" className="flex min-h-0 flex-1 flex-col">
            <HoursTab />
          </TabsContent>
        </Tabs>
      </DialogContent>
    </Dialog>
  )
}

/** One question at a time: the answer to the last one counts. */
function useAnswer<T>() {
  const [state, setState] = useState<{ busy: boolean; answer: T | null; error: unknown }>({
    ...{ busy: false, answer: null, error: null },
  })
  const latest = useRef(0)
  const ask = async (question: () => Promise<T>) => {
    const mine = ++latest.current
    setState((old) => ({ ...old, busy: true, error: null }))
    try {
      const answer = await question()
      if (latest.current === mine) setState({ busy: false, answer, error: null })
    } catch (error) {
      if (latest.current === mine) setState({ busy: false, answer: null, error })
    }
  }
  /** What was asked has changed: the answer is no longer one to it. */
  const forget = () => {
    latest.current++
    setState({ busy: false, answer: null, error: null })
  }
  return { ...state, ask, forget }
}

const momentOf = (wall: string): string | undefined => {
  const at = new Date(wall)
  return wall === '' || Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}

/** The connection that is chosen, at first the company's default. */
function useConnection() {
  const { list } = useConnections()
  const [chosen, setChosen] = useState<number | null>(null)
  const first = list.find(({ isDefault }) => isDefault) ?? list[0]
  return { list, id: chosen ?? first?.id ?? null, choose: setChosen }
}

function MomentField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { t } = useLingui()
  return (
    <Field label={t`Momento (opcional)`} hint={<Trans>Vazio: agora</Trans>}>
      <DateInput type="datetime-local" value={value} onChange={onChange} />
    </Field>
  )
}

function ConnectionField({ connection: { list, id, choose } }: { connection: ReturnType<typeof useConnection> }) {
  const { t } = useLingui()
  return (
    <Field label={t`Conexão`}>
      <Combobox
        value={id === null ? null : String(id)}
        onChange={(picked) => choose(picked === null ? null : Number(picked))}
        options={list.map(({ id, name }) => ({ id: String(id), label: name }))}
        empty={t`Nenhuma conexão`}
      />
    </Field>
  )
}

/** One out of those whom a search finds, or nobody. */
function ContactField({
  contact,
  onPick,
}: {
  contact: FoundContact | null
  onPick: (contact: FoundContact | null) => void
}) {
  const { t } = useLingui()
  const labelOf = useContactLabel()
  const [query, setQuery] = useState('')
  const { found, searching } = useContactSearch(query)
  const shown = [...(contact && !found.some(({ id }) => id === contact.id) ? [contact] : []), ...found]
  return (
    <Field label={t`Contato (opcional)`} hint={<Trans>Vazio: alguém que escreve pela primeira vez</Trans>}>
      <Combobox
        clearable
        value={contact ? String(contact.id) : null}
        onChange={(id) => onPick(shown.find((one) => String(one.id) === id) ?? null)}
        placeholder={t`Nome ou número`}
        searchPlaceholder={t`Nome ou número`}
        onSearch={setQuery}
        loading={searching}
        empty={query.trim().length < searchFrom ? t`Digite ao menos 3 caracteres` : t`Nenhum contato encontrado`}
        options={shown.map((one) => ({
          id: String(one.id),
          label: labelOf(one),
          hint: contactHint(one),
        }))}
      />
    </Field>
  )
}

function Problem({ error }: { error: unknown }) {
  return (
    <p role="alert" className="rounded-md bg-destructive-soft px-3 py-2 text-sm text-destructive-soft-foreground">
      {error instanceof ApiError && error.status === 0 ? (
        <Trans>Sem conexão. O teste é feito no servidor.</Trans>
      ) : (
        errorText(error)
      )}
    </p>
  )
}

function ReplyTab({ onLeave }: { onLeave: () => void }) {
  const { t } = useLingui()
  const online = useOnline()
  const connection = useConnection()
  const [contact, setContact] = useState<FoundContact | null>(null)
  const [at, setAt] = useState('')
  const [text, setText] = useState('')
  const [tried, setTried] = useState(false)
  const [asked, setAsked] = useState('')
  const { busy, answer, error, ask, forget } = useAnswer<Preview>()
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The conversation; the rules below it are there for who goes on reading.
    if (answer) place.current?.querySelector('[role=group]')?.scrollIntoView({ block: 'nearest' })
  }, [answer])
  const submit = () => {
    setTried(true)
    const whatsappId = connection.id
    const body = text.trim()
    if (body === '' || whatsappId === null) return
    setAsked(body)
    void ask(() => tries.preview({ whatsappId, body, contactId: contact?.id ?? null, at: momentOf(at) }))
  }
  const changing =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      set(value)
      forget()
    }
  return (
    <DialogForm onSubmit={submit}>
      <DialogBody className="flex flex-col gap-4 pt-4">
        <div className="grid gap-4 sm:grid-cols-3">
          <ConnectionField connection={{ ...connection, choose: changing(connection.choose) }} />
          <ContactField contact={contact} onPick={changing(setContact)} />
          <MomentField value={at} onChange={changing(setAt)} />
        </div>
        <Field label={t`Mensagem do contato`} error={tried && text.trim() === '' && t`Obrigatório`}>
          <div className="flex items-end gap-2">
            <Textarea
              autoFocus
              maxRows={4}
              maxLength={previewQuestion.properties.body.maxLength}
              value={text}
              placeholder={t`Oi`}
              onChange={(event) => setText(event.target.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || event.shiftKey || isComposing(event.nativeEvent)) return
                event.preventDefault()
                submit()
              }}
            />
            <Button type="submit" busy={busy} disabled={!online || connection.id === null}>
              <Send />
              <Trans>Perguntar</Trans>
            </Button>
          </div>
        </Field>
        {error !== null && <Problem error={error} />}
        {!online && error === null && (
          <p className="text-sm text-muted-foreground">
            <Trans>Sem conexão. O teste é feito no servidor.</Trans>
          </p>
        )}
        <div ref={place} role="status" aria-busy={busy}>
          {answer && <Answer asked={asked} answer={answer} onLeave={onLeave} />}
        </div>
      </DialogBody>
    </DialogForm>
  )
}

/** The contact's screen, and below it how it came to that. */
function Answer({ asked, answer, onLeave }: { asked: string; answer: Preview; onLeave: () => void }) {
  const { t } = useLingui()
  const queues = useQueues().byId
  const { steps, replies, actions, stateAfter } = answer
  const ended = steps.at(-1)
  const done = actions.map(actionSentence).filter((words) => words !== null)
  const queue = stateAfter.queueId === null ? null : queues.get(stateAfter.queueId)?.name
  return (
    <div className="flex flex-col gap-4">
      <div
        role="group"
        aria-label={t`Conversa, como o contato a veria`}
        className="flex flex-col gap-1.5 rounded-xl bg-thread px-3 py-4"
      >
        <PhoneBubble own>{asked}</PhoneBubble>
        {replies.map(({ body, file }, index) => (
          // Said in this order; two may say the same.
          <PhoneBubble key={index}>
            {file && (
              <span className="flex items-center gap-1.5 text-muted-foreground">
                <Paperclip aria-hidden="true" className="size-3.5 shrink-0" />
                <span className="truncate">{file.name}</span>
              </span>
            )}
            {body}
          </PhoneBubble>
        ))}
        {replies.length === 0 && (
          <p className="pt-1 text-center text-xs text-muted-foreground">
            <Trans>Nenhuma mensagem seria enviada.</Trans>
          </p>
        )}
      </div>
      <div className="flex flex-col gap-1 rounded-lg bg-muted px-3.5 py-3 text-sm">
        {ended && <p className="font-medium text-balance">{t(stepSentence(ended))}</p>}
        {done.map((words) => (
          <p key={words.id} className="text-muted-foreground">
            {t(words)}
          </p>
        ))}
        {queue && (
          <p className="text-muted-foreground">
            <Trans>Depois disso, o atendimento está na fila {queue}.</Trans>
          </p>
        )}
      </div>
      <Steps steps={steps} onLeave={onLeave} />
    </div>
  )
}

/** A message as the contact's phone would show it: what they write stands on the right. */
function PhoneBubble({ own = false, children }: { own?: boolean; children: ReactNode }) {
  return (
    <div
      data-phone={own ? 'contact' : 'business'}
      className={cn(
        'max-w-[85%] min-w-0 rounded-xl px-2.5 py-1.5 text-[0.8125rem] leading-[1.45] shadow-xs',
        own ? 'self-end rounded-br-sm bg-bubble-out' : 'self-start rounded-bl-sm bg-bubble-in',
      )}
    >
      {[children].flat().map((part, index) =>
        // oxlint-disable-next-line react/no-array-index-key
        typeof part === 'string' ? part !== '' && <FormattedText key={index} text={part} /> : part,
      )}
    </div>
  )
}

function HoursTab() {
  const { t } = useLingui()
  const online = useOnline()
  const connection = useConnection()
  const queues = useQueues().list
  const [queueId, setQueueId] = useState<number | null>(null)
  const [at, setAt] = useState('')
  const { busy, answer, error, ask, forget } = useAnswer<HoursAnswer>()
  const changing =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      set(value)
      forget()
    }
  return (
    <DialogForm onSubmit={() => void ask(() => tries.hours({ whatsappId: connection.id, queueId, at: momentOf(at) }))}>
      <DialogBody className="flex flex-col gap-4 pt-4">
        <div className="grid gap-4 sm:grid-cols-3">
          <ConnectionField connection={{ ...connection, choose: changing(connection.choose) }} />
          <Field label={t`Fila (opcional)`}>
            <Combobox
              clearable
              value={queueId === null ? null : String(queueId)}
              onChange={(id) => changing(setQueueId)(id === null ? null : Number(id))}
              options={queues.map(({ id, name }) => ({ id: String(id), label: name }))}
              placeholder={t`Sem fila`}
              empty={t`Nenhuma fila encontrada`}
            />
          </Field>
          <MomentField value={at} onChange={changing(setAt)} />
        </div>
        <Button type="submit" busy={busy} disabled={!online} className="self-end max-sm:self-stretch">
          <Clock />
          <Trans>Testar</Trans>
        </Button>
        {error !== null && <Problem error={error} />}
        {!online && error === null && (
          <p className="text-sm text-muted-foreground">
            <Trans>Sem conexão. O teste é feito no servidor.</Trans>
          </p>
        )}
        <div role="status" aria-busy={busy}>
          {answer && <Hours answer={answer} />}
        </div>
      </DialogBody>
    </DialogForm>
  )
}

function Hours({ answer: { open, source, period, nextOpen, message } }: { answer: HoursAnswer }) {
  const { t, i18n } = useLingui()
  const whose = {
    company: t`Vale o horário da empresa.`,
    connection: t`Vale o horário da conexão.`,
    queue: t`Vale o horário da fila.`,
    none: t`Nenhum horário vale aqui: os horários estão desligados ou não há fila escolhida.`,
  }
  const Icon = open ? DoorOpen : DoorClosed
  return (
    <div className="flex flex-col gap-3">
      <div className={cn('flex gap-3 rounded-lg px-3.5 py-3', open ? 'bg-success-soft' : 'bg-warning-soft')}>
        <Icon
          aria-hidden="true"
          className={cn(
            'mt-0.5 size-5 shrink-0',
            open ? 'text-success-soft-foreground' : 'text-warning-soft-foreground',
          )}
        />
        <div className="flex min-w-0 flex-col gap-0.5 text-sm">
          <p className="font-medium">{open ? <Trans>Aberto</Trans> : <Trans>Fechado</Trans>}</p>
          <p>{whose[source]}</p>
          {source !== 'none' && (
            <p className="tabular-nums">
              {period ? (
                <Trans>
                  Neste dia, das {period.startTime} às {period.endTime}.
                </Trans>
              ) : (
                <Trans>Neste dia não há horário definido.</Trans>
              )}
            </p>
          )}
          {nextOpen !== null && (
            <p className="tabular-nums">
              <Trans>Abre em {dateText(i18n.locale, new Date(nextOpen), 'moment')}.</Trans>
            </p>
          )}
        </div>
      </div>
      {!open && message === '' && (
        <p className="text-sm text-muted-foreground">
          <Trans>
            Falta a mensagem de fora do horário: o contato não recebe aviso, e quem responde sozinho continua a
            responder. Só o bloco Horário de um fluxo segue por “Fechado”.
          </Trans>
        </p>
      )}
      {message !== '' && (
        <div className="flex flex-col gap-1.5">
          <p className="text-xs text-muted-foreground">
            <Trans>O contato receberia:</Trans>
          </p>
          <div className="flex flex-col rounded-xl bg-thread px-3 py-4">
            <PhoneBubble>{message}</PhoneBubble>
          </div>
        </div>
      )}
    </div>
  )
}
