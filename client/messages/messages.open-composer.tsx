import { useLingui } from '@lingui/react/macro'
import { X } from 'lucide-react'
import { useCallback, useEffect, useImperativeHandle, useRef, useState } from 'react'
import type { ReactNode, Ref } from 'react'
import { DomainError } from '../../schema/errors.ts'
import { newId } from '../../schema/ids.ts'
import { hasFinePointer } from '../base/by-finger.ts'
import { toastError } from '../session/failure.tsx'
import { late } from '../base/late.tsx'
import { local } from '../base/local.ts'
import { useReplica } from '../replica/replica.tsx'
import { useUser } from '../session/session.tsx'
import type { TicketRow } from '../tickets/tickets.rows.ts'
import { Button } from '../ui/button.tsx'
import { useNarrow } from '../base/use-narrow.ts'
import { whenUncovered } from '../base/when-uncovered.ts'
import { toast } from '../ui/toaster.tsx'
import { AttachmentsDialog, type Attachment } from './messages.attachments-dialog.tsx'
import { Quote } from './messages.bubble.tsx'
import type { ComposerHandle } from './messages.composer.tsx'
import { fileSize } from '../kit/file-size.ts'
import { usePlaceholders } from '../placeholders/placeholders.values.ts'
import type { MessageRow } from './messages.rows.ts'
import { sendMessage } from './messages.sending.ts'
import { signed } from '../kit/signature.ts'
import type { Shared } from './messages.share-menu.tsx'
import { TemplateDialog, useHasTemplates } from './messages.template-button.tsx'
import { Tools } from './messages.tools.tsx'
import { VoiceBar } from './messages.voice-bar.tsx'
import type { Recording } from './messages.voice-recorder.ts'
import { Writing, type WritingHandle } from './messages.writing.tsx'

const ShareDialog = late(() => import('./messages.share-dialog.tsx'))

const signKey = 'balcao.sign-messages'

/** The tools and a field that is worth writing in stand side by side from this width on, px. */
const roomForTools = 600

/** What the server takes at most unless its operator says otherwise. */
const largestFile = 100_000_000

/** Stays when another ticket is opened; what is being written is the ticket's own. */
export function OpenComposer({
  ticket,
  above,
  reply,
  replyAuthor,
  onReplyDone,
  onReplyAgain,
  ref,
}: {
  ticket: TicketRow
  /** What is said over the field. */
  above: ReactNode
  reply: MessageRow | null
  replyAuthor: string | null
  onReplyDone: () => void
  onReplyAgain: (reply: MessageRow) => void
  ref?: Ref<ComposerHandle> | undefined
}) {
  const { t, i18n } = useLingui()
  const replica = useReplica()
  const user = useUser()
  const ticketId = ticket.id
  const { fill, preview, variables } = usePlaceholders(ticket)
  const [sign, setSign] = useState(() => local.get(signKey) !== 'off')
  const [attachments, setAttachments] = useState<readonly Attachment[]>([])
  const [recording, setRecording] = useState<Recording | 'starting' | null>(null)
  const [sharing, setSharing] = useState<Shared | null>(null)
  const field = useRef<WritingHandle>(null)
  const composer = useRef<HTMLDivElement>(null)
  const narrow = useNarrow(composer, roomForTools)
  const openTicket = useRef(ticketId)
  const [shownFor, setShownFor] = useState(ticketId)
  if (shownFor !== ticketId) {
    setShownFor(ticketId)
    setAttachments([])
    setRecording(null)
    setSharing(null)
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
  // Whoever opens or accepts a conversation means to answer. A finger would only bring up a keyboard.
  useEffect(() => (hasFinePointer() ? whenUncovered(focus) : undefined), [ticketId, focus])
  useEffect(() => {
    if (reply) focus()
  }, [reply, focus])

  const hasTemplates = useHasTemplates(ticket)
  const [choosing, setChoosing] = useState(false)
  const template = hasTemplates ? () => setChoosing(true) : null

  const quotedMsgId = reply?.id ?? null
  const tooLong = () => toastError(new DomainError('ERR_TEXT_LONG'))
  /** What is refused on the spot, which a toast has said, is not lost: neither the quote nor the files. */
  const unlessTaken = async (sending: Promise<boolean>, quoted = true, files: readonly Attachment[] = []) => {
    const taken = await sending
    if (taken || openTicket.current !== ticketId) return taken
    if (reply && quoted) onReplyAgain(reply)
    if (files.length > 0) setAttachments((now) => [...now, ...files])
    return taken
  }
  const sendText = (text: string) => {
    const filled = fill(text)
    if (filled === null) {
      tooLong()
      return Promise.resolve(false)
    }
    const sent = sendMessage(replica, {
      id: newId(),
      ticketId,
      body: signed(filled.trim(), user.name, sign),
      quotedMsgId,
    })
    onReplyDone()
    return unlessTaken(sent)
  }
  const sendFile = (file: File, caption: string, voice: boolean, quote: boolean) =>
    sendMessage(
      replica,
      {
        id: newId(),
        ticketId,
        body: signed(caption.trim(), user.name, sign),
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
    const list = attachments.flatMap((attachment) => {
      const filled = fill(attachment.caption)
      return filled === null ? [] : [{ attachment, caption: filled }]
    })
    if (list.length < attachments.length) return tooLong()
    setAttachments([])
    onReplyDone()
    if (hasFinePointer()) whenUncovered(focus)
    // One after the other, so that they arrive in the order in which they were chosen.
    for (const [index, { attachment, caption }] of list.entries())
      await unlessTaken(sendFile(attachment.file, caption, false, index === 0), index === 0, [attachment])
  }
  const record = async () => {
    setRecording('starting')
    try {
      const { startRecording } = await import('./messages.voice-recorder.ts')
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
    <div
      ref={composer}
      className="relative border-t bg-card px-2 pt-2 pb-[max(0.5rem,env(safe-area-inset-bottom))] sm:px-3"
    >
      {above}
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
            void unlessTaken(sendFile(file, '', true, true), true, [{ id: newId(), file, caption: '' }])
            onReplyDone()
          }}
          onDone={() => {
            setRecording(null)
            // A finger would only bring up a keyboard.
            requestAnimationFrame(() => (hasFinePointer() ? focus() : field.current?.focusRecord()))
          }}
        />
      ) : (
        <div className="flex items-end gap-1">
          <Tools
            narrow={narrow}
            template={template}
            variables={variables}
            sign={sign}
            onSign={toggleSign}
            onInsert={insert}
            onFiles={addFiles}
            onShare={setSharing}
            onFocus={focus}
          />
          <Writing
            key={ticketId}
            ref={field}
            ticketId={ticketId}
            replying={reply !== null}
            narrow={narrow}
            starting={recording === 'starting'}
            fill={fill}
            preview={preview}
            onSend={sendText}
            onFiles={addFiles}
            onRecord={() => void record()}
            onReplyDone={onReplyDone}
          />
        </div>
      )}
      {choosing && <TemplateDialog ticket={ticket} onClose={() => setChoosing(false)} />}
      {sharing && (
        <ShareDialog
          what={sharing}
          onSend={(shared) => {
            setSharing(null)
            void unlessTaken(sendMessage(replica, { id: newId(), ticketId, body: '', quotedMsgId, ...shared }))
            onReplyDone()
          }}
          onClose={() => setSharing(null)}
        />
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
