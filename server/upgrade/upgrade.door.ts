/**
 * Where the process that keeps a house is asked for an upgrade: a port of this machine, with a secret that lies in the
 * data folder. Imports nothing but what Bun brings along.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isSameSecret } from '../same-secret.ts'
import type { Version } from './upgrade.state.ts'

interface Door {
  port: number
  secret: string
}

/** What is said of an upgrade, a line of JSON each; the last one says how it ended. */
export type Said = { says: string } | { ok: boolean; says: string }

const pathIn = (dataDir: string) => join(dataDir, 'door.json')

/** Opens it. @returns how to close it */
export function openDoor(
  dataDir: string,
  house: {
    runs(): Version
    upgrade(to: Version, tell: (sentence: string) => void): Promise<{ ok: boolean; says: string }>
  },
): () => Promise<void> {
  const secret = Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString('hex')
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    // An upgrade is silent for as long as a migration takes.
    idleTimeout: 0,
    async fetch(request) {
      if (!isSameSecret(request.headers.get('authorization') ?? '', `Bearer ${secret}`))
        return new Response(null, { status: 401 })
      if (request.method === 'GET') return Response.json(house.runs())
      const to = (await request.json()) as Version
      const lines = new TransformStream<Uint8Array, Uint8Array>()
      const writer = lines.writable.getWriter()
      const encoder = new TextEncoder()
      // Whoever asked may have gone; the upgrade goes on without.
      const write = (said: Said) =>
        void writer.write(encoder.encode(`${JSON.stringify(said)}\n`)).catch(() => undefined)
      void house
        .upgrade(to, (says) => write({ says }))
        .catch((error: unknown) => ({ ok: false, says: String(error) }))
        .then((end) => {
          write(end)
          void writer.close().catch(() => undefined)
        })
      return new Response(lines.readable, { headers: { 'content-type': 'application/x-ndjson' } })
    },
  })
  const path = pathIn(dataDir)
  const fresh = `${path}.${process.pid}`
  writeFileSync(fresh, JSON.stringify({ port: server.port!, secret } satisfies Door), { mode: 0o600 })
  renameSync(fresh, path)
  return async () => {
    rmSync(path, { force: true })
    await server.stop(true)
  }
}

/** @returns undefined where nobody keeps a house, or a version that cannot be asked */
export async function knock(dataDir: string): Promise<
  | {
      runs: Version
      /** @throws Error where the keeper ends meanwhile */
      upgrade(to: Version, tell: (sentence: string) => void): Promise<{ ok: boolean; says: string }>
    }
  | undefined
> {
  let door: Door
  try {
    door = JSON.parse(readFileSync(pathIn(dataDir), 'utf8')) as Door
  } catch {
    return undefined
  }
  const url = `http://127.0.0.1:${door.port}/`
  const headers = { authorization: `Bearer ${door.secret}` }
  const answer = await fetch(url, { headers, signal: AbortSignal.timeout(5_000) }).catch(() => undefined)
  if (!answer?.ok) return undefined
  return {
    runs: (await answer.json()) as Version,
    async upgrade(to, tell) {
      const told = await fetch(url, {
        method: 'POST',
        headers,
        body: JSON.stringify(to),
        timeout: false,
      } as RequestInit)
      let text = ''
      const decoder = new TextDecoder()
      for await (const part of told.body ?? []) {
        text += decoder.decode(part, { stream: true })
        const lines = text.split('\n')
        text = lines.pop() ?? ''
        for (const line of lines) {
          const said = JSON.parse(line) as Said
          if ('ok' in said) return said
          tell(said.says)
        }
      }
      throw new Error('The upgrade is not known to have ended: the process that watches the server is gone.')
    },
  }
}
