import { Trans, useLingui } from '@lingui/react/macro'
import { Braces, Check, Lock, Mic, Paperclip, PenLine, SendHorizontal, X } from 'lucide-react'
import { memo, useCallback, useDeferredValue, useEffect, useImperativeHandle, useRef, useState } from 'react'
import type { ClipboardEvent, KeyboardEvent, ReactNode, Ref } from 'react'
import { newId } from '../../schema/ids.ts'
import { emitEvent } from '../app/events.ts'
import { local } from '../app/local.ts'
import { useReplica } from '../app/replica.tsx'
import { usePrincipal, useUser } from '../app/session.tsx'
import { useViewport } from '../app/use-viewport.ts'
import { perform, toastFailure } from '../tickets/perform.ts'
import { writingState } from '../tickets/ticket-actions.ts'
import type { TicketRow } from '../tickets/ticket-rows.ts'
import { Button } from '../ui/button.tsx'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuTrigger,
} from '../ui/dropdown-menu.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { withInserted } from '../ui/insert-text.ts'
import { Textarea } from '../ui/textarea.tsx'
import { toast } from '../ui/toaster.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import { AttachmentsDialog, type Attachment } from './attachments-dialog.tsx'
import { Quote } from './bubble.tsx'
import { EmojiButton } from './emoji-button.tsx'
import type { MessageRow } from './message-rows.ts'
import { fileSize } from './message-parts.ts'
import { loadMedia } from './media.ts'
import { usePlaceholders, type MessageVariable } from './placeholders.ts'
import { useQuickReplies } from './quick-reply-list.tsx'
import type { QuickReply } from './quick-replies.ts'
import { sendMessage } from './sending.ts'
import { signed, splitSignature } from './thread.ts'
import { useDraft } from './use-draft.ts'
import { VoiceBar } from './voice-bar.tsx'
import type { Recording } from './voice-recorder.ts'

const signKey = 'balcao.sign-messages'
/** What the server takes at most unless its operator says otherwise. */
const largestFile = 100_000_000
/** The contact sees "typing" for a while after each of these. */
const typingEveryMs = 4000
const typingPauseMs = 6000

export interface ComposerHandle {
  focus: () => void
  addFiles: (files: readonly File[]) => void
}

/** Where one writes to the contact; closed with the reason unless the ticket is open. */
export function Composer({
  ticket,
  reply,
  replyAuthor,
  editing,
  onReplyDone,
  onEditDone,
  actionForClosed,
  ref,
}: {
  ticket: TicketRow
  reply: MessageRow | null
  replyAuthor: string | null
  editing: MessageRow | null
  onReplyDone: () => void
  onEditDone: () => void
  /** The button that makes writing possible: accept or reopen. */
  actionForClosed: ReactNode
  ref?: Ref<ComposerHandle>
}) {
  const state = writingState(ticket, usePrincipal())
  if (state !== 'open') return <Closed state={state} action={actionForClosed} />
  if (editing) return <EditBar key={editing.id} row={editing} onDone={onEditDone} />
  return <OpenComposer ticket={ticket} reply={reply} replyAuthor={replyAuthor} onReplyDone={onReplyDone} ref={ref} />
}

function Closed({ state, action }: { state: 'pending' | 'closed' | 'colleague' | 'no-connection'; action: ReactNode }) {
  return (
    <div className="flex min-h-13 items-center gap-3 border-t bg-card px-4 py-2.5 text-sm text-muted-foreground">
      <Lock aria-hidden="true" className="size-4 shrink-0" />
      <p className="min-w-0 flex-1">
        {state === 'pending' && <Trans>Aceite o atendimento para escrever.</Trans>}
        {state === 'closed' && <Trans>Este atendimento foi resolvido. Reabra-o para escrever.</Trans>}
        {state === 'colleague' && (
          <Trans>Outro atendente cuida deste atendimento. Para escrever, peça que ele o transfira a você.</Trans>
        )}
        {state === 'no-connection' && (
          <Trans>A conexão deste atendimento foi excluída. Transfira-o para outra conexão para escrever.</Trans>
        )}
      </p>
      {action}
    </div>
  )
}

