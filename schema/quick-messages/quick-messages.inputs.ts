import { type Static, Type } from '@sinclair/typebox'
import { messageBody, patterned, requiring } from '../inputs.ts'
import { quickMessageWire } from '../wire.ts'

/** All that people write of a quick message. */
export const quickMessageInput = Type.Object({
  /** Typed after a `/`, which is not part of it; at least one other character. */
  shortcode: patterned({ minLength: 1, maxLength: 60, pattern: '[^\\s/]' }),
  message: messageBody,
  /** Everybody in the company may use it. */
  isGeneral: Type.Boolean(),
  /** False: kept, but not offered in conversations. */
  status: Type.Boolean(),
})
export type QuickMessageInput = Static<typeof quickMessageInput>

/** As the wire spells it. */
export const newQuickMessage = Type.Object(
  quickMessageWire.write(requiring(quickMessageInput, ['shortcode', 'message']).properties),
)
export const changedQuickMessage = Type.Object(quickMessageWire.write(requiring(quickMessageInput, []).properties))
