import { useLingui } from '@lingui/react/macro'
import { SendHorizontal, Smile } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { newId } from '../../schema/ids.ts'
import { useReplica } from '../app/replica.tsx'
import { session } from '../app/session-store.ts'
import { useViewport } from '../app/use-viewport.ts'
import { perform } from '../tickets/perform.ts'
import { Button } from '../ui/button.tsx'
import { Popover, PopoverContent, PopoverTrigger } from '../ui/popover.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { Textarea } from '../ui/textarea.tsx'
import { Tooltip } from '../ui/tooltip.tsx'

const EmojiPicker = lazy(() => import('../messages/emoji-picker.tsx'))

/** What the server takes at most. */
const longest = 10_000

/** What was begun in each chat, for coming back to it in this tab. */
const begun = new Map<number, string>()
session.onEnd(() => begun.clear())

/** Where one writes to colleagues. For one chat in its life. */
export function ChatComposer({ chatId }: { chatId: number }) {
  const { t } = useLingui()
  const replica = useReplica()
  const narrow = useViewport() === 'narrow'
  const [text, setText] = useState(() => begun.get(chatId) ?? '')
  const [emojiOpen, setEmojiOpen] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    begun.set(chatId, text)
  }, [chatId, text])
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
  const insert = (added: string) => {
    const element = field.current
    const at = element?.selectionStart ?? text.length
    const end = element?.selectionEnd ?? at
    setText(text.slice(0, at) + added + text.slice(end))
    requestAnimationFrame(() => element?.setSelectionRange(at + added.length, at + added.length))
  }
  return (
    <div className="flex items-end gap-1 border-t bg-card px-2 pt-2 pb-[max(0.5rem,env(safe-area-inset-bottom))] sm:px-3">
      <Popover open={emojiOpen} onOpenChange={setEmojiOpen}>
        <Tooltip content={t`Emoji`}>
          <PopoverTrigger asChild>
            <Button variant="ghost" size="icon" aria-label={t`Emoji`} className="text-muted-foreground max-sm:hidden">
              <Smile />
            </Button>
          </PopoverTrigger>
        </Tooltip>
        <PopoverContent
          side="top"
          align="start"
          className="w-auto p-0"
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            field.current?.focus()
          }}
        >
          <Suspense
            fallback={
              <div className="flex h-80 w-72 items-center justify-center text-muted-foreground">
                <Spinner />
              </div>
            }
          >
            <EmojiPicker columns={narrow ? 8 : 16} onPick={insert} />
          </Suspense>
        </PopoverContent>
      </Popover>
      <Textarea
        ref={field}
        maxRows={5}
        maxLength={longest}
        value={text}
        aria-label={t`Mensagem`}
        placeholder={t`Escreva uma mensagem`}
        enterKeyHint="send"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing || event.key !== 'Enter' || event.shiftKey) return
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
