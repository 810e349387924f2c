import { type Static, Type } from '@sinclair/typebox'
import { patterned, requiring } from '../inputs.ts'

const shared = {
  title: patterned({ minLength: 1, maxLength: 120, pattern: '\\S' }),
  description: Type.String({ maxLength: 2_000 }),
}

/** All that people write of a help. Nothing but a code ever gets into a player's address. */
export const helpInput = Type.Object({
  ...shared,
  video: patterned({
    minLength: 11,
    maxLength: 11,
    pattern: '^[A-Za-z0-9_-]+$',
    description: 'The code of a YouTube film',
  }),
})
export type HelpInput = Static<typeof helpInput>

/** The same in a form, where people paste addresses; `videoCode` reads them. */
export const helpForm = Type.Object({ ...shared, video: patterned({ minLength: 1, maxLength: 300, pattern: '\\S' }) })

export const newHelp = requiring(helpInput, ['title', 'video'])
export const changedHelp = requiring(helpInput, [])
