import { Elysia, t } from 'elysia'
import type { Principal } from '../../schema/permissions.ts'
import type { LiveSession, LiveSockets } from '../../sync/server/live-socket.ts'
import type { ShapeProxy } from '../../sync/server/shape-proxy.ts'
import type { AppDeps } from './deps.ts'
import { bearerOf } from './guard.ts'
import { becomeSocket, type SocketEnd } from './sockets.ts'

/** `GET /sync/shape/:name` as Electric answers it, and `WS /sync?token=…&v=…`, which carries the waits of all shapes. */
export function syncRoutes({ auth }: Pick<AppDeps, 'auth'>, sync: { proxy: ShapeProxy; sockets: LiveSockets }) {
  return new Elysia()
    .get(
      '/sync/shape/:name',
      async ({ params, request }) => {
        const { who } = await auth.byToken(bearerOf(request))
        return sync.proxy.handle({ who }, params.name, request)
      },
      {
        params: t.Object({ name: t.String({ maxLength: 64 }) }),
        detail: {
          tags: ['sync'],
          summary: 'A shape, in the protocol of Electric; the server decides its rows and columns',
        },
      },
    )
    .get(
      '/sync',
      async ({ query, request, server, set }) => {
        const { who } = await auth.byToken(query.token)
        becomeSocket({ request, server, set }, new SyncSocket(sync.sockets, who, query.v ?? null))
      },
      {
        query: t.Object({
          token: t.Optional(t.String({ maxLength: 4_000 })),
          v: t.Optional(t.String({ maxLength: 64 })),
        }),
        detail: { tags: ['sync'], summary: 'A websocket: the waits of all shapes of a browser' },
      },
    )
}

class SyncSocket implements SocketEnd {
  private session: LiveSession | undefined

  constructor(
    private readonly sockets: LiveSockets,
    private readonly who: Principal,
    private readonly version: string | null,
  ) {}

  open(socket: Bun.ServerWebSocket<SocketEnd>): void {
    this.session = this.sockets.open(socket, this.who, this.version)
  }

  /** A frame of bytes is none that we know. */
  message(_socket: Bun.ServerWebSocket<SocketEnd>, frame: string | Buffer): void {
    this.session?.message(typeof frame === 'string' ? frame : '')
  }

  close(): void {
    this.session?.closed()
  }
}