/** Stays when another ticket is opened; what is being written is the ticket's own. */
function OpenComposer({
  ticket,
  reply,
  replyAuthor,
  onReplyDone,
  ref,
}: {
  ticket: TicketRow
  reply: MessageRow | null
  replyAuthor: string | null
  onReplyDone: () => void
  ref?: Ref<ComposerHandle> | undefined
}) {
  const { t, i18n } = useLingui()
  const replica = useReplica()
  const user = useUser()
  const ticketId = ticket.id
  const { fill, variables } = usePlaceholders(ticket)
  const [sign, setSign] = useState(() => local.get(signKey) !== 'off')
  const [attachments, setAttachments] = useState<readonly Attachment[]>([])
  const [recording, setRecording] = useState<Recording | 'starting' | null>(null)
  const field = useRef<WritingHandle>(null)
  const openTicket = useRef(ticketId)
  const [shownFor, setShownFor] = useState(ticketId)
  if (shownFor !== ticketId) {
    setShownFor(ticketId)
    setAttachments([])
    setRecording(null)
  }
  useEffect(() => {
    openTicket.current = ticketId
  }, [ticketId])

  const addFiles = useCallback(
    (files: readonly File[], caption = '') => {
      const fitting = files.filter((file) => file.size > 0 && file.size <= largestFile)
      if (fitting.length < files.length) {
        const limit = fileSize(largestFile, i18n.locale)
        toast.error(t`Arquivos vazios ou com mais de ${limit} não podem ser enviados`)
      }
      if (fitting.length > 0)
        setAttachments((known) => [...known, ...fitting.map((file) => ({ id: newId(), file, caption }))])
    },
    [t, i18n.locale],
  )
  const focus = useCallback(() => field.current?.focus(), [])
  const insert = useCallback((text: string) => field.current?.insert(text), [])
  const toggleSign = useCallback(
    () =>
      setSign((on) => {
        local.set(signKey, on ? 'off' : 'on')
        return !on
      }),
    [],
  )
  useImperativeHandle(ref, () => ({ focus, addFiles }), [focus, addFiles])
  useEffect(() => {
    if (reply) focus()
  }, [reply, focus])

  const quotedMsgId = reply?.id ?? null
  const sendText = (text: string) => {
    const sent = sendMessage(replica, {
      id: newId(),
      ticketId,
      body: signed(fill(text).trim(), user.name, sign),
      quotedMsgId,
    })
    onReplyDone()
    return sent
  }
  const sendFile = (file: File, caption: string, voice: boolean, quote: boolean) =>
    sendMessage(
      replica,
      {
        id: newId(),
        ticketId,
        body: signed(fill(caption).trim(), user.name, sign),
        quotedMsgId: quote ? quotedMsgId : null,
        file: {
          path: null,
          name: file.name.slice(-255) || t`arquivo`,
          mimetype: file.type.split(';')[0] || 'application/octet-stream',
          size: file.size,
          voice,
        },
      },
      file,
    )
  const sendAttachments = async () => {
    const list = attachments
    setAttachments([])
    onReplyDone()
    // One after the other, so that they arrive in the order in which they were chosen.
    for (const [index, { file, caption }] of list.entries()) await sendFile(file, caption, false, index === 0)
  }
  const record = async () => {
    setRecording('starting')
    try {
      const { startRecording } = await import('./voice-recorder.ts')
      const started = await startRecording()
      // Who has gone on to another conversation meanwhile does not speak into this one.
      if (openTicket.current === ticketId) setRecording(started)
      else started.cancel()
    } catch (error) {
      if (openTicket.current === ticketId) setRecording(null)
      const refused = error instanceof DOMException && error.name === 'NotAllowedError'
      toast.error(refused ? t`O navegador não tem permissão para usar o microfone` : t`Nenhum microfone disponível`)
    }
  }

  return (
    <div className="relative border-t bg-card px-2 pt-2 pb-[max(0.5rem,env(safe-area-inset-bottom))] sm:px-3">
      {reply && (
        <div className="flex items-start gap-2 pb-2 animate-in fade-in-0 slide-in-from-bottom-1 duration-100">
          <Quote row={reply} author={replyAuthor} className="mb-0 min-w-0 flex-1" />
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label={t`Não responder a esta mensagem`}
            onClick={onReplyDone}
            className="text-muted-foreground"
          >
            <X />
          </Button>
        </div>
      )}
      {recording && recording !== 'starting' ? (
        <VoiceBar
          recording={recording}
          onSend={(file) => {
            void sendFile(file, '', true, true)
            onReplyDone()
          }}
          onDone={() => setRecording(null)}
        />
      ) : (
        <div className="flex items-end gap-1">
          <Tools
            variables={variables}
            sign={sign}
            onSign={toggleSign}
            onInsert={insert}
            onFiles={addFiles}
            onFocus={focus}
          />
          <Writing
            key={ticketId}
            ref={field}
            ticketId={ticketId}
            replying={reply !== null}
            starting={recording === 'starting'}
            fill={fill}
            onSend={sendText}
            onFiles={addFiles}
            onRecord={() => void record()}
            onReplyDone={onReplyDone}
          />
        </div>
      )}
      {attachments.length > 0 && (
        <AttachmentsDialog
          attachments={attachments}
          onChange={setAttachments}
          onAdd={addFiles}
          onSend={() => void sendAttachments()}
          onClose={() => setAttachments([])}
        />
      )}
    </div>
  )
}

