import { type Static, Type } from '@sinclair/typebox'
import { nullable, optionalRowId, patterned, personName, requiring, rowId } from '../inputs.ts'
import { chosenTemplate } from '../templates/templates.inputs.ts'
import { type ShippingState, shippingStates } from './campaigns.state.ts'

const text = nullable(Type.String({ maxLength: 4_000 }))
/** With a zone, or a time on the company's wall as other clients of this family send it. */
export const campaignMoment = patterned({
  maxLength: 40,
  pattern: '^(\\d{4}-\\d{2}-\\d{2}[T ]\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,6})?)?(Z|[+-]\\d{2}:\\d{2})?)?$',
})

/** How often one of the five is drawn, beside the others. */
export const weightBounds = { minimum: 0, maximum: 100 } as const

/** All that people write of a campaign. Its status follows from the date and from what was done with it. */
export const campaignInput = Type.Object({
  name: personName,
  confirmation: Type.Boolean(),
  answersOpenTickets: Type.Boolean({
    description: 'Whether a bare yes or no to the question opens a ticket; whatever else is answered always does',
  }),
  ...{ message1: text, message2: text, message3: text, message4: text, message5: text },
  ...{
    confirmationMessage1: text,
    confirmationMessage2: text,
    confirmationMessage3: text,
    confirmationMessage4: text,
    confirmationMessage5: text,
  },
  weights: Type.Array(Type.Integer(weightBounds), { minItems: 5, maxItems: 5 }),
  whatsappId: optionalRowId,
  contactListId: optionalRowId,
  tagListId: optionalRowId,
  segmentIds: Type.Array(rowId, { maxItems: 10, uniqueItems: true }),
  fileListId: optionalRowId,
  ...chosenTemplate,
  replyQueueId: optionalRowId,
  bulkGuard: Type.Boolean(),
  scheduledAt: nullable(campaignMoment),
})
export type CampaignInput = Static<typeof campaignInput>

/** Other clients send empty texts for what is not chosen. */
const chosen = Type.Union([rowId, Type.Null(), Type.Literal('')])
const posted = Type.Object({
  ...campaignInput.properties,
  whatsappId: chosen,
  contactListId: chosen,
  tagListId: chosen,
  fileListId: chosen,
  templateId: chosen,
  replyQueueId: chosen,
})
export const newCampaign = requiring(posted, ['name'])
export const changedCampaign = requiring(posted, [])
/** The fields that are texts: what of a cancelled campaign may still be written. */
export const textFields = [
  'message1',
  'message2',
  'message3',
  'message4',
  'message5',
  'confirmationMessage1',
  'confirmationMessage2',
  'confirmationMessage3',
  'confirmationMessage4',
  'confirmationMessage5',
] as const

/** Which people of a campaign, in an address. */
export const recipientsQuery = Type.Object({
  state: Type.Optional(Type.Unsafe<ShippingState>(Type.Union(shippingStates.map((state) => Type.Literal(state))))),
  reason: Type.Optional(Type.String({ maxLength: 100 })),
})
