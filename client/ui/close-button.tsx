import { useLingui } from '@lingui/react/macro'
import { X } from 'lucide-react'
import type { Ref } from 'react'
import { Dialog as DialogPrimitive } from 'radix-ui'
import { Button } from './button.tsx'
import { cn } from './cn.ts'

/** Closes the dialog or sheet that it is in. */
export function CloseButton({ className, ref }: { className?: string; ref?: Ref<HTMLButtonElement> }) {
  const { t } = useLingui()
  return (
    <DialogPrimitive.Close asChild>
      <Button
        ref={ref}
        variant="ghost"
        size="icon-sm"
        aria-label={t`Fechar`}
        className={cn('text-muted-foreground', className)}
      >
        <X />
      </Button>
    </DialogPrimitive.Close>
  )
}
