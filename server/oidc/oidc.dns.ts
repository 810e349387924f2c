import { Resolver } from 'node:dns/promises'
import { DomainError } from '../../schema/errors.ts'

/** The texts of a name's TXT records; none where there are none. Throws when nobody answers. */
export type ResolveTxt = (name: string) => Promise<string[]>

/** So long the DNS of others is waited for. */
const PATIENCE_MS = 5_000

/** Asks the DNS, and waits a bounded time. @param servers who is asked; those of the machine where none is given */
export function createTxtResolver({
  servers,
  patienceMs = PATIENCE_MS,
}: {
  servers?: readonly string[]
  patienceMs?: number
} = {}): ResolveTxt {
  return async (name) => {
    const resolver = new Resolver()
    if (servers) resolver.setServers([...servers])
    let timer: ReturnType<typeof setTimeout> | undefined
    try {
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error('the DNS did not answer in time')), patienceMs)
      })
      // What stands in pieces is longer than any proof; Bun tells these one by one.
      return (await Promise.race([resolver.resolveTxt(name), late])).map((pieces) => pieces.join(''))
    } catch (error) {
      const { code } = error as { code?: string }
      if (code === 'ENOTFOUND' || code === 'ENODATA') return []
      throw error
    } finally {
      clearTimeout(timer)
      resolver.cancel()
    }
  }
}

/** Where the proof of a domain stands: beneath a name of ours, so that no other record of the domain is touched. */
export const proofName = (domain: string): string => `_balcao.${domain}`

/** What stands there. It differs by company and domain, and cannot be guessed. @param hashOf as `Tokens.hashOf` */
export const proofText = (hashOf: (text: string) => string, companyId: number, domain: string): string =>
  `balcao-domain=${hashOf(`oidc domain ${companyId} ${domain}`).slice(0, 32)}`

/** Asks the DNS of a domain for its proof. `other`: something else stands there. */
export async function askForProof(
  resolveTxt: ResolveTxt,
  domain: string,
  text: string,
): Promise<'there' | 'missing' | 'other' | 'unreachable'> {
  const found = await resolveTxt(proofName(domain)).catch(() => null)
  if (found === null) return 'unreachable'
  if (found.length === 0) return 'missing'
  return found.some((one) => one.trim() === text) ? 'there' : 'other'
}

/** @throws DomainError `ERR_OIDC_DOMAIN_UNPROVEN` */
export async function demandProof(resolveTxt: ResolveTxt, domain: string, text: string): Promise<void> {
  const why = await askForProof(resolveTxt, domain, text)
  if (why !== 'there') throw new DomainError('ERR_OIDC_DOMAIN_UNPROVEN', { field: 'domains', domain, why })
}
