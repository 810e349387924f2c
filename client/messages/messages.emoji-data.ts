import type { EmojiPickerRootProps } from 'frimousse'

type Resolver = NonNullable<EmojiPickerRootProps['resolveEmojiData']>
type Data = Awaited<ReturnType<Resolver>>

interface SourceEmoji {
  emoji: string
  label: string
  group?: number
  version: number
  tags?: string[]
  skins?: { emoji: string; tone: number | number[] }[]
}
interface SourceMessages {
  groups: { key: string; message: string; order: number }[]
  skinTones: { key: string; message: string }[]
}
type Source = { emojis: SourceEmoji[]; messages: SourceMessages }

/** Newer ones are squares on many phones and desktops of today. */
const newestVersion = 15.1
const tones = ['light', 'medium-light', 'medium', 'medium-dark', 'dark'] as const
/** The Portuguese data calls flags "switches". */
const corrections: Record<string, Record<string, string>> = { pt: { flags: 'bandeiras' } }

// Our own files, a chunk for each language, so that nothing is fetched from elsewhere and all works offline.
const sources: Record<string, () => Promise<Source>> = {
  pt: async () => source(await import('emojibase-data/pt/data.json'), await import('emojibase-data/pt/messages.json')),
  es: async () => source(await import('emojibase-data/es/data.json'), await import('emojibase-data/es/messages.json')),
  en: async () => source(await import('emojibase-data/en/data.json'), await import('emojibase-data/en/messages.json')),
}
const source = (data: { default: unknown }, messages: { default: unknown }): Source => ({
  emojis: data.default as SourceEmoji[],
  messages: messages.default as SourceMessages,
})

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** The emoji of a language as the picker wants them; Portuguese for a language we have none of. */
export const resolveEmojiData: Resolver = async (locale) => {
  const { emojis, messages } = await (sources[locale] ?? sources['pt']!)()
  const groups = messages.groups.filter((group) => group.key !== 'component')
  const shown = new Set(groups.map((group) => group.order))
  return {
    locale,
    emojis: emojis
      .filter((emoji) => emoji.group !== undefined && shown.has(emoji.group) && emoji.version <= newestVersion)
      .map((emoji) => ({
        emoji: emoji.emoji,
        category: emoji.group!,
        label: capital(emoji.label),
        version: emoji.version,
        tags: emoji.tags ?? [],
        skins: skinsOf(emoji),
      })),
    categories: groups.map((group) => ({
      index: group.order,
      label: capital(corrections[locale]?.[group.key] ?? group.message),
    })),
    skinTones: Object.fromEntries(
      messages.skinTones.map((tone) => [tone.key, capital(tone.message)]),
    ) as Data['skinTones'],
  }
}

function skinsOf(emoji: SourceEmoji): Data['emojis'][number]['skins'] {
  const found = (emoji.skins ?? []).filter((skin) => typeof skin.tone === 'number')
  if (found.length !== tones.length) return undefined
  return Object.fromEntries(
    found.map((skin) => [tones[(skin.tone as number) - 1], skin.emoji]),
  ) as Data['emojis'][number]['skins']
}
