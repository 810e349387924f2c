/** A service that answers as a real one does, as far as we speak to it. */
export interface FakeService {
  /** What it answers below its address. @param path without the address' own part */
  handle(request: Request, path: string): Response | Promise<Response>
}

/**
 * Services on one port of this machine, each below its name.
 * @returns where each is, without a slash at the end
 */
export function serveFakes<Name extends string>(
  services: Record<Name, FakeService>,
  port = 0,
): { urls: Record<Name, string>; stop(): Promise<void> } {
  const server = Bun.serve({
    port,
    hostname: '127.0.0.1',
    idleTimeout: 60,
    fetch(request) {
      const { pathname } = new URL(request.url)
      const [, name = '', ...rest] = pathname.split('/')
      const service = (services as Record<string, FakeService | undefined>)[name]
      return service ? service.handle(request, `/${rest.join('/')}`) : new Response('no such service', { status: 404 })
    },
  })
  const urls = Object.fromEntries(
    Object.keys(services).map((name) => [name, `http://127.0.0.1:${server.port}/${name}`]),
  ) as Record<Name, string>
  return { urls, stop: () => server.stop(true) }
}

export const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  Response.json(body, { status, headers })

/** What goes wrong with the next calls, in order; nothing when it is empty. */
export class Troubles {
  private readonly waiting: Trouble[] = []
  next(...troubles: Trouble[]): void {
    this.waiting.push(...troubles)
  }
  /** What this call answers instead, if anything. */
  async take(): Promise<Response | undefined> {
    const trouble = this.waiting.shift()
    if (trouble === undefined || trouble === 'none') return undefined
    if ('ms' in trouble) {
      await Bun.sleep(trouble.ms)
      return undefined
    }
    return new Response(trouble.body ?? '', { status: trouble.status, headers: trouble.headers ?? {} })
  }
}
export type Trouble = 'none' | { ms: number } | { status: number; body?: string; headers?: Record<string, string> }
