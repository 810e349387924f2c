import { useLingui } from '@lingui/react/macro'
import { Paperclip, PenLine } from 'lucide-react'
import { memo, useRef } from 'react'
import { Button } from '../ui/button.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import { EmojiButton } from './messages.emoji-button.tsx'
import type { MessageVariable } from './messages.placeholders.ts'
import { VariablesMenu } from './messages.variables-menu.tsx'

/** What stands before the field. */
export const Tools = memo(function Tools({
  variables,
  sign,
  onSign,
  onInsert,
  onFiles,
  onFocus,
}: {
  variables: () => readonly MessageVariable[]
  sign: boolean
  onSign: () => void
  onInsert: (text: string) => void
  onFiles: (files: readonly File[]) => void
  onFocus: () => void
}) {
  const { t } = useLingui()
  const picker = useRef<HTMLInputElement>(null)
  return (
    <div className="flex shrink-0 items-center">
      <EmojiButton onPick={onInsert} onClosed={onFocus} />
      <IconButton label={t`Anexar arquivos`} onClick={() => picker.current?.click()}>
        <Paperclip />
      </IconButton>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        data-testid="attach"
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
      <VariablesMenu variables={variables} onPick={onInsert} onClosed={onFocus} />
      <Tooltip content={sign ? t`Assinatura ligada: o seu nome vai antes da mensagem` : t`Assinatura desligada`}>
        <Button
          variant="ghost"
          size="icon"
          role="switch"
          aria-checked={sign}
          aria-label={t`Assinar mensagens`}
          onClick={onSign}
          className={sign ? 'text-primary-soft-foreground' : 'text-muted-foreground/70'}
        >
          <span className="relative">
            <PenLine />
            {sign && (
              <span aria-hidden="true" className="absolute -right-1 -bottom-0.5 size-1.5 rounded-full bg-primary" />
            )}
          </span>
        </Button>
      </Tooltip>
    </div>
  )
})
