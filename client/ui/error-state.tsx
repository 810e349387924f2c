import { Trans } from '@lingui/react/macro'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { cn } from './cn.ts'

/** Where something could not be shown: what failed, in words, and a way to try again. */
export function ErrorState({
  title,
  children,
  onRetry,
  className,
}: {
  title?: ReactNode
  children?: ReactNode
  onRetry?: () => void
  className?: string
}) {
  return (
    <div
      role="alert"
      className={cn('flex flex-col items-center justify-center gap-1 px-6 py-14 text-center', className)}
    >
      <span
        aria-hidden="true"
        className="mb-3 flex size-11 items-center justify-center rounded-xl bg-destructive-soft text-destructive-soft-foreground"
      >
        <TriangleAlert className="size-5" strokeWidth={1.75} />
      </span>
      <p className="font-medium">{title ?? <Trans>Não foi possível carregar</Trans>}</p>
      {children && <div className="max-w-md text-sm text-balance text-muted-foreground">{children}</div>}
      {onRetry && (
        <Button variant="outline" className="mt-4" onClick={onRetry}>
          <Trans>Tentar de novo</Trans>
        </Button>
      )}
    </div>
  )
}

/** The same in one line, inside a section that has other things to show. */
export function ErrorLine({ children, onRetry }: { children: ReactNode; onRetry: () => void }) {
  return (
    <div className="flex items-center justify-between gap-3">
      <p role="alert" className="text-xs text-destructive-soft-foreground">
        {children}
      </p>
      <Button variant="outline" size="sm" onClick={onRetry}>
        <Trans>Tentar de novo</Trans>
      </Button>
    </div>
  )
}
