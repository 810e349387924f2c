import { Trans, useLingui } from '@lingui/react/macro'
import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '../ui/button.tsx'
import type { ButtonProps } from '../ui/button.tsx'
import { toast } from '../ui/toaster.tsx'
import { copyText } from '../base/copy-text.ts'

const feedbackMs = 1000

/** Copies `text` and says so for a second. */
export function CopyButton({ text, children, ...props }: { text: string } & ButtonProps) {
  const { t } = useLingui()
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), feedbackMs)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async () => {
    if (await copyText(text)) setCopied(true)
    else toast.error(t`O navegador não permitiu copiar`)
  }
  return (
    <Button variant="outline" size="sm" onClick={() => void copy()} {...props}>
      {copied ? <Check /> : <Copy />}
      {copied ? <Trans>Copiado</Trans> : children}
    </Button>
  )
}
