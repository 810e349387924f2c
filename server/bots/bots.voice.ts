import { isGood } from '../outside/outside.call.ts'
import { DEFAULT_BASE_URL, isAzureVoice, NO_VOICE } from '../../schema/prompts/prompts.voices.ts'
import { answering, type BotFailure, fail } from './bots.answer.ts'
import { below, type BotDeps, callForBytes, refusalOf } from './bots.call.ts'

/** Who speaks: Azure for its voices, and for all others the prompt's own service. */
export interface VoiceSettings {
  baseUrl: string
  apiKey: string
  voice: string
  /** Azure's key and region. */
  voiceKey: string
  voiceRegion: string
}

const SPEAK_MS = 30_000
/** Characters that both services take, and an audio that no phone needs more of: ten minutes. */
const MOST_SPOKEN = 4_000
/** Whether a voice note can say all of it. */
export const isSpeakable = (text: string): boolean => withoutMarks(text).length <= MOST_SPOKEN
const MOST_SOUND_BYTES = 8_000_000
/** What servers with OpenAI's interface call whatever speaks. */
const SPEECH_MODEL = 'tts-1'

/** The text as a voice note: Opus in Ogg. */
export function speak(
  deps: BotDeps,
  settings: VoiceSettings,
  text: string,
): Promise<{ voice: Uint8Array } | BotFailure> {
  return answering(async () => {
    const { voice } = settings
    if (voice === NO_VOICE) throw fail('final', 'settings', 'no voice is chosen')
    const words = withoutMarks(text)
    if (!isSpeakable(words)) throw fail('final', 'too_large', 'the text is too long for a voice note')
    const reply = isAzureVoice(voice) ? await byAzure(deps, settings, words) : await byService(deps, settings, words)
    if (!isGood(reply)) throw refusalOf(reply)
    if (Buffer.from(reply.bytes.subarray(0, 64)).indexOf('OpusHead') < 0)
      throw fail('final', 'unreadable', `${reply.host} answers no voice note`)
    return { voice: reply.bytes }
  })
}

function byAzure(deps: BotDeps, { voice, voiceKey, voiceRegion }: VoiceSettings, words: string) {
  // The region becomes part of a host's name.
  if (!voiceKey || !/^[a-z0-9]{2,40}$/.test(voiceRegion))
    throw fail('final', 'settings', 'the key or the region of the voice is missing')
  const ssml = `<speak version="1.0" xmlns="http://www.w3.org/2001/10/synthesis" xml:lang="pt-BR"><voice name="${voice}">${escaped(words)}</voice></speak>`
  const base = deps.bases?.azure ?? `https://${voiceRegion}.tts.speech.microsoft.com`
  return callForBytes(deps, `${base}/cognitiveservices/v1`, {
    method: 'POST',
    headers: {
      'ocp-apim-subscription-key': voiceKey,
      'content-type': 'application/ssml+xml',
      'x-microsoft-outputformat': 'ogg-24khz-16bit-mono-opus',
      'user-agent': 'balcao',
    },
    body: ssml,
    timeoutMs: SPEAK_MS,
    maxBytes: MOST_SOUND_BYTES,
  })
}

function byService(deps: BotDeps, { baseUrl, apiKey, voice }: VoiceSettings, words: string) {
  return callForBytes(deps, below(baseUrl || DEFAULT_BASE_URL, '/audio/speech'), {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: SPEECH_MODEL, input: words, voice, response_format: 'opus' }),
    timeoutMs: SPEAK_MS,
    maxBytes: MOST_SOUND_BYTES,
  })
}

/** Text within XML 1.0: what is not allowed there at all is left out. */
export const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[^\t\r\n\P{Cc}]|[\ufffe\uffff]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&apos;')

/** Stars and the like are for the eye. */
const withoutMarks = (text: string): string => text.replace(/[*_~`#]+/g, '').trim()
