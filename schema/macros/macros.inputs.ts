import { type Static, Type } from '@sinclair/typebox'
import { ticketActions } from '../actions/actions.inputs.ts'
import { patterned, requiring, rowId } from '../inputs.ts'
import { undoable } from '../undo.inputs.ts'

/** So many a company has: they all lie in its people's browsers. */
export const mostMacros = 300

export const macroName = patterned({ minLength: 1, maxLength: 60, pattern: '\\S' })
/** Typed after a `/`, which is not part of it. */
export const macroShortcut = patterned({ maxLength: 40, pattern: '^[^\\s/]*$' })

/** All that people write of a macro. */
export const macroInput = Type.Object({
  name: macroName,
  /** Empty for none. */
  shortcut: macroShortcut,
  actions: ticketActions,
  sharing: Type.Union([Type.Literal('own'), Type.Literal('company'), Type.Literal('queues')]),
  /** Where it is shared with queues, at least one. */
  queueIds: Type.Array(rowId, { maxItems: 100, uniqueItems: true }),
})
export type MacroInput = Static<typeof macroInput>

/** What a form asks in words; the rest is chosen. */
export const macroWords = Type.Pick(macroInput, ['name', 'shortcut'])
export const newMacro = requiring(macroInput, ['name', 'actions'])
export const changedMacro = requiring(macroInput, [])

/** What is said to run one. */
export const runInput = Type.Object(
  {
    macroId: rowId,
    ticketId: rowId,
    /** As who runs it has seen it; where it does something else meanwhile, it is refused. */
    version: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
    undoable,
  },
  { additionalProperties: false },
)
/** The same where the address says which. */
export const runOne = Type.Omit(runInput, ['macroId'])
