import type { OidcProvider } from '../../schema/oidc/oidc.table.ts'
import { openText, type Sealer } from '../seal.ts'
import { secretPlace } from './oidc.queries.ts'

/** As what the provider of a company knows us, the secret opened. */
export const clientOf = (sealer: Sealer, { companyId, issuer, clientId, secret }: OidcProvider) => ({
  ...{ issuer, clientId },
  secret: openText(sealer, secret, secretPlace(companyId)),
})

/** Where the provider sends people back to. */
export const redirectUriOf = ({ publicUrl }: { publicUrl?: string | undefined }, request: Request): string =>
  `${publicUrl ?? new URL(request.url).origin}/auth/oidc/callback`
