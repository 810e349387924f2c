import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { dateText } from '../i18n/dates.ts'
import { api } from '../session/api.ts'
import { CopyButton } from '../kit/copy-button.tsx'
import { succeeds } from '../kit/row-actions.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'

export interface DomainProof {
  domain: string
  proven: boolean
  /** The TXT record that its DNS is to have. */
  name: string
  text: string
  /** Until when it is proven without its record, which is not found any more (ISO 8601); null: nothing is missing. */
  endsAt: string | null
}

/** Which of the company's domains are proven, and how the others are. */
export function DomainProofs({
  proofs,
  disabled,
  onChanged,
}: {
  proofs: readonly DomainProof[]
  disabled: boolean
  onChanged: () => void
}) {
  const { t, i18n } = useLingui()
  const until = (endsAt: string) => dateText(i18n.locale, new Date(endsAt), 'fullDate')
  const [asked, setAsked] = useState<string | null>(null)
  const ask = async (domain: string) => {
    setAsked(domain)
    await succeeds(() => api.post('/auth/oidc/provider/domains', { domain }), t`${domain}: comprovado`, onChanged)
    setAsked(null)
  }
  return (
    <ul aria-label={t`Domínios de e-mail`} className="flex w-full flex-col gap-3">
      {proofs.map(({ domain, proven, name, text, endsAt }) => (
        <li key={domain} className="flex flex-col gap-2">
          <div className="flex flex-wrap items-center gap-2">
            <span className="min-w-0 font-medium wrap-anywhere">{domain}</span>
            {proven ? (
              <Badge tone={endsAt ? 'warning' : 'success'}>
                <Trans>Comprovado</Trans>
              </Badge>
            ) : (
              <Badge tone="warning">
                <Trans>A comprovar</Trans>
              </Badge>
            )}
          </div>
          {(!proven || endsAt) && (
            <div className="flex flex-col gap-2 rounded-md border p-3">
              <p className="text-xs text-muted-foreground">
                {endsAt ? (
                  <Trans>
                    Este registro TXT não está mais no DNS do domínio. Sem ele, a partir de {until(endsAt)} ninguém
                    entra por este domínio.
                  </Trans>
                ) : (
                  <Trans>
                    Até lá, ninguém entra por ele. Crie no DNS do domínio este registro TXT, ou peça a quem opera este
                    sistema que o confirme.
                  </Trans>
                )}
              </p>
              <dl className="grid gap-x-3 gap-y-1 text-xs sm:grid-cols-[auto_1fr]">
                <dt className="text-muted-foreground">
                  <Trans>Nome do registro</Trans>
                </dt>
                <dd className="font-mono wrap-anywhere">{name}</dd>
                <dt className="text-muted-foreground">
                  <Trans>Conteúdo</Trans>
                </dt>
                <dd className="font-mono wrap-anywhere">{text}</dd>
              </dl>
              <div className="flex flex-wrap gap-2">
                <CopyButton text={text} type="button">
                  <Trans>Copiar o conteúdo</Trans>
                </CopyButton>
                <Button
                  size="sm"
                  variant="outline"
                  disabled={disabled}
                  busy={asked === domain}
                  aria-label={t`Verificar ${domain}`}
                  onClick={() => void ask(domain)}
                >
                  <Trans>Verificar</Trans>
                </Button>
              </div>
            </div>
          )}
        </li>
      ))}
    </ul>
  )
}
