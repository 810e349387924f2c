import { expect, test } from 'bun:test'
import { endReason } from './campaigns.report.ts'
import { shippingStates, type ShippingState } from './campaigns.state.ts'

const counts = (some: Partial<Record<ShippingState, number>>) => ({
  ...(Object.fromEntries(shippingStates.map((state) => [state, 0])) as Record<ShippingState, number>),
  ...some,
})

test('why a campaign ended that was not served to the end', () => {
  expect(endReason('FINALIZADA', counts({}))).toBe('no_people')
  expect(endReason('FINALIZADA', counts({ delivered: 3, cancelled: 2 }))).toBe('no_connection')
  expect(endReason('FINALIZADA', counts({ delivered: 3, failed: 1 }))).toBeNull()
  // Who was left out is told one by one.
  expect(endReason('FINALIZADA', counts({ skipped: 4 }))).toBeNull()
  // A person cancelled it, or it has not begun.
  expect(endReason('CANCELADA', counts({ cancelled: 5 }))).toBeNull()
  expect(endReason('PROGRAMADA', counts({}))).toBeNull()
})
