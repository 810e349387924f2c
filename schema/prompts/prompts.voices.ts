/** Where a prompt's language model is unless it says otherwise, and which one. */
export const DEFAULT_BASE_URL = 'https://api.openai.com/v1'
export const DEFAULT_MODEL = 'gpt-6-luna'
/** What a form suggests for voice notes; a prompt that names none does not understand them. */
export const SUGGESTED_TRANSCRIPTION_MODEL = 'gpt-transcribe'

/** `voice` of a prompt that answers in writing. */
export const NO_VOICE = 'texto'

/** Azure's neural voices of Brazilian Portuguese, by the names that people know them by. */
export const azureVoiceNames = [
  ...['Francisca', 'Antonio', 'Brenda', 'Donato', 'Elza', 'Fabio', 'Giovanna', 'Humberto'],
  ...['Julio', 'Leila', 'Leticia', 'Manuela', 'Nicolau', 'Thalita', 'Valerio', 'Yara'],
] as const
export const azureVoices = azureVoiceNames.map((name) => `pt-BR-${name}Neural` as const)

/** Voices that services with OpenAI's interface have. */
export const serviceVoices = ['alloy', 'ash', 'coral', 'echo', 'nova', 'onyx', 'sage', 'shimmer'] as const

export const voices: readonly string[] = [NO_VOICE, ...azureVoices, ...serviceVoices]
export const isAzureVoice = (voice: string): boolean => (azureVoices as readonly string[]).includes(voice)
