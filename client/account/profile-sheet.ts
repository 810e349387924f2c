import { session } from '../session/session-store.ts'
import { createStore } from '../base/store.ts'

/** Whether the person's profile is open: the menu, the bell and the first steps lead there. */
export const profileSheet = createStore(false)
session.onEnd(() => profileSheet.set(false))
