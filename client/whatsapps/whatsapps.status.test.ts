import { expect, test } from 'bun:test'
import { connectionStatuses } from '../../schema/whatsapps/whatsapps.table.ts'
import { needsAttention, sessionControls } from './whatsapps.status.ts'

test('each status offers at least one button, and only a connected session needs no attention', () => {
  for (const status of connectionStatuses) expect(sessionControls[status].length).toBeGreaterThan(0)
  expect(connectionStatuses.filter((status) => !needsAttention(status))).toEqual(['CONNECTED'])
})
