import { Elysia } from 'elysia'
import { errorAnswers } from '../../server/http/errors.ts'
import { syncRoutes } from '../../server/http/sync.routes.ts'
import { createLiveSockets } from '../../sync/server/live-socket.ts'
import { createElectric } from '../../sync/server/electric.ts'
import { createShapeProxy } from '../../sync/server/shape-proxy.ts'
import type { TestApp } from './app.ts'

/**
 * The routes of the rows that are synced, in front of a shape service that reads the tables once, as its question says.
 * @returns asks for a path, with a token or without
 */
export function rowsOf(t: Pick<TestApp, 'database' | 'deps'>) {
  const backend = async (request: Request): Promise<Response> => {
    const { searchParams } = new URL(request.url)
    const params: string[] = []
    for (let i = 1; searchParams.has(`params[${i}]`); i++) params.push(searchParams.get(`params[${i}]`)!)
    const rows = await t.database.sql.unsafe(
      `SELECT ${searchParams.get('columns')} FROM ${searchParams.get('table')} WHERE ${searchParams.get('where')}`,
      params,
    )
    return Response.json(rows)
  }
  const log = { warn: () => undefined, info: () => undefined }
  const principalOf = (userId: number) => t.deps.auth.principalOf(userId)
  const proxy = createShapeProxy({
    backend: createElectric({ fetch: backend, url: 'http://shapes', secret: undefined, log }).ask,
    principalOf,
    since: async () => ({ since: new Date(0) }),
    includes: async () => true,
    log,
  })
  const sockets = createLiveSockets({ proxy, principalOf })
  const app = new Elysia().use(errorAnswers(t.deps.log)).use(syncRoutes(t.deps, { proxy, sockets }))
  return async (token: string | undefined, path: string, headers: Record<string, string> = {}) => {
    const response = await app.handle(
      new Request(`http://localhost${path}`, {
        headers: { ...headers, ...(token && { authorization: `Bearer ${token}` }) },
      }),
    )
    return { status: response.status, text: await response.text() }
  }
}
