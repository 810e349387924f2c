import { Trans, useLingui } from '@lingui/react/macro'
import { EmojiPicker as Picker } from 'frimousse'
import { Search, X } from 'lucide-react'
import { Button } from '../ui/button.tsx'
import { cn } from '../ui/cn.ts'
import { Spinner } from '../ui/spinner.tsx'
import { useRef, useState } from 'react'
import { local } from '../base/local.ts'
import { resolveEmojiData } from './messages.emoji-data.ts'

const recentKey = 'balcao.emoji-recent'
const toneKey = 'balcao.emoji-tone'
/** Two lines on a desktop. */
const mostRecent = 16
const tones = ['none', 'light', 'medium-light', 'medium', 'medium-dark', 'dark'] as const
type Tone = (typeof tones)[number]

const hands: Record<Tone, string> = {
  none: '✋',
  light: '✋🏻',
  'medium-light': '✋🏼',
  medium: '✋🏽',
  'medium-dark': '✋🏾',
  dark: '✋🏿',
}

const recentEmoji = (): string[] => (local.get(recentKey) ?? '').split(' ').filter(Boolean)

/** All emoji, found by name in the person's language. 16 on a line, fewer where a finger must hit them. */
export default function EmojiPicker({ columns, onPick }: { columns: number; onPick: (emoji: string) => void }) {
  const { t, i18n } = useLingui()
  const field = useRef<HTMLInputElement>(null)
  const [search, setSearch] = useState('')
  const [recent] = useState(recentEmoji)
  const [tone, setTone] = useState<Tone>(() => tones.find((one) => one === local.get(toneKey)) ?? 'none')
  const toneNames: Record<Tone, string> = {
    none: t`padrão`,
    light: t`claro`,
    'medium-light': t`médio claro`,
    medium: t`médio`,
    'medium-dark': t`médio escuro`,
    dark: t`escuro`,
  }
  const toneName = toneNames[tone]
  const pick = (emoji: string) => {
    local.set(recentKey, [emoji, ...recentEmoji().filter((one) => one !== emoji)].slice(0, mostRecent).join(' '))
    onPick(emoji)
  }
  return (
    <Picker.Root
      locale={i18n.locale}
      columns={columns}
      resolveEmojiData={resolveEmojiData}
      skinTone={tone}
      onEmojiSelect={({ emoji }) => pick(emoji)}
      className="flex h-80 w-fit flex-col"
    >
      <div className="flex items-center gap-2 border-b px-3">
        <Search aria-hidden="true" className="size-4 shrink-0 text-muted-foreground" />
        <Picker.Search
          ref={field}
          autoFocus
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          aria-label={t`Buscar emoji`}
          placeholder={t`Buscar emoji`}
          className="h-10 w-full min-w-0 bg-transparent text-base outline-none sm:text-sm"
        />
        {search !== '' && (
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label={t`Limpar a busca`}
            onClick={() => {
              setSearch('')
              field.current?.focus()
            }}
            className="text-muted-foreground"
          >
            <X />
          </Button>
        )}
        <button
          type="button"
          aria-label={t`Tom de pele: ${toneName}`}
          onClick={() => {
            const next = tones[(tones.indexOf(tone) + 1) % tones.length]!
            local.set(toneKey, next)
            setTone(next)
          }}
          className="focus-ring flex size-8 shrink-0 items-center justify-center rounded-md text-xl leading-none hover:bg-accent touch:size-11"
        >
          {hands[tone]}
        </button>
      </div>
      {recent.length > 0 && (
        <div
          role="group"
          aria-label={t`Usados há pouco`}
          className="flex shrink-0 gap-0 overflow-x-auto border-b px-1.5 py-1"
        >
          {recent.map((emoji) => (
            <button
              key={emoji}
              type="button"
              aria-label={emoji}
              onClick={() => pick(emoji)}
              className="focus-ring flex size-8 shrink-0 items-center justify-center rounded-md text-xl leading-none hover:bg-accent touch:size-10"
            >
              {emoji}
            </button>
          ))}
        </div>
      )}
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
