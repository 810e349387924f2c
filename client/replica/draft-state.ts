/**
 * One draft between the field and the place where it is kept: the person's other devices for that of a ticket, this
 * machine alone for that of a chat. Pure.
 *
 * What is typed wins over what comes from there until it has been handed over; from then on the last to write has its
 * way. Our own texts come back from there, too, perhaps after the next one was typed: `mine` tells those echoes from
 * news.
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

/** The text goes to where it is kept. The same object: there is nothing to hand over. */
export const handedOver = (state: DraftState): DraftState =>
  state.text === state.handed ? state : { ...state, handed: state.text, mine: [...state.mine, state.text] }

/** The text that went was not taken: what is kept is an older one, which must not come back over it. */
export const notTaken = (state: DraftState, text: string, before: string): DraftState =>
  state.handed === text ? { ...state, handed: before } : state

/** What is kept; '' where nothing is. */
export function received(state: DraftState, body: string): DraftState {
  if (body === state.text) return { text: body, handed: body, mine: [body] }
  if (state.text !== state.handed || state.mine.includes(body)) return state
  return { text: body, handed: body, mine: [body] }
}

/** A text that an ended tab left on this machine: newer than all that was handed over. */
export const recovered = (state: DraftState, text: string): DraftState =>
  text === '' || state.text !== state.handed ? state : { ...state, text }
