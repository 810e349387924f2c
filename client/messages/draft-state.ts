/**
 * One ticket's draft between the field, this machine and the person's other devices. Pure.
 *
 * What is typed wins over what comes from elsewhere until it has been handed over; from then on the last device to
 * write has its way. Our own texts come back from the server, too, perhaps after the next one was typed: `mine` tells
 * those echoes from news.
 */
export interface DraftState {
  text: string
  /** The text that was handed over last, or taken from elsewhere. */
  handed: string
  mine: readonly string[]
}

export const emptyDraft: DraftState = { text: '', handed: '', mine: [''] }

/** Typed, inserted, sent away. */
export const typed = (state: DraftState, text: string): DraftState => (text === state.text ? state : { ...state, text })

/** The text goes to the other devices. The same object: there is nothing to hand over. */
export const handedOver = (state: DraftState): DraftState =>
  state.text === state.handed ? state : { ...state, handed: state.text, mine: [...state.mine, state.text] }

/** What the replica says the draft is; '' where there is none. */
export function heard(state: DraftState, body: string): DraftState {
  if (body === state.text) return { text: body, handed: body, mine: [body] }
  if (state.text !== state.handed || state.mine.includes(body)) return state
  return { text: body, handed: body, mine: [body] }
}

/** A text that an ended tab left on this machine: newer than all that was handed over. */
export const recovered = (state: DraftState, text: string): DraftState =>
  text === '' || state.text !== state.handed ? state : { ...state, text }
