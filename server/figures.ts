import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Gauge, Histogram, Registry } from 'prom-client'

/**
 * How often, how well and how fast what this process does is done: for each route, kind of job, shape and connection.
 * Every label takes few values, whoever calls; none tells of a company or a person.
 */
export const figures = new Registry()
const registers = [figures]

const timed = <T extends string>(name: string, help: string, labelNames: T[], buckets = [0.1, 0.5, 2.5, 10]) =>
  new Histogram({ name: `balcao_${name}_seconds`, help, labelNames, buckets, registers })

const routes = timed('route', 'Calls by route and kind of answer', ['method', 'route', 'status'])
const jobs = timed('job', 'Jobs by kind and what became of them', ['kind', 'outcome'])
const shapes = timed('shape', 'What browsers read of a shape, or waited for', ['shape', 'asked', 'status'])
const connections = timed('connection', 'What came by a connection, and what was said by it', [
  'connection',
  'way',
  'outcome',
])

/** So many connections have figures of their own; those beyond are counted together. */
const MOST_CONNECTIONS = 500
const known = new Set<number>()

function nameOf(whatsappId: number): string {
  if (!known.has(whatsappId) && known.size < MOST_CONNECTIONS) known.add(whatsappId)
  return known.has(whatsappId) ? String(whatsappId) : 'other'
}

const methods = new Set(['GET', 'POST', 'PUT', 'DELETE', 'HEAD'])
export const methodOf = (request: Request): string => (methods.has(request.method) ? request.method : 'other')
export const kindOf = (status: number): string => `${Math.floor(status / 100)}xx`

/** @param route the pattern, such as `/tickets/:id`; undefined where no route knows the path */
export function countRoute(request: Request, route: string | undefined, status: number, ms: number): void {
  routes.observe({ method: methodOf(request), route: route || 'none', status: kindOf(status) }, ms / 1_000)
}

export type JobOutcome = 'done' | 'later' | 'failed' | 'given up'
export function countJob(kind: string, outcome: JobOutcome, ms: number): void {
  jobs.observe({ kind, outcome }, ms / 1_000)
}

/** @param table of the shape, as the catalogue names it */
export function countShape(table: string, asked: 'rows' | 'wait', status: number, ms: number): void {
  shapes.observe({ shape: table.replaceAll('"', ''), asked, status: kindOf(status) }, ms / 1_000)
}

export function countConnection(whatsappId: number, way: 'in' | 'out', outcome: 'good' | 'failed', ms: number): void {
  connections.observe({ connection: nameOf(whatsappId), way, outcome }, ms / 1_000)
}

/** How late this process comes to what it is to do; looked at each time the figures are told. */
const delay = monitorEventLoopDelay({ resolution: 20 })
new Gauge({
  name: 'balcao_loop_delay_seconds',
  help: 'How late the server came to what it had to do since the figures were told last: 99 of 100 times, and at most',
  labelNames: ['of'],
  registers,
  collect() {
    const ms = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - 20) / 1_000
    this.set({ of: '99 %' }, ms(delay.percentile(99)))
    this.set({ of: 'most' }, ms(delay.max))
    delay.reset()
  },
})
/** From the start of the server on. */
export const watchLoop = (): void => void delay.enable()
