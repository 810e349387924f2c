import { Trans, useLingui } from '@lingui/react/macro'
import { EmojiPicker as Picker } from 'frimousse'
import { Search } from 'lucide-react'
import { cn } from '../ui/cn.ts'
import { Spinner } from '../ui/spinner.tsx'
import { resolveEmojiData } from './messages.emoji-data.ts'

/** All emoji, found by name in the person's language. 16 on a line, fewer where a finger must hit them. */
export default function EmojiPicker({ columns, onPick }: { columns: number; onPick: (emoji: string) => void }) {
  const { t, i18n } = useLingui()
  return (
    <Picker.Root
      locale={i18n.locale}
      columns={columns}
      resolveEmojiData={resolveEmojiData}
      onEmojiSelect={({ emoji }) => onPick(emoji)}
      className="flex h-80 w-fit flex-col"
    >
      <div className="flex items-center gap-2 border-b px-3">
        <Search aria-hidden="true" className="size-4 shrink-0 text-muted-foreground" />
        <Picker.Search
          autoFocus
          aria-label={t`Buscar emoji`}
          placeholder={t`Buscar emoji`}
          className="h-10 w-full bg-transparent text-base outline-none sm:text-sm"
        />
      </div>
      <Picker.Viewport className="relative min-h-0 flex-1 outline-none">
        <Picker.Loading className="absolute inset-0 flex items-center justify-center text-muted-foreground">
          <Spinner />
        </Picker.Loading>
        <Picker.Empty className="absolute inset-0 flex items-center justify-center text-sm text-muted-foreground">
          <Trans>Nada encontrado</Trans>
        </Picker.Empty>
        <Picker.List
          className="pb-2 select-none"
          components={{
            CategoryHeader: ({ category, ...props }) => (
              <div {...props} className="bg-popover px-3 pt-2.5 pb-1 text-xs font-medium text-muted-foreground">
                {category.label}
              </div>
            ),
            Row: ({ children, ...props }) => (
              <div {...props} className="px-1.5">
                {children}
              </div>
            ),
            Emoji: ({ emoji, ...props }) => (
              <button
                type="button"
                {...props}
                className={cn(
                  'flex size-8 items-center justify-center rounded-md text-xl leading-none touch:size-10',
                  'data-[active]:bg-accent',
                )}
              >
                {emoji.emoji}
              </button>
            ),
          }}
        />
      </Picker.Viewport>
    </Picker.Root>
  )
}
