import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { SignalPeer } from '../../tests/fakes/whatsapp/peer.ts'
import { Curve, mediaUrl, trustLoopback, withMediaHosts } from './baileys.ts'

test('a signature that is well formed and false is refused', () => {
  const pair = Curve.generateKeyPair()
  const words = Buffer.from('words')
  const signature = Curve.sign(pair.private, words)
  expect(Curve.verify(pair.public, words, signature)).toBe(true)
  expect(Curve.verify(pair.public, Buffer.from('other'), signature)).toBe(false)
  expect(Curve.verify(Curve.generateKeyPair().public, words, signature)).toBe(false)
  expect(Curve.verify(pair.public, words, Buffer.alloc(3))).toBe(false)
})

test('messages of an earlier session that arrive late do not spoil the one that was begun since', async () => {
  const [ours, theirs] = [new SignalPeer(), new SignalPeer()]
  const [us, them] = ['551100@s.whatsapp.net', '552200@s.whatsapp.net']
  const said = async (from: SignalPeer, text: string) => from.encrypt(from === ours ? them : us, { conversation: text })
  const heard = async (by: SignalPeer, { type, ciphertext }: Awaited<ReturnType<typeof said>>) =>
    (await by.decrypt(by === ours ? them : us, type, ciphertext)).conversation
  await theirs.openSession(us, await ours.bundle())
  expect(await heard(ours, await said(theirs, 'hello'))).toBe('hello')
  expect(await heard(theirs, await said(ours, 'good morning'))).toBe('good morning')

  // Their phone asks for a new session, as after a reinstallation, while we still speak in the old one.
  const late = [await said(ours, 'one'), await said(ours, 'two')]
  await theirs.openSession(us, await ours.bundle())
  const first = await said(theirs, 'in the new one')
  expect(await heard(theirs, late[0]!)).toBe('one')
  expect(await heard(ours, first)).toBe('in the new one')
  expect(await heard(theirs, late[1]!)).toBe('two')
  expect(await heard(ours, await said(theirs, 'and again'))).toBe('and again')
  expect(await heard(theirs, await said(ours, 'answered'))).toBe('answered')
  expect(await heard(ours, await said(theirs, 'goodbye'))).toBe('goodbye')
})

test('files come from WhatsApp’s hosts, whatever host a message names', () => {
  expect(mediaUrl(new URL('https://mmg.whatsapp.net/v/x'), null).host).toBe('mmg.whatsapp.net')
  expect(mediaUrl(new URL('https://media-gru1-1.cdn.whatsapp.net/v/x'), null).host).toBe(
    'media-gru1-1.cdn.whatsapp.net',
  )
  for (const bad of [
    'http://mmg.whatsapp.net/v',
    'https://169.254.169.254/v',
    'https://whatsapp.net.evil.example/v',
    'https://evilwhatsapp.net/v',
  ]) {
    expect(() => mediaUrl(new URL(bad), null)).toThrow('refused')
  }
})

test('beside a simulated service, files come from it alone, in the clear', () => {
  expect(String(mediaUrl(new URL('https://127.0.0.1:4900/v/x'), '127.0.0.1:4900'))).toBe('http://127.0.0.1:4900/v/x')
  expect(String(mediaUrl(new URL('https://mmg.whatsapp.net/v/x'), '127.0.0.1:4900'))).toBe('http://127.0.0.1:4900/v/x')
  expect(() => mediaUrl(new URL('https://example.com/v'), '127.0.0.1:4900')).toThrow('refused')
})

test('a request for a file that leads elsewhere never leaves', async () => {
  await expect(withMediaHosts(() => fetch('https://example.com/x'))).rejects.toThrow('refused')
})

test('nor is one followed that whoever answers sends elsewhere', async () => {
  const child = Bun.spawn(
    [
      process.execPath,
      '-e',
      `const { trustLoopback, withMediaHosts } = await import(${JSON.stringify(join(import.meta.dir, 'baileys.ts'))})
      const inside = Bun.serve({ port: 0, fetch: () => new Response('the operator’s own') })
      const cdn = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => Response.redirect(String(inside.url)) })
      trustLoopback('ws://127.0.0.1:' + cdn.port, Buffer.alloc(32))
      const file = await withMediaHosts(() => fetch(cdn.url)).then((answer) => answer.text(), () => 'refused')
      console.log(file)
      process.exit()`,
    ],
    { stdout: 'pipe' },
  )
  expect((await new Response(child.stdout).text()).trim()).toBe('refused')
})

test('a foreign root is trusted on this machine only', () => {
  expect(() => trustLoopback('ws://example.com/ws/chat', Buffer.alloc(32))).toThrow('on this machine')
  expect(() => trustLoopback('ws://127.0.0.1:1/ws/chat', Buffer.alloc(3))).toThrow('32 bytes')
})

test('session records never reach the console', async () => {
  const script = `
    await import(${JSON.stringify(join(import.meta.dir, 'baileys.mute.ts'))})
    console.info('Closing session:', 'secret one')
    console.warn('whatever it says', { currentRatchet: { rootKey: 'secret two' } })
    console.error('a plain line')`
  const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe', stderr: 'pipe' })
  const printed = (await new Response(child.stdout).text()) + (await new Response(child.stderr).text())
  expect(printed).toContain('a plain line')
  expect(printed).not.toContain('secret')
})

test('an error that Baileys leaves to nobody does not end the process; anybody else’s does', async () => {
  const run = async (rejection: string) => {
    const script = `
      const { surviveBaileys } = await import(${JSON.stringify(join(import.meta.dir, 'baileys.ts'))})
      surviveBaileys(() => console.log('told'))
      Promise.reject(Object.assign(new Error('x'), ${rejection}))
      setTimeout(() => { console.log('alive'); process.exit(0) }, 50)`
    const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe', stderr: 'ignore' })
    return { printed: await new Response(child.stdout).text(), code: await child.exited }
  }
  expect(await run('{ isBoom: true }')).toEqual({ printed: 'told\nalive\n', code: 0 })
  const other = await run('{}')
  expect(other.printed).not.toContain('alive')
  expect(other.code).not.toBe(0)
})
