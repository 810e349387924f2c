/**
 * A simulated WhatsApp as a process of its own, for the demo and for tests across processes.
 *
 *     FAKE_PORT   port, 0 for any (default)
 *     FAKE_HOST   address to listen on (default 127.0.0.1)
 *     FAKE_STATE  folder in which the world survives a restart; in memory only without it
 *     APP_URL     where the product is, for a hint on the page
 *
 * Prints one line of JSON when it listens: `{wsUrl, certKey, phoneUrl}`. `certKey` is base64.
 */
import '../../../server/whatsapp/baileys.mute.ts'
import { BufferJSON } from '@whiskeysockets/baileys'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createControl } from './control.ts'
import { Phones, type Thread } from './phones.ts'
import { FakeWhatsapp, type WorldState } from './server.ts'

const { FAKE_PORT, FAKE_HOST, FAKE_STATE, APP_URL } = process.env

interface Saved {
  world: WorldState
  threads: [string, Thread][]
}

const place = FAKE_STATE || null
if (place) mkdirSync(join(place, 'files'), { recursive: true, mode: 0o700 })
const stateFile = place && join(place, 'world.json')
const saved =
  stateFile && existsSync(stateFile) ? (JSON.parse(readFileSync(stateFile, 'utf8'), BufferJSON.reviver) as Saved) : null

// A path is named by whoever uploads; on disk it is a hash of itself.
const filePath = (path: string) => join(place!, 'files', createHash('sha256').update(path).digest('hex'))
let phones: Phones
const fake = new FakeWhatsapp({
  port: Number(FAKE_PORT ?? 0),
  hostname: FAKE_HOST || '127.0.0.1',
  ...(saved ? { world: saved.world } : {}),
  ...(place
    ? {
        files: {
          load: (path) => (existsSync(filePath(path)) ? readFileSync(filePath(path)) : undefined),
          save: (path, bytes) => writeFileSync(filePath(path), bytes, { mode: 0o600 }),
        },
      }
    : {}),
  control: createControl(() => phones, APP_URL || null),
})
phones = new Phones(fake, saved?.threads)

if (!saved) {
  fake.account('5511930000001', 'Padaria Balcão')
  const people = ['Ana Souza', 'Bruno Lima', 'Carla Nunes', 'Diego Rocha', 'Elisa Prado']
  people.forEach((name, i) => fake.contact(`55119200000${String(i + 1).padStart(2, '0')}`, name))
}

if (stateFile) {
  let timer: ReturnType<typeof setTimeout> | null = null
  const save = () => {
    timer = null
    const state: Saved = { world: fake.snapshot(), threads: [...phones.threads] }
    writeFileSync(`${stateFile}.new`, JSON.stringify(state, BufferJSON.replacer), { mode: 0o600 })
    renameSync(`${stateFile}.new`, stateFile)
  }
  // Ratchets move with every message: what a killed process had not written, both sides must mend by asking again.
  fake.on('changed', () => {
    timer ??= setTimeout(save, 200)
  })
  save()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      save()
      process.exit(0)
    })
  }
}

fake.on('error', (error) => console.error('fake WhatsApp:', error))
console.log(
  JSON.stringify({
    wsUrl: fake.wsUrl,
    certKey: Buffer.from(fake.noise.root.public).toString('base64'),
    phoneUrl: `http://${fake.host}/`,
  }),
)
