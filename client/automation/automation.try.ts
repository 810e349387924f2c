import { createStore } from '../base/store.ts'

/** What is asked in the dialog that tries the automation; null while it is closed. */
export const trying = createStore<'reply' | 'hours' | null>(null)
