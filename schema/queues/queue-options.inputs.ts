import { type Static, Type } from '@sinclair/typebox'
import { longText, patterned, requiring, rowId } from '../inputs.ts'

/** All that people write of an option of a queue's chatbot. */
export const queueOptionInput = Type.Object({
  title: patterned({ minLength: 1, maxLength: 100, pattern: '\\S' }),
  message: longText,
})
export type QueueOptionInput = Static<typeof queueOptionInput>

/** Where it stands. */
const place = {
  queueId: rowId,
  /** Null, or -1 as other clients send it, at the top. */
  parentId: Type.Union([rowId, Type.Literal(-1), Type.Null()]),
  /** Its number among those beside it, which move along; past the last it is the last. */
  option: Type.Integer({ minimum: 0, maximum: 10_000 }),
}

const written = Type.Object({ ...queueOptionInput.properties, ...place })
export const newQueueOption = requiring(written, ['title', 'queueId'])
export const changedQueueOption = requiring(written, [])
