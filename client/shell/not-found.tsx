import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { Compass } from 'lucide-react'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { useDocumentTitle } from '../ui/page.tsx'
import { useProductName } from '../session/branding.ts'

export function NotFoundScreen() {
  const { t } = useLingui()
  const product = useProductName()
  useDocumentTitle(t`Página não encontrada`)
  return (
    <main className="flex h-full items-center justify-center">
      <EmptyState
        as="h1"
        icon={Compass}
        title={<Trans>Página não encontrada</Trans>}
        action={
          <Button asChild variant="outline">
            <Link to="/">
              <Trans>Voltar ao início</Trans>
            </Link>
          </Button>
        }
      >
        <Trans>O endereço não leva a nenhuma tela de {product}.</Trans>
      </EmptyState>
    </main>
  )
}
