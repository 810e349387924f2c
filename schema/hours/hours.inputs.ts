import { Type } from '@sinclair/typebox'
import { patterned } from '../inputs.ts'
import { weekdays } from './hours.open.ts'

/** `HH:MM`, or empty for a day without a limit. */
export const clockTime = patterned({ maxLength: 5, pattern: '^(([01][0-9]|2[0-3]):[0-5][0-9])?$' })

/** Business hours: a day may have several entries, such as before and after lunch. */
export const weekHours = Type.Array(
  Type.Object({
    weekday: Type.String({ maxLength: 30 }),
    weekdayEn: Type.Union(weekdays.map((day) => Type.Literal(day))),
    startTime: clockTime,
    endTime: clockTime,
  }),
  { maxItems: 28 },
)

/** Days on which nobody is there. */
export const holidayList = Type.Array(
  Type.Object({
    date: patterned({ maxLength: 10, pattern: '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$' }),
    name: patterned({ minLength: 1, maxLength: 60, pattern: '\\S' }),
  }),
  { maxItems: 100 },
)
