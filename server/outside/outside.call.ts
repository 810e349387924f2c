import type { Outside, OutsideCall } from './outside.ts'

/** What a service answered, read whole. */
export interface Answer {
  status: number
  headers: Headers
  /** Parsed where it is JSON, else its text. */
  body: unknown
  host: string
}

/**
 * Calls a service and reads all of its answer, whatever its status.
 * @throws OutsideError when nothing was answered
 */
export async function callOutside(
  outside: Pick<Outside, 'fetch'>,
  address: string,
  call: OutsideCall = {},
): Promise<Answer> {
  const response = await outside.fetch(address, call)
  const text = await response.text()
  const { status, headers } = response
  return { status, headers, body: parsed(text), host: new URL(address).hostname }
}

export const isGood = ({ status }: Pick<Answer, 'status'>): boolean => status >= 200 && status < 300

/** A short word of somebody else, which may be shown; undefined for anything longer. */
export const shortWord = (code: unknown): string | undefined =>
  typeof code === 'string' && /^[\w.-]{1,60}$/.test(code) ? code : undefined

/** An address below another, which may end in a slash. Its query stays, unless another is given. */
export function below(base: string, path: string, query?: Record<string, string>): string {
  const url = new URL(base)
  let folder = url.pathname
  while (folder.endsWith('/')) folder = folder.slice(0, -1)
  url.pathname = folder + path
  if (query) url.search = new URLSearchParams(query).toString()
  return url.href
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
