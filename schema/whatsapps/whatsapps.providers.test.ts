import { expect, test } from 'bun:test'
import {
  capabilities,
  type ConnectionKind,
  connectionKinds,
  demandOffer,
  hasWindow,
  isProvider,
  kindOf,
  linkedDevices,
  offersOf,
  officialApis,
  providers,
  providersThat,
} from './whatsapps.providers.ts'

test('both words of this family are the linked device, which can everything but templates', () => {
  for (const provider of ['beta', 'stable']) {
    expect(isProvider(provider)).toBe(true)
    for (const capability of capabilities)
      if (capability === 'templates') expect(() => demandOffer(provider, capability)).toThrow('ERR_CHANNEL_CANNOT')
      else expect(() => demandOffer(provider, capability)).not.toThrow()
  }
})

test('the official API writes, also by templates, reacts, reads and types, and has no phone', () => {
  const can = capabilities.filter((capability) => offersOf('official')[capability])
  expect(can).toEqual(['react', 'read', 'typing', 'templates'])
  expect(providersThat('react')).toEqual(providers)
  expect(providersThat('edit')).toEqual([...linkedDevices])
  expect([...linkedDevices, ...officialApis]).toEqual(providers)
})

test('a connection whose wire nobody knows offers nothing', () => {
  for (const provider of ['telepathy', '', 'constructor'])
    for (const capability of capabilities) {
      expect(offersOf(provider)[capability]).toBe(false)
      expect(() => demandOffer(provider, capability)).toThrow('ERR_CHANNEL_CANNOT')
    }
})

test('where the row is not known yet nothing is hidden: the server says what it refuses', () => {
  for (const provider of [null, undefined]) expect(Object.values(offersOf(provider))).not.toContain(false)
})

test('each kind of connection that can be made is known again by its wire; only the official API has a window', () => {
  for (const [kind, provider] of Object.entries(connectionKinds)) expect(kindOf(provider)).toBe(kind as ConnectionKind)
  expect([kindOf('stable'), kindOf(null), kindOf('telepathy')]).toEqual(['phone', 'phone', null])
  expect(providers.filter(hasWindow)).toEqual([...officialApis])
  expect([hasWindow(null), hasWindow('telepathy')]).toEqual([false, false])
})
