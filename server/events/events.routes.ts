import { Elysia, t } from 'elysia'
import type { Authenticated } from '../auth/authenticator.ts'
import { callerAddress } from '../http/caller.ts'
import type { AppDeps } from '../http/deps.ts'
import { becomeSocket, type SocketEnd } from '../http/sockets.ts'
import type { Connection, EventHub } from './hub.ts'

/** `WS /events?pass=…`, or `?token=…` for older clients: JSON frames `{event, data}` both ways. */
export function eventRoutes({ auth, config, hub, passes }: AppDeps) {
  return new Elysia().get(
    '/events',
    async ({ query, request, server, set }) => {
      // Refused before it is a websocket, so that the answer has a status and a code.
      const { pass, token } = query
      const holder = pass === undefined ? undefined : await passes.take(pass, { for: 'events' })
      const address = callerAddress(request, server, config.trustProxy)
      const authenticated = holder
        ? await auth.again(holder.userId, holder.tokenVersion, { address, toWait: true })
        : await auth.byToken(token, { address })
      becomeSocket({ request, server, set }, new EventSocket(hub, authenticated, address))
    },
    {
      query: t.Object({
        pass: t.Optional(t.String({ maxLength: 2_000 })),
        token: t.Optional(t.String({ maxLength: 4_000 })),
      }),
      detail: { tags: ['events'], summary: 'A websocket: live events; a pass goes into the query, or the token' },
    },
  )
}

class EventSocket implements SocketEnd {
  private connection: Connection | undefined

  constructor(
    private readonly hub: EventHub,
    private readonly authenticated: Authenticated,
    private readonly address: string | null,
  ) {}

  open(socket: Bun.ServerWebSocket<SocketEnd>): void {
    this.connection = this.hub.join(
      {
        send: (text) => void socket.send(text),
        close: (code, reason) => socket.close(code, reason),
      },
      this.authenticated,
      this.address,
    )
  }

  message(_socket: Bun.ServerWebSocket<SocketEnd>, frame: string | Buffer): void {
    void this.connection?.receive(typeof frame === 'string' ? frame : undefined)
  }

  close(): void {
    this.connection?.leave()
  }
}
