import { type Static, Type } from '@sinclair/typebox'
import { patterned, requiring, rowId } from '../inputs.ts'
import { voices } from './prompts.voices.ts'

/** A key of a service, or the mask of the one that is kept. */
const key = { maxLength: 400, pattern: '^([!-~]*|•{8})$' }
/** Names of models, as services write them. */
const modelName = patterned({ maxLength: 100, pattern: '^[\\w./:@+-]*$' })

/** All that people write of a prompt. */
export const promptInput = Type.Object({
  name: patterned({ minLength: 5, maxLength: 100, pattern: '\\S' }),
  prompt: patterned({ minLength: 50, maxLength: 20_000, pattern: '\\S' }),
  apiKey: patterned({ minLength: 1, ...key }),
  /** Where the service is, as far as `/v1`; empty: OpenAI's own. */
  baseUrl: patterned({ maxLength: 500, pattern: '^(https?://\\S+)?$' }),
  /** Empty: the default one. */
  model: modelName,
  /** Makes text of voice notes; empty: they are not understood. */
  transcriptionModel: modelName,
  voice: Type.Union(voices.map((voice) => Type.Literal(voice))),
  /** Azure's; empty: none. */
  voiceKey: patterned(key),
  voiceRegion: patterned({ maxLength: 40, pattern: '^[a-z0-9]*$' }),
  maxTokens: Type.Integer({ minimum: 1, maximum: 4_096 }),
  temperature: Type.Number({ minimum: 0, maximum: 2 }),
  maxMessages: Type.Integer({ minimum: 1, maximum: 50 }),
  queueId: rowId,
})
export type PromptInput = Static<typeof promptInput>

export const newPrompt = requiring(promptInput, ['name', 'prompt', 'apiKey', 'queueId'])
export const changedPrompt = requiring(promptInput, [])

/** What somebody writes to try a bot. */
export const tryInput = Type.Object({
  text: patterned({ minLength: 1, maxLength: 2_000, pattern: '\\S' }),
  /** What was said before, oldest first. */
  history: Type.Optional(
    Type.Array(
      Type.Object({
        from: Type.Union([Type.Literal('contact'), Type.Literal('us')]),
        text: Type.String({ maxLength: 4_096 }),
      }),
      { maxItems: 50 },
    ),
  ),
})
