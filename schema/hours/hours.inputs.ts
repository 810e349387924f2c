import { Type } from '@sinclair/typebox'
import { patterned } from '../inputs.ts'
import { weekdays } from './hours.open.ts'

/** `HH:MM`, or empty for a day without a limit. */
export const clockTime = patterned({ maxLength: 5, pattern: '^(([01][0-9]|2[0-3]):[0-5][0-9])?$' })

/** Business hours, an entry for each day. */
export const weekHours = Type.Array(
  Type.Object({
    weekday: Type.String({ maxLength: 30 }),
    weekdayEn: Type.Union(weekdays.map((day) => Type.Literal(day))),
    startTime: clockTime,
    endTime: clockTime,
  }),
  { maxItems: 7 },
)
