import { expect, test } from 'bun:test'
import { offersOf } from '../../schema/whatsapps/whatsapps.providers.ts'
import { connectionStatuses } from '../../schema/whatsapps/whatsapps.table.ts'
import { needsAttention, sessionControls } from './whatsapps.status.ts'

test('each status offers at least one button, and only a connected session needs no attention', () => {
  for (const pair of [true, false])
    for (const status of connectionStatuses) expect(sessionControls(status, { pair }).length).toBeGreaterThan(0)
  expect(connectionStatuses.filter((status) => !needsAttention(status))).toEqual(['CONNECTED'])
})

test('no code to read is offered where no phone links the connection', () => {
  const nobodys = offersOf('telepathy')
  const offered = connectionStatuses.flatMap((status) => sessionControls(status, nobodys))
  expect(offered).not.toContain('qr')
  expect(offered).not.toContain('newQr')
  expect(sessionControls('PENDING', nobodys)).toEqual(['start'])
})
