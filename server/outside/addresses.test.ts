import { describe, expect, test } from 'bun:test'
import { isAllowed, isNeverAllowed, isPublicAddress, parseAllowed, plainAddress } from './addresses.ts'

describe('an address is outside', () => {
  test('when it is one machine’s on the internet, in IPv4, IPv6, mapped or behind NAT64', () => {
    for (const address of [
      '8.8.8.8',
      '142.250.78.10',
      '203.0.112.1',
      '2607:f8b0:4008:80d::200e',
      '2a00:1450:4001:82a::200a',
      '::ffff:142.250.78.10',
      '64:ff9b::142.250.78.10',
      '64:ff9b::8efa:4e0a',
    ])
      expect([address, isPublicAddress(address)]).toEqual([address, true])
  })

  test('and never when it is this machine, its network or its cloud, however it is written', () => {
    for (const address of [
      ...['0.0.0.0', '0.1.2.3', '10.1.2.3', '100.64.0.1', '127.0.0.1', '127.255.0.1', '169.254.169.254'],
      ...['172.16.0.1', '172.31.255.255', '192.0.0.8', '192.168.1.1', '198.18.0.1', '224.0.0.1', '255.255.255.255'],
      ...['192.0.2.1', '198.51.100.7', '203.0.113.9', '240.0.0.1', '100.100.100.200', '192.0.0.192'],
      ...['::', '::1', '::127.0.0.1', '::10.0.0.1', '::ffff:10.0.0.1', '::ffff:7f00:1', '::ffff:0:10.0.0.1'],
      ...['64:ff9b::10.0.0.1', '64:ff9b::7f00:1', '64:ff9b:1::8.8.8.8', '2002:7f00:1::', '2001::1', '2001:db8::1'],
      ...['fc00::1', 'fd12:3456::1', 'fd00:ec2::254', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1', '100::1'],
      ...['4000::1', '[::1]', 'localhost', '', '8.8.8', '0x7f.1', '2130706433', '0177.0.0.1', '1.2.3.4.5'],
    ])
      expect([address, isPublicAddress(address)]).toEqual([address, false])
  })
})

describe('what the operator admits', () => {
  const list = ['10.0.0.0/8', '192.168.1.7', 'fd12::/16', 'ERP.example.com', '169.254.0.0/16', '0.0.0.0/0'].map(
    parseAllowed,
  )
  test('is a network, an address or a name', () => {
    expect(isAllowed(list.slice(0, 4), 'x', '10.9.8.7')).toBe(true)
    expect(isAllowed(list.slice(0, 4), 'x', '::ffff:10.9.8.7')).toBe(true)
    expect(isAllowed(list.slice(0, 4), 'x', '192.168.1.7')).toBe(true)
    expect(isAllowed(list.slice(0, 4), 'x', '192.168.1.8')).toBe(false)
    expect(isAllowed(list.slice(0, 4), 'x', 'fd12::9')).toBe(true)
    expect(isAllowed(list.slice(0, 4), 'erp.example.com', '172.16.0.1')).toBe(true)
    expect(isAllowed(list.slice(0, 4), 'erp.example.com.br', '172.16.0.1')).toBe(false)
  })
  test('is never a link-local address or one that hands out a cloud’s keys', () => {
    for (const address of ['169.254.169.254', 'fe80::1', '0.0.0.0', '100.100.100.200', 'fd00:ec2::254', '224.0.0.1'])
      expect([address, isNeverAllowed(address), isAllowed(list, 'erp.example.com', address)]).toEqual([
        address,
        true,
        false,
      ])
  })
  test('is told when it is written wrongly', () => {
    for (const entry of ['', '10.0.0.0/33', '1.2.3', 'http://x', 'a b', '-x', '10.0.0.1:80'])
      expect(() => parseAllowed(entry)).toThrow('none of them')
  })
})

test('all addresses of this machine are one place', () => {
  for (const address of ['127.0.0.1', '127.0.0.2', '::1', '::ffff:127.0.0.1'])
    expect(plainAddress(address)).toBe('127.0.0.1')
  expect(plainAddress('::ffff:10.0.0.1')).toBe('10.0.0.1')
})
