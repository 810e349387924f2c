import { useLingui } from '@lingui/react/macro'
import { Smile } from 'lucide-react'
import { Suspense, useState } from 'react'
import { onDemand } from '../base/late.tsx'
import { useViewport } from '../base/use-viewport.ts'
import { Button } from '../ui/button.tsx'
import { Popover, PopoverContent, PopoverTrigger } from '../ui/popover.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { Tooltip } from '../ui/tooltip.tsx'

const EmojiPicker = onDemand(() => import('./messages.emoji-picker.tsx'))

/** Before a field: all emoji. Not on phones, whose keyboards have them. */
export function EmojiButton({
  onPick,
  onClosed,
}: {
  onPick: (emoji: string) => void
  /** The focus belongs to the field again. */
  onClosed: () => void
}) {
  const { t } = useLingui()
  const narrow = useViewport() === 'narrow'
  const [open, setOpen] = useState(false)
  return (
    <Popover open={open} onOpenChange={setOpen}>
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
        aria-label={t`Emoji`}
        className="w-auto p-0"
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          onClosed()
        }}
      >
        <Suspense
          fallback={
            <div className="flex h-80 w-72 items-center justify-center text-muted-foreground">
              <Spinner />
            </div>
          }
        >
          <EmojiPicker columns={narrow ? 8 : 16} onPick={onPick} />
        </Suspense>
      </PopoverContent>
    </Popover>
  )
}
