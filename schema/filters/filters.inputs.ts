import { Type } from '@sinclair/typebox'
import { fieldTests } from '../custom-fields/custom-fields.inputs.ts'
import { clientId, hexColor, nullable, patterned, rowId } from '../inputs.ts'
import { sharings } from '../sharing.ts'
import { viewStatuses } from '../tickets/tickets.list.ts'

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
        statuses: Type.Optional(
          Type.Array(Type.Union(viewStatuses.map((status) => Type.Literal(status))), {
            maxItems: 2,
            uniqueItems: true,
          }),
        ),
        mine: Type.Optional(Type.Boolean()),
        order: Type.Optional(Type.Literal('due')),
      },
      { additionalProperties: false },
    ),
    color: Type.Optional(nullable(hexColor)),
    sharing: Type.Optional(Type.Union(sharings.map((sharing) => Type.Literal(sharing)))),
    /** For whose people it is, where it is shared with queues. */
    queueIds: Type.Optional(Type.Array(rowId, { maxItems: 100, uniqueItems: true })),
  },
  { additionalProperties: false },
)

/** So many views stand in one order. */
export const mostViews = 100

export const viewOrderInput = Type.Object(
  { ids: Type.Array(clientId, { minItems: 1, maxItems: mostViews, uniqueItems: true }) },
  { additionalProperties: false },
)
