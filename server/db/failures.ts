/** A failure as the database's driver gives it, or a wrapping of one. */
interface Failure {
  /** Postgres' five signs, or the driver's word for a connection that is gone. */
  code?: string
  constraint_name?: string
  cause?: unknown
}

/** A failure and those that it wraps, the outermost first: the query builder wraps the driver's. */
export function* failuresIn(error: unknown): Generator<Failure, undefined> {
  for (let e = error as Failure | null | undefined; e != null; e = e.cause as typeof e) yield e
}
