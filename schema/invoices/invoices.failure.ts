/**
 * Why a payment service did not do what it was asked.
 * - Nothing was answered: `unreachable`; `timeout`: not in time; `untrusted`: its own certificate is none to trust;
 *   `certificate`: it hung up on ours
 * - `credentials`: the keys are refused; `limit`: too many calls
 * - `refused`: it says no; `broken`: it failed itself; `unreadable`: its answer is none
 */
export const paymentFailures = [
  'unreachable',
  'timeout',
  'untrusted',
  'certificate',
  'credentials',
  'limit',
  'refused',
  'broken',
  'unreadable',
] as const
export type PaymentFailure = (typeof paymentFailures)[number]
