import { expect, test } from 'bun:test'
import {
  actionOn,
  cloudFailureIn,
  cloudFailureOf,
  cloudFailures,
  cloudWord,
  shownAfter,
} from './whatsapps.cloud-failures.ts'

/** As the facts list them, each with what Balcão does. */
const table: [codes: number[], failure: string, action: string][] = [
  [[0, 190], 'token', 'line'],
  [[3, 10, 200, 250, 299], 'permission', 'line'],
  [[4, 80007, 130429, 133016], 'rate', 'wait'],
  [[131056], 'pair_rate', 'pair'],
  [[131057, 131016, 131000, 2, 1], 'passing', 'doubt'],
  [[368, 131031], 'account_limited', 'refuse'],
  [[130497], 'country', 'refuse'],
  [[131047], 'window_closed', 'refuse'],
  [[131049], 'ecosystem', 'refuse'],
  [[131050], 'stopped_marketing', 'refuse'],
  [[131048], 'spam', 'refuse'],
  [[130472], 'experiment', 'refuse'],
  [[131026], 'unreachable', 'refuse'],
  [[131021, 131008, 131009, 100], 'request', 'refuse'],
  [[131037, 131042, 131045], 'setup', 'refuse'],
  [[131051, 131052, 131053], 'media', 'refuse'],
  [[131059, 131060], 'coexistence', 'refuse'],
  [[131062], 'needs_number', 'refuse'],
  [[132000, 132001, 132005, 132007, 132012, 132015, 132016, 132018, 132068, 132069], 'template', 'refuse'],
  [[133004, 133010, 133015], 'registration', 'line'],
  [[134011], 'terms', 'refuse'],
  [[2593107, 2593108, 2593109], 'history', 'refuse'],
  [[147001, 147005], 'username', 'refuse'],
]

test('every code of the service leads to its named failure, and to what is done about it', () => {
  for (const [codes, failure, action] of table)
    for (const code of codes) {
      expect(`${code} ${cloudFailureOf(code)}`).toBe(`${code} ${failure}`)
      expect(actionOn(cloudFailureOf(code))).toBe(action as never)
    }
})

test('of a code that nobody knows the status decides: what failed at the other end may pass, anything else is refused', () => {
  expect(cloudFailureOf(999_999)).toBe('unknown')
  expect(cloudFailureOf(undefined, 503)).toBe('passing')
  expect(cloudFailureOf(undefined, 401)).toBe('token')
  expect(cloudFailureOf(undefined, 429)).toBe('rate')
})

test('a failure is written down as a word, and read again', () => {
  for (const failure of cloudFailures) expect(cloudFailureIn(cloudWord(failure))?.failure).toBe(failure)
  expect(cloudFailureIn(cloudWord('window_closed', 131047))).toEqual({ failure: 'window_closed', code: 131047 })
  for (const word of ['cloud_nothing', 'cloud_', '463', 'cloud_constructor', ''])
    expect(cloudFailureIn(word)).toBeUndefined()
})

test('that an account was withdrawn is shown as long as the service refuses who has no access, and no longer', () => {
  expect(shownAfter('cloud_withdrawn', 'permission')).toBe('cloud_withdrawn')
  expect(shownAfter('cloud_withdrawn', 'request')).toBe('cloud_withdrawn')
  expect(shownAfter('cloud_withdrawn', 'passing')).toBe('cloud_passing')
  expect(shownAfter('cloud_setup:131042', 'permission')).toBe('cloud_permission')
  expect(shownAfter(null, 'token')).toBe('cloud_token')
})
