import { Type } from '@sinclair/typebox'

export const settingParams = Type.Object({ key: Type.String({ maxLength: 64 }) })
/** What values a key takes, `settings.keys.ts` says. */
export const settingInput = Type.Object({ value: Type.String({ maxLength: 2_000 }) })
