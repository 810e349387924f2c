import { session } from './session-store.ts'

/** The forms on screen that hold what was typed and not saved. */
export const unsaved = new Set<symbol>()

/** Whether a reload would lose what was typed somewhere. */
export const hasUnsaved = (): boolean => unsaved.size > 0

// Whoever is signed out is not held back by a question.
session.onEnd(() => unsaved.clear())
