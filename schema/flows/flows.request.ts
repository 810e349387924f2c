import type { HttpRequest, SecretText } from './flows.run.ts'

/** How what is filled into a call is written, so that it stays what it is: in an address, in a header, within JSON. */

export const inUrl = (value: string): string => encodeURIComponent(value.toWellFormed())
/** Within an address that may be filled in as a whole: what it begins with is the address, or the beginning of one. */
export const inAddress = (value: string, at: number): string => (at === 0 ? value.trim() : inUrl(value))
/** Within a header: one line, without control characters. */
export const oneLine = (value: string): string => value.replace(/[^\t\u0020-\u007e\u0080-\u{10ffff}]/gu, ' ')
/** Within a string of JSON, without the quotes around it. */
export const insideJson = (value: string): string => JSON.stringify(value).slice(1, -1)

/** What is written into this body. */
export const inBody = (body: string): ((value: string) => string) =>
  /^\s*[[{]/.test(body.slice(0, 100)) ? insideJson : String

/** A call as it goes out. */
export interface FilledRequest {
  method: HttpRequest['method']
  url: string
  headers: { name: string; value: string }[]
  body: string | null
}

/** The names of the secrets in a call, without repeats. */
export const secretsOf = ({ url, headers, body }: HttpRequest): string[] => [
  ...new Set(
    [url, body ?? [], ...headers.map(({ value }) => value)]
      .flat()
      .flatMap((part) => (typeof part === 'string' ? [] : [part.secret])),
  ),
]

/** The call that fetches what lies at an address. */
export const fetching = (url: SecretText): HttpRequest => ({ method: 'GET', url, headers: [], body: null })

/**
 * What is wrong with the address of a file before anybody is called; null where it may be called. Of secrets it knows
 * only where they stand.
 */
export function addressProblem(url: SecretText): 'file_no_address' | 'file_address' | null {
  const address = url
    .map((part) => (typeof part === 'string' ? part : 'x'))
    .join('')
    .trim()
  if (address === '') return 'file_no_address'
  return /^https?:\/\//i.test(address) && URL.canParse(address) ? null : 'file_address'
}

/**
 * The host that a call goes to, as it is before any secret is known; null where there is none, or where a secret stands
 * in it.
 */
export function hostOf({ url }: Pick<HttpRequest, 'url'>): string | null {
  const withoutSecrets = url.map((part) => (typeof part === 'string' ? part : '%00')).join('')
  return URL.canParse(withoutSecrets) ? new URL(withoutSecrets).host || null : null
}

/** The call with its secrets; undefined where one of them is not known. */
export function withSecrets(request: HttpRequest, secrets: ReadonlyMap<string, string>): FilledRequest | undefined {
  if (secretsOf(request).some((name) => !secrets.has(name))) return undefined
  const written = (parts: SecretText, write: (value: string) => string) =>
    parts.map((part) => (typeof part === 'string' ? part : write(secrets.get(part.secret)!))).join('')
  const { method, url, headers, body } = request
  const [first] = body ?? []
  return {
    method,
    url: written(url, inUrl),
    headers: headers.map(({ name, value }) => ({ name, value: written(value, oneLine) })),
    body: body && written(body, inBody(typeof first === 'string' ? first : '')),
  }
}