interface WritingHandle {
  focus: () => void
  /** In the place of what is selected. */
  insert: (text: string) => void
}

/** The field and the button that sends. Give it the ticket's id as key. */
function Writing({
  ticketId,
  replying,
  starting,
  fill,
  onSend,
  onFiles,
  onRecord,
  onReplyDone,
  ref,
}: {
  ticketId: number
  replying: boolean
  /** The microphone is being asked for. */
  starting: boolean
  fill: (text: string) => string
  /** Answers whether the message was taken. */
  onSend: (text: string) => Promise<boolean>
  onFiles: (files: readonly File[], caption?: string) => void
  onRecord: () => void
  onReplyDone: () => void
  ref: Ref<WritingHandle>
}) {
  const { t } = useLingui()
  const user = useUser()
  const narrow = useViewport() === 'narrow'
  const [text, setText, handOver] = useDraft(ticketId)
  const field = useRef<HTMLTextAreaElement>(null)
  const tellTyping = useTyping(ticketId)

  const takeQuickReply = async (reply: QuickReply) => {
    const message = fill(reply.message)
    if (!reply.mediaPath) {
      setText(message)
      requestAnimationFrame(() => field.current?.setSelectionRange(message.length, message.length))
      return
    }
    try {
      const blob = await loadMedia(user.id, reply.mediaPath)
      const name = reply.mediaName ?? reply.shortcode
      const file = new File([blob], name, { type: reply.mediaMime ?? blob.type })
      setText('')
      onFiles([file], message)
    } catch (error) {
      setText(message)
      toastFailure(error)
    }
  }
  const quick = useQuickReplies(text, (reply) => void takeQuickReply(reply))
  const insert = (added: string) => setText(withInserted(field.current, text, added))
  useImperativeHandle(ref, () => ({ focus: () => field.current?.focus(), insert }))

  const send = () => {
    if (text.trim() === '') return
    const written = text
    // The bubble is drawn by this very event; everything else comes after it.
    void onSend(written).then((taken) => {
      if (!taken) setText((now) => now || written)
    })
    setText('')
    tellTyping.stop()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || quick.onKey(event)) return
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      send()
    } else if (event.key === 'Escape' && replying) {
      event.stopPropagation()
      onReplyDone()
    }
  }
  const onPaste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files]
    // Copied cells and web pages bring a picture of themselves beside their text; the text is what was meant.
    if (files.length === 0 || event.clipboardData.getData('text/plain') !== '') return
    event.preventDefault()
    onFiles(files)
  }

  // Which of the two buttons stands there follows a moment later: a bubble is being painted.
  const empty = useDeferredValue(text.trim() === '')
  return (
    <>
      {quick.list}
      <Textarea
        ref={field}
        maxRows={5}
        value={text}
        aria-label={t`Mensagem`}
        placeholder={narrow ? t`Mensagem` : t`Escreva uma mensagem`}
        enterKeyHint="send"
        onChange={(event) => {
          setText(event.target.value)
          if (event.target.value !== '') tellTyping.go()
        }}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        onBlur={handOver}
        {...quick.field}
        className="min-h-8 flex-1 shadow-none touch:min-h-11 touch:py-2.5"
      />
      {empty ? (
        <IconButton label={t`Gravar mensagem de voz`} busy={starting} onClick={onRecord}>
          <Mic />
        </IconButton>
      ) : (
        <Button size="icon" aria-label={t`Enviar`} onClick={send}>
          <SendHorizontal />
        </Button>
      )}
    </>
  )
}

/** What stands before the field. */
const Tools = memo(function Tools({
  variables,
  sign,
  onSign,
  onInsert,
  onFiles,
  onFocus,
}: {
  variables: () => readonly MessageVariable[]
  sign: boolean
  onSign: () => void
  onInsert: (text: string) => void
  onFiles: (files: readonly File[]) => void
  onFocus: () => void
}) {
  const { t } = useLingui()
  const picker = useRef<HTMLInputElement>(null)
  return (
    <div className="flex shrink-0 items-center">
      <EmojiButton onPick={onInsert} onClosed={onFocus} />
      <IconButton label={t`Anexar arquivos`} onClick={() => picker.current?.click()}>
        <Paperclip />
      </IconButton>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        data-testid="attach"
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
      <VariablesMenu variables={variables} onPick={onInsert} onClosed={onFocus} />
      <Tooltip content={sign ? t`Assinatura ligada: o seu nome vai antes da mensagem` : t`Assinatura desligada`}>
        <Button
          variant="ghost"
          size="icon"
          role="switch"
          aria-checked={sign}
          aria-label={t`Assinar mensagens`}
          onClick={onSign}
          className={sign ? 'text-primary-soft-foreground' : 'text-muted-foreground/70'}
        >
          <span className="relative">
            <PenLine />
            {sign && (
              <span aria-hidden="true" className="absolute -right-1 -bottom-0.5 size-1.5 rounded-full bg-primary" />
            )}
          </span>
        </Button>
      </Tooltip>
    </div>
  )
})

