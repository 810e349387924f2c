import { Elysia, t } from 'elysia'
import { DomainError, statusOf } from '../../schema/errors.ts'
import type { Principal } from '../../schema/permissions.ts'
import type { LiveSession, LiveSockets } from '../../sync/server/live-socket.ts'
import type { ShapeProxy } from '../../sync/server/shape-proxy.ts'
import { callerAddress } from './caller.ts'
import type { AppDeps } from './deps.ts'
import { bearerOf } from './guard.ts'
import { becomeSocket, type SocketEnd } from './sockets.ts'

/** `GET /sync/shape/:name` as Electric answers it, and `WS /sync?pass=…&v=…`, which carries the waits of all shapes. */
export function syncRoutes(
  { auth, config, passes }: Pick<AppDeps, 'auth' | 'config' | 'passes'>,
  sync: { proxy: ShapeProxy; sockets: LiveSockets },
) {
  return new Elysia()
    .get(
      '/sync/shape/:name',
      async ({ params, request, server }) => {
        const address = callerAddress(request, server, config.trustProxy)
        const { who } = await auth.byToken(bearerOf(request), { address })
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
        const { userId, tokenVersion } = await passes.take(query.pass, { for: 'sync' })
        const allow = { address: callerAddress(request, server, config.trustProxy) }
        // Which rows they are is a matter of the user, whoever acts for them.
        const { acting: _, visiting: __, ...who } = (await auth.again(userId, tokenVersion, allow)).who
        const lasts = () =>
          auth.again(userId, tokenVersion, allow).then(
            () => true,
            (error: unknown) => {
              if (error instanceof DomainError && statusOf(error) < 500) return false
              throw error
            },
          )
        becomeSocket({ request, server, set }, new SyncSocket(sync.sockets, who, query.v ?? null, lasts))
      },
      {
        query: t.Object({
          pass: t.Optional(t.String({ maxLength: 2_000 })),
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
    private readonly lasts: () => Promise<boolean>,
  ) {}

  open(socket: Bun.ServerWebSocket<SocketEnd>): void {
    this.session = this.sockets.open(socket, this.who, this.version, this.lasts)
  }

  /** A frame of bytes is none that we know. */
  message(_socket: Bun.ServerWebSocket<SocketEnd>, frame: string | Buffer): void {
    this.session?.message(typeof frame === 'string' ? frame : '')
  }

  close(): void {
    this.session?.closed()
  }
}
