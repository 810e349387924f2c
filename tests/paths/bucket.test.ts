import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newId } from '../../schema/ids.ts'
import postgres from 'postgres'
import { FakeS3 } from '../fakes/s3/s3.ts'
import { adminEmail, adminPassword, type Api, type Stack, startStack, until } from '../support/stack.ts'

/** A whole server whose files lie in a bucket, and a bucket that is away, refuses, is full, or is slow. */
const s3 = new FakeS3()
let stack: Stack
let api: Api & { token: string }
let sql: postgres.Sql
const lia = { number: '5511970000031', name: 'Lia Moura' }
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

beforeAll(async () => {
  const { endpoint = '', accessKeyId, secretAccessKey, region, name } = s3.bucket
  stack = await startStack({
    fast: true,
    env: {
      ...{ S3_BUCKET: name, S3_ENDPOINT: endpoint, S3_REGION: region },
      ...{ S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey, LOG_LEVEL: 'silent' },
    },
  })
  sql = postgres(stack.databaseUrl, { max: 2, onnotice: () => undefined })
  api = await stack.login(adminEmail, adminPassword)
  const { id } = (await api('POST', '/whatsapp', { name: 'Main' })) as { id: number }
  await stack.pair(api, id)
  await stack.phone.contact(lia.number, lia.name)
}, 120_000)
afterAll(async () => {
  await sql?.end({ timeout: 1 })
  await stack?.stop()
  await s3.stop()
}, 60_000)

interface Row {
  wid: string
  body: string
  mediaState: string
  mediaPath: string | null
}
const rows = () => sql<Row[]>`SELECT "wid", "body", "mediaState", "mediaPath" FROM messages ORDER BY "createdAt"`
const fetches = () =>
  sql<{ lastError: string | null; failedAt: Date | null }[]>`
    SELECT "lastError", "failedAt" FROM jobs WHERE kind = 'media.fetch'`

const faults: Record<string, { begin(): void; says: string | undefined }> = {
  'that is away': { begin: () => (s3.failing = 503), says: 'files: ERR_UNAVAILABLE' },
  'that refuses our key': { begin: () => (s3.failing = 403), says: 'files: ERR_UNAVAILABLE' },
  'that asks for patience': { begin: () => (s3.failing = 429), says: 'files: ERR_UNAVAILABLE' },
  'that is full': { begin: () => (s3.isFull = true), says: 'files: ERR_STORAGE_FULL' },
  'that is slow': { begin: () => (s3.slowMs = 1_500), says: undefined },
}

test.each(Object.keys(faults))(
  'a bucket %s costs no message, and the file comes when it is well',
  async (what) => {
    const { begin, says } = faults[what]!
    begin()
    const picture = Buffer.concat([pixel, Buffer.from(what)])
    const file = await stack.phone.writeFile(lia.number, picture, { kind: 'image', mimetype: 'image/png' })
    const text = await stack.phone.write(lia.number, `Está aí? ${what}`)
    await until('the messages', rows, (all) => [file, text].every((wid) => all.some((row) => row.wid === wid)))
    const state = async () => (await rows()).find(({ wid }) => wid === file)!
    if (says) {
      await until('the file to wait', fetches, (jobs) => jobs.some(({ lastError }) => lastError === says))
      expect(await state()).toMatchObject({ mediaState: 'pending', mediaPath: null })
      expect((await fetches()).map(({ failedAt }) => failedAt)).toEqual([null])
      // A person is told, and may send it again.
      const ticketId = (await sql<{ id: number }[]>`SELECT max(id)::int AS id FROM tickets`)[0]!.id
      const form = new FormData()
      form.append('medias', new File([picture], 'foto.png', { type: 'image/png' }))
      form.append('body', newId())
      const answer = await fetch(`${stack.url}/messages/${ticketId}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${api.token}` },
        body: form,
      })
      expect(answer.status).toBeGreaterThanOrEqual(500)
      expect(((await answer.json()) as { error: string }).error).toBe(says.split(' ')[1]!)
    }
    Object.assign(s3, { failing: undefined, isFull: false, slowMs: 0 })
    // Nobody waits here until it is looked again.
    await sql`UPDATE jobs SET "runAt" = now() WHERE kind = 'media.fetch'`
    const { mediaPath } = await until('the file', state, ({ mediaState }) => mediaState === 'ready')
    expect(Buffer.from(s3.objects.get([...s3.objects.keys()].find((key) => key.endsWith(mediaPath!))!)!.bytes)).toEqual(
      picture,
    )
    await until('no job to be left', fetches, (jobs) => jobs.length === 0)
  },
  90_000,
)
