import { DomainError } from '../../schema/errors.ts'

/** What a websocket does: its handlers, and all that is kept of it. */
export interface SocketEnd {
  open(socket: Bun.ServerWebSocket<SocketEnd>): void
  message(socket: Bun.ServerWebSocket<SocketEnd>, frame: string | Buffer): void
  close(socket: Bun.ServerWebSocket<SocketEnd>): void
}

/**
 * Answers a request by making it a websocket. Elysia's own `ws` keeps the context of the handshake for as long as a
 * socket lives, 7 KB of it, and guesses at what frames hold. Its server hands every event of a socket to the functions
 * of the socket's `data`, so that sockets with less can live beside.
 * @throws DomainError `ERR_VALIDATION` when the request is no handshake
 */
export function becomeSocket(
  { request, server, set }: { request: Request; server: Bun.Server<unknown> | null; set: { headers: object } },
  end: SocketEnd,
): void {
  const headers = set.headers as Record<string, string>
  if (!server?.upgrade(request, { data: end, headers }))
    throw new DomainError('ERR_VALIDATION', { fields: [{ path: 'header/upgrade', message: 'a websocket' }] })
}
