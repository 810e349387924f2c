import { useLingui } from '@lingui/react/macro'
import { Mic, SendHorizontal } from 'lucide-react'
import { useDeferredValue, useImperativeHandle, useRef } from 'react'
import type { ClipboardEvent, KeyboardEvent, Ref } from 'react'
import { DomainError } from '../../schema/errors.ts'
import { useUser } from '../session/session.tsx'
import { focusQuietly } from '../base/by-finger.ts'
import { toastError } from '../session/failure.tsx'
import { wantRow } from '../tickets/tickets.row-focus.ts'
import { Button } from '../ui/button.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { withInserted } from '../ui/insert-text.ts'
import { Textarea } from '../ui/textarea.tsx'
import { loadMedia } from '../kit/media.ts'
import type { MacroRow } from '../macros/macros.rows.ts'
import { wantedMacro } from '../macros/macros.wanted.ts'
import { isComposing } from '../base/is-composing.ts'
import type { QuickReply } from './messages.quick-replies.ts'
import { useQuickReplies } from './messages.quick-reply-list.tsx'
import { useTicketDraft } from './messages.use-draft.ts'
import { useTyping } from './messages.use-typing.ts'

export interface WritingHandle {
  focus: () => void
  /** Goes to the button that records, which brings up no keyboard. */
  focusRecord: () => void
  /** In the place of what is selected. */
  insert: (text: string) => void
}

/** The field and the button that sends. Give it the ticket's id as key. */
export function Writing({
  ticketId,
  replying,
  narrow,
  starting,
  fill,
  preview,
  onSend,
  onFiles,
  onRecord,
  onReplyDone,
  ref,
}: {
  ticketId: number
  replying: boolean
  narrow: boolean
  /** The microphone is being asked for. */
  starting: boolean
  fill: (text: string) => string | null
  preview: (text: string) => string
  /** Answers whether the message was taken. */
  onSend: (text: string) => Promise<boolean>
  onFiles: (files: readonly File[], caption?: string) => void
  onRecord: () => void
  onReplyDone: () => void
  ref: Ref<WritingHandle>
}) {
  const { t } = useLingui()
  const user = useUser()
  const [text, setText, handOver] = useTicketDraft(ticketId)
  const field = useRef<HTMLTextAreaElement>(null)
  const record = useRef<HTMLButtonElement>(null)
  const sendTyping = useTyping(ticketId)

  const takeQuickReply = async (reply: QuickReply) => {
    const message = fill(reply.message)
    if (message === null) return toastError(new DomainError('ERR_TEXT_LONG'))
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
      toastError(error)
    }
  }
  const takeMacro = ({ id: macroId }: MacroRow) => {
    setText('')
    wantedMacro.set({ ticketId, macroId })
  }
  const quick = useQuickReplies(text, preview, (reply) => void takeQuickReply(reply), takeMacro)
  const insert = (added: string) => setText(withInserted(field.current, text, added))
  useImperativeHandle(ref, () => ({
    focus: () => field.current?.focus(),
    focusRecord: () => focusQuietly(record.current),
    insert,
  }))

  const send = () => {
    if (text.trim() === '') return
    const written = text
    // The bubble is drawn by this very event; everything else comes after it.
    void onSend(written).then((taken) => {
      if (!taken) setText((now) => now || written)
    })
    setText('')
    sendTyping.stop()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent) || quick.onKey(event)) return
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      send()
    } else if (event.key === 'Escape') {
      event.stopPropagation()
      if (replying) onReplyDone()
      else {
        field.current?.blur()
        // The keys of the list and of the conversation are heard again.
        wantRow({ to: 'at', id: ticketId })
      }
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
          if (event.target.value !== '') sendTyping.go()
        }}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        onBlur={handOver}
        {...quick.field}
        className="min-h-8 flex-1 shadow-none touch:min-h-11 touch:py-2.5"
      />
      {empty ? (
        <IconButton ref={record} label={t`Gravar mensagem de voz`} busy={starting} onClick={onRecord}>
          <Mic />
        </IconButton>
      ) : (
        <Button
          size="icon"
          aria-label={t`Enviar`}
          onClick={() => {
            // The button makes room for another one.
            field.current?.focus()
            send()
          }}
        >
          <SendHorizontal />
        </Button>
      )}
    </>
  )
}