/** What the message can say of contact and ticket; put into the text as it will be read. */
function VariablesMenu({
  variables,
  onPick,
  onClosed,
}: {
  variables: () => readonly MessageVariable[]
  onPick: (text: string) => void
  onClosed: () => void
}) {
  const { t } = useLingui()
  const label = t`Variáveis da mensagem`
  const names = {
    firstName: t`Primeiro nome`,
    name: t`Nome`,
    ms: t`Saudação`,
    protocol: t`Número do protocolo`,
    hora: t`Hora`,
  }
  return (
    <DropdownMenu>
      <Tooltip content={label}>
        <DropdownMenuTrigger asChild>
          <Button variant="ghost" size="icon" aria-label={label} className="text-muted-foreground">
            <Braces />
          </Button>
        </DropdownMenuTrigger>
      </Tooltip>
      <DropdownMenuContent
        side="top"
        align="start"
        className="w-64"
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          onClosed()
        }}
      >
        <DropdownMenuLabel>{label}</DropdownMenuLabel>
        <VariableItems names={names} variables={variables} onPick={onPick} />
      </DropdownMenuContent>
    </DropdownMenu>
  )
}

/** Reads the values when the menu opens: the hour is that of the moment. */
function VariableItems({
  names,
  variables,
  onPick,
}: {
  names: Record<MessageVariable['key'], string>
  variables: () => readonly MessageVariable[]
  onPick: (text: string) => void
}) {
  const [values] = useState(variables)
  return values.map(({ key, value }) => (
    <DropdownMenuItem key={key} disabled={value === ''} onSelect={() => onPick(value)}>
      <span className="flex-1">{names[key]}</span>
      <span className="max-w-32 truncate text-xs text-muted-foreground">{value}</span>
    </DropdownMenuItem>
  ))
}

/** Changes the text of an own message; the signature before it stays as it was. */
function EditBar({ row, onDone }: { row: MessageRow; onDone: () => void }) {
  const { t } = useLingui()
  const replica = useReplica()
  const { signature, text: original } = splitSignature(row.body)
  const [text, setText] = useState(original)
  const save = async () => {
    const body = text.trim()
    if (body === '') return
    if (body === original.trim()) return onDone()
    if (await perform(replica, 'messages.edit', { messageId: row.id, body: signature + body })) onDone()
  }
  return (
    <div className="border-t bg-card px-2 pt-2 pb-[max(0.5rem,env(safe-area-inset-bottom))] sm:px-3">
      <p className="flex items-center gap-1.5 px-1 pb-1.5 text-xs font-medium text-primary-soft-foreground">
        <PenLine aria-hidden="true" className="size-3.5" />
        <Trans>Editar mensagem</Trans>
      </p>
      <div className="flex items-end gap-1">
        <Textarea
          autoFocus
          maxRows={6}
          value={text}
          aria-label={t`Novo texto da mensagem`}
          onFocus={(event) => event.target.setSelectionRange(text.length, text.length)}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return
            if (event.key === 'Escape') {
              event.stopPropagation()
              onDone()
            } else if (event.key === 'Enter' && !event.shiftKey) {
              event.preventDefault()
              void save()
            }
          }}
          className="min-h-8 flex-1 shadow-none touch:min-h-11 touch:py-2.5"
        />
        <Button
          variant="ghost"
          size="icon"
          aria-label={t`Não editar`}
          onClick={onDone}
          className="text-muted-foreground"
        >
          <X />
        </Button>
        <Button size="icon" aria-label={t`Salvar a edição`} disabled={text.trim() === ''} onClick={() => void save()}>
          <Check />
        </Button>
      </div>
    </div>
  )
}

/** Lets the contact see that somebody is typing. */
function useTyping(ticketId: number) {
  const state = useRef({ toldAt: 0, timer: undefined as ReturnType<typeof setTimeout> | undefined })
  const stop = useCallback(() => {
    clearTimeout(state.current.timer)
    if (state.current.toldAt === 0) return
    state.current.toldAt = 0
    emitEvent('typing', { ticketId, state: 'paused' })
  }, [ticketId])
  const go = useCallback(() => {
    const now = Date.now()
    if (now - state.current.toldAt > typingEveryMs && emitEvent('typing', { ticketId, state: 'composing' }))
      state.current.toldAt = now
    clearTimeout(state.current.timer)
    state.current.timer = setTimeout(stop, typingPauseMs)
  }, [ticketId, stop])
  useEffect(() => stop, [stop])
  return { go, stop }
}
