import { Type } from '@sinclair/typebox'
import { flowNodeInput, MOST_NODES } from '../flows/flows.inputs.ts'
import { messageBody, moment, nullable, rowId } from '../inputs.ts'

/** "Would we be open then?" */
export const hoursQuestion = Type.Object({
  at: Type.Optional(moment),
  queueId: Type.Optional(nullable(rowId)),
  whatsappId: Type.Optional(nullable(rowId)),
})

/** "What would be answered to this?" */
export const previewQuestion = Type.Object({
  whatsappId: rowId,
  body: messageBody,
  contactId: Type.Optional(nullable(rowId)),
  at: Type.Optional(moment),
  /** A drawing that nobody has published, to be taken for the version of this flow that contacts meet. */
  flow: Type.Optional(Type.Object({ id: rowId, nodes: Type.Array(flowNodeInput, { maxItems: MOST_NODES }) })),
})
