import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { newId } from '../../schema/ids.ts'
import { adminEmail, adminPassword, type Api, type Stack, startStack, until } from '../support/stack.ts'

/**
 * The operator's worst day: a backup made while contacts write, a machine that is gone, and a new one that goes on with
 * the same phone.
 */
setDefaultTimeout(200_000)

const root = join(import.meta.dir, '..', '..')
const people = Array.from({ length: 3 }, (_, i) => ({ name: `Contact ${i}`, number: `551196000000${i}` }))
let place: string
let stack: Stack
let api: Api & { token: string }
let whatsappId: number

beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'balcao-lost-'))
  stack = await startStack()
  api = await stack.login(adminEmail, adminPassword)
  whatsappId = ((await api('POST', '/whatsapp', { name: 'Main' })) as { id: number }).id
  await stack.pair(api, whatsappId)
  for (const { number, name } of people) await stack.phone.contact(number, name)
})
afterAll(async () => {
  await stack?.stop()
  rmSync(place, { recursive: true, force: true })
})

/** `bun run …` as the operator types it. */
async function run(dataDir: string, ...command: string[]): Promise<{ code: number; text: string }> {
  const child = Bun.spawn([process.execPath, join('server', 'launch.ts'), ...command], {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDir, PORT: '0', MAIL_HOST: '', DATABASE_URL: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { code, text: out + err }
}

test('a backup made under traffic brings the office back on another machine, and the phone stays linked', async () => {
  const written: string[] = []
  let going = true
  const traffic = people.map(async ({ number }) => {
    for (let i = 1; going; i++) {
      written.push(await stack.phone.write(number, `word ${i}`))
      await Bun.sleep(50)
    }
  })
  const pixel = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  await stack.phone.writeFile(people[0]!.number, pixel, { kind: 'image', mimetype: 'image/png' })
  const media = join(stack.dataDir, 'media', 'company1')
  await until(
    'the picture',
    async () => readdirSync(media),
    (files) => files.length > 0,
  )
  await until(
    'some traffic',
    async () => written.length,
    (n) => n > 30,
  )
  const before = written.length

  const folder = join(place, 'backup')
  const made = await run(stack.dataDir, 'backup', folder)
  expect(made).toMatchObject({ code: 0 })
  const proven = await run(stack.dataDir, 'backup:verify', folder)
  expect(proven.text).toContain('is whole')
  const during = written.length
  expect(during).toBeGreaterThan(before)

  // The machine is gone, with what came after the backup.
  going = false
  await Promise.all(traffic)
  await stack.kill()
  const elsewhere = join(place, 'elsewhere')
  const restored = await run(elsewhere, 'restore', folder)
  expect(restored).toMatchObject({ code: 0 })
  expect((await run(elsewhere, 'restore', folder)).text).toContain('is not empty')

  const next = await startStack({ on: { dataDir: elsewhere, fake: stack.fake } })
  try {
    const sql = postgres(next.databaseUrl, { max: 1 })
    const has = async (wids: string[]) =>
      (await sql`SELECT count(DISTINCT wid)::int AS n FROM messages WHERE wid = ANY(${wids})`)[0]?.n as number
    const there = await next.login(adminEmail, adminPassword)
    // No code is scanned: the link comes back by itself.
    await until(
      'the link',
      () => there('GET', `/whatsapp/${whatsappId}`) as Promise<{ status: string }>,
      ({ status }) => status === 'CONNECTED',
      60_000,
    )
    // What was in the database when the backup began is in it again, each once.
    await until(
      'the messages',
      () => has(written.slice(0, before - people.length)),
      (n) => n === before - people.length,
    )
    const [twice] = await sql`SELECT wid FROM messages GROUP BY wid HAVING count(*) > 1`
    expect(twice).toBeUndefined()
    expect(readdirSync(join(elsewhere, 'media', 'company1')).length).toBeGreaterThan(0)

    // Both ways, with people whose ratchets have turned since the backup.
    for (const { number } of people) {
      const wid = await next.phone.write(number, 'are you back?')
      await until(
        'their message',
        () => has([wid]),
        (n) => n === 1,
        60_000,
      )
    }
    const { number } = people[0]!
    const [ticket] = await sql<{ id: number }[]>`
      SELECT t.id FROM tickets t JOIN contacts c ON c.id = t."contactId" WHERE c.number = ${number}`
    await there('POST', '/commands', { id: newId(), name: 'tickets.accept', input: { ticketId: ticket!.id } })
    const body = 'we are back'
    await next.sendUntilAnswered(there.token, {
      id: newId(),
      name: 'messages.send',
      input: { id: newId(), ticketId: ticket!.id, body },
    })
    await until(
      'our answer',
      () => next.phone.lines(number),
      (lines) => lines.some(({ by, text }) => by === 'business' && text.includes(body)),
      60_000,
    )
    await sql.end()
  } finally {
    await next.stop()
  }
})
