/** A request that gets an answer other than rows. `body` is what goes over the wire. */
export class RequestError extends Error {
  constructor(
    readonly status: number,
    readonly body: unknown,
    readonly headers: Record<string, string> = {},
  ) {
    super(`${status} ${JSON.stringify(body)}`)
  }

  /** 400 with what is wrong, by parameter. */
  static invalid(errors: Record<string, string[]>): RequestError {
    return new RequestError(400, { message: 'Invalid request', errors })
  }

  /** 503: the client keeps what it has and asks again. */
  static unavailable(message: string): RequestError {
    return new RequestError(503, { message }, { 'retry-after': '1' })
  }
}
