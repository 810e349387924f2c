import { Type } from '@sinclair/typebox'
import { chosenTemplate } from '../templates/templates.inputs.ts'
import { clientId, moment, optionalRowId, patterned, requiring, rowId } from '../inputs.ts'

export const scheduleText = patterned({ minLength: 5, maxLength: 65_536, pattern: '\\S' })
/** With a zone, or as other clients of this family send it: a time on the company's wall. */
export const momentOrWallTime = patterned({
  maxLength: 40,
  pattern: '^\\d{4}-\\d{2}-\\d{2}[T ]\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,6})?)?(Z|[+-]\\d{2}:\\d{2})?$',
  description: 'ISO 8601; without a zone it is the company’s',
})

const fields = {
  ...{ contactId: rowId, whatsappId: optionalRowId, bulk: Type.Boolean() },
  /** What a template says is its own: `body` stands in no schedule by one. */
  body: scheduleText,
  ...chosenTemplate,
}
const exact = { additionalProperties: false }

const command = Type.Object({ id: clientId, ...fields, sendAt: moment })
export const newSchedule = Type.Object(requiring(command, ['id', 'contactId', 'sendAt']).properties, exact)
export const changedSchedule = Type.Object(requiring(command, ['id']).properties, exact)

const posted = Type.Object({ ...fields, sendAt: momentOrWallTime })
export const postedSchedule = requiring(posted, ['contactId', 'sendAt'])
export const putSchedule = requiring(posted, [])
