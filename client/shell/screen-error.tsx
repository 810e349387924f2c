import { Trans } from '@lingui/react/macro'
import { useRouter } from '@tanstack/react-router'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { ErrorState } from '../ui/error-state.tsx'
import { ApiError } from '../session/api.ts'
import { useProductName } from '../session/branding.ts'
import { FailureText } from '../session/failure.tsx'

/** A script of this version that is no longer on the server, or that could not be fetched without a network. */
const isMissingScript = (error: unknown) =>
  error instanceof Error &&
  /dynamically imported module|Importing a module script failed|error loading dynamically/i.test(error.message)

/** A screen that failed. The rest of the app stays usable. */
export function ScreenError({ error, reset }: ErrorComponentProps) {
  const said = error instanceof Error ? error.message : String(error)
  const router = useRouter()
  const product = useProductName()
  if (isMissingScript(error)) {
    return (
      <ErrorState
        title={<Trans>Esta tela não pôde ser carregada</Trans>}
        onRetry={() => location.reload()}
        className="h-full"
      >
        <Trans>Há uma versão nova de {product} ou a conexão caiu. Recarregue a página.</Trans>
      </ErrorState>
    )
  }
  return (
    <ErrorState
      title={<Trans>Algo deu errado nesta tela</Trans>}
      onRetry={() => {
        reset()
        void router.invalidate()
      }}
      className="h-full"
    >
      {error instanceof ApiError ? <FailureText error={error} /> : <Trans>O erro: {said}</Trans>}
    </ErrorState>
  )
}
