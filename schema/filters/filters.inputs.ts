import { Type } from '@sinclair/typebox'
import { fieldTests } from '../custom-fields/custom-fields.inputs.ts'
import { clientId, patterned, rowId } from '../inputs.ts'

/** What a person calls a view of the ticket list. */
export const filterName = patterned({ minLength: 1, maxLength: 50, pattern: '\\S' })

const ids = Type.Optional(Type.Array(rowId, { maxItems: 100 }))
/** 0 stands for "without a queue". */
const queueIds = Type.Optional(Type.Array(Type.Union([rowId, Type.Literal(0)]), { maxItems: 100 }))

export const savedFilterInput = Type.Object(
  {
    id: clientId,
    name: filterName,
    filter: Type.Object(
      {
        queueIds,
        tagIds: ids,
        userIds: ids,
        whatsappIds: ids,
        unreadOnly: Type.Optional(Type.Boolean()),
        unansweredOnly: Type.Optional(Type.Boolean()),
        text: Type.Optional(Type.String({ maxLength: 200 })),
        fields: Type.Optional(fieldTests),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
)
