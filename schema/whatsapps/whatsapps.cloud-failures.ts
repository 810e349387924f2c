/**
 * What the official API refuses by which code, and what is done about it. Titles of codes change, so that only their numbers
 * are looked at. Cause and remedy in words stand in `client/kit/cloud-failures.ts`.
 */

/**
 * - `line`: the connection stands still until somebody mends it; what is to be sent waits
 * - `wait`: too fast; the same message is asked for again later
 * - `pair`: too fast to this contact; again after 4 to the power of x seconds
 * - `doubt`: it may have been taken; its state is awaited before one more try
 * - `refuse`: it will not be sent
 */
export type CloudAction = 'line' | 'wait' | 'pair' | 'doubt' | 'refuse'

const actions = {
  token: 'line',
  permission: 'line',
  registration: 'line',
  rate: 'wait',
  pair_rate: 'pair',
  passing: 'doubt',
  account_limited: 'refuse',
  /** The account is gone, or its owner has taken it from this app: nothing goes, and nothing comes. Told by a webhook alone. */
  withdrawn: 'line',
  country: 'refuse',
  window_closed: 'refuse',
  ecosystem: 'refuse',
  stopped_marketing: 'refuse',
  spam: 'refuse',
  experiment: 'refuse',
  unreachable: 'refuse',
  request: 'refuse',
  setup: 'refuse',
  media: 'refuse',
  coexistence: 'refuse',
  needs_number: 'refuse',
  /** The app's secret is not the one of the app whose token it is. */
  secret: 'refuse',
  template: 'refuse',
  terms: 'refuse',
  history: 'refuse',
  username: 'refuse',
  unknown: 'refuse',
  /** Asked for twice, and the service said nothing of it. */
  unanswered: 'refuse',
  /** The contact has no number by which the message could be addressed. */
  no_number: 'refuse',
  /** Larger than the service takes. */
  too_large: 'refuse',
} as const satisfies Record<string, CloudAction>
export type CloudFailure = keyof typeof actions
export const cloudFailures = Object.keys(actions) as CloudFailure[]
export const actionOn = (failure: CloudFailure): CloudAction => actions[failure]

/** What they say is true of all that the number sends, whoever it is to: what goes to many stands still until a person has looked. */
const ofTheNumber = ['spam', 'account_limited', 'withdrawn', 'country', 'setup'] as const satisfies CloudFailure[]
export type NumberFailure = (typeof ofTheNumber)[number]
export const isOfNumber = (failure: CloudFailure): failure is NumberFailure =>
  ofTheNumber.some((one) => one === failure)

/** What the service says to whoever has no access, whatever the reason: that it was withdrawn says more. */
const ofAccess = ['token', 'permission', 'registration', 'request'] as const satisfies CloudFailure[]
/** @param shown what a connection shows, or null @returns what it shows once the service has refused it for `failure` */
export const shownAfter = (shown: string | null, failure: CloudFailure): CloudWord =>
  shown === cloudWord('withdrawn') && ofAccess.some((one) => one === failure)
    ? cloudWord('withdrawn')
    : cloudWord(failure)

/** Refusals of a template that the values of one message may have caused: another message by it may be taken. */
const ofValues: readonly number[] = [132000, 132005, 132012, 132018]
export const isOfValues = (code: number | undefined): boolean => code !== undefined && ofValues.includes(code)

/** What does not become better by asking again: the service keeps it from the contact, or they want none. */
const lasting = ['ecosystem', 'experiment', 'stopped_marketing'] as const satisfies CloudFailure[]
/** The same as words, each with the codes that lead to it. */
export const lastingWords = (): string[] =>
  lasting.flatMap((failure) =>
    (codes[failure] ?? []).flatMap((code) => (typeof code === 'number' ? [cloudWord(failure, code)] : [])),
  )

const codes: Partial<Record<CloudFailure, readonly (number | readonly [number, number])[]>> = {
  token: [0, 190],
  permission: [3, 10, [200, 299]],
  registration: [[133004, 133015]],
  rate: [4, 80007, 130429, 133016],
  pair_rate: [131056],
  passing: [1, 2, 131000, 131016, 131057],
  account_limited: [368, 131031],
  country: [130497],
  window_closed: [131047],
  ecosystem: [131049],
  stopped_marketing: [131050],
  spam: [131048],
  experiment: [130472],
  unreachable: [131026],
  request: [100, 131008, 131009, 131021],
  setup: [131037, 131042, 131045],
  media: [131051, 131052, 131053],
  coexistence: [131059, 131060],
  needs_number: [131062],
  template: [[132000, 132099]],
  terms: [134011],
  history: [[2593107, 2593109]],
  username: [[147001, 147005]],
}

const byCode = (code: number): CloudFailure | undefined =>
  cloudFailures.find((failure) =>
    codes[failure]?.some((one) => (typeof one === 'number' ? one === code : one[0] <= code && code <= one[1])),
  )

/**
 * What a refusal by this code is.
 * @param status of the answer, for codes that nobody knows: what failed at the service's end may pass
 */
export const cloudFailureOf = (code: number | undefined, status = 400): CloudFailure =>
  (code === undefined ? undefined : byCode(code)) ??
  (status === 401 ? 'token' : status === 429 ? 'rate' : status >= 500 ? 'passing' : 'unknown')

/** As `messages.ackError` and `whatsapps.lastError` keep it. */
export const cloudWord = (failure: CloudFailure, code?: number): CloudWord =>
  code === undefined ? `cloud_${failure}` : `cloud_${failure}:${code}`
export type CloudWord = `cloud_${CloudFailure}` | `cloud_${CloudFailure}:${number}`

/** What such a word says; undefined for any other. */
export function cloudFailureIn(word: string): { failure: CloudFailure; code: number | undefined } | undefined {
  const [, failure = '', code] = /^cloud_(\w{1,40})(?::(\d{1,10}))?$/.exec(word) ?? []
  if (!Object.hasOwn(actions, failure)) return undefined
  return { failure: failure as CloudFailure, code: code === undefined ? undefined : Number(code) }
}
