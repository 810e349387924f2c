import { useLingui } from '@lingui/react/macro'
import { SendHorizontal } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { chatText } from '../../schema/chats/chats.inputs.ts'
import { newId } from '../../schema/ids.ts'
import { useReplica } from '../replica/replica.tsx'
import { useDraft } from '../replica/use-draft.ts'
import { useViewport } from '../base/use-viewport.ts'
import { EmojiButton } from '../messages/messages.emoji-button.tsx'
import { perform } from '../session/perform.ts'
import { Button } from '../ui/button.tsx'
import { withInserted } from '../ui/insert-text.ts'
import { Textarea } from '../ui/textarea.tsx'
import { isComposing } from '../base/is-composing.ts'

/** Where one writes to colleagues. For one chat in its life. */
export function ChatComposer({ chatId }: { chatId: number }) {
  const { t } = useLingui()
  const replica = useReplica()
  const narrow = useViewport() === 'narrow'
  const [text, setText] = useDraft({ chatId })
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    // On a phone the keyboard would cover what there is to read.
    if (!narrow) field.current?.focus()
    // Where the screen is narrow when the chat is opened; not when the window changes.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [])

  const send = () => {
    const message = text.trim()
    if (message === '') return
    setText('')
    void perform(replica, 'chats.send', { id: newId(), chatId, message }).then((taken) => {
      // Refused on the spot, which a toast has said: the text is not lost.
      if (!taken) setText((now) => now || message)
    })
  }
  const insert = (added: string) => setText(withInserted(field.current, text, added))
  return (
    <div className="flex items-end gap-1 border-t bg-card px-2 pt-2 pb-[max(0.5rem,env(safe-area-inset-bottom))] sm:px-3">
      <EmojiButton onPick={insert} onClosed={() => field.current?.focus()} />
      <Textarea
        ref={field}
        maxRows={5}
        maxLength={chatText.maxLength}
        value={text}
        aria-label={t`Mensagem`}
        placeholder={t`Escreva uma mensagem`}
        enterKeyHint="send"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (isComposing(event.nativeEvent)) return
          // What is written is left for the conversation's line in the list, from which the others are reached.
          if (event.key === 'Escape') document.querySelector<HTMLElement>('[data-chat][aria-current="true"]')?.focus()
          if (event.key !== 'Enter' || event.shiftKey) return
          event.preventDefault()
          send()
        }}
        className="min-h-8 flex-1 shadow-none touch:min-h-11 touch:py-2.5"
      />
      <Button size="icon" aria-label={t`Enviar`} disabled={text.trim() === ''} onClick={send}>
        <SendHorizontal />
      </Button>
    </div>
  )
}
