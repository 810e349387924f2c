import { Trans, useLingui } from '@lingui/react/macro'
import { Files, LayoutTemplate, Paperclip, PenLine, Plus } from 'lucide-react'
import { memo, useRef, useState } from 'react'
import { FileListsButton, FileListsDialog } from '../files/files.button.tsx'
import { Button } from '../ui/button.tsx'
import {
  DropdownMenu,
  DropdownMenuCheckboxItem,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '../ui/dropdown-menu.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import { EmojiButton } from './messages.emoji-button.tsx'
import type { MessageVariable } from '../placeholders/placeholders.values.ts'
import { type Shared, ShareItems, ShareMenu } from './messages.share-menu.tsx'
import { VariableItems, VariablesMenu } from './messages.variables-menu.tsx'

/** What stands before the field. */
export const Tools = memo(function Tools({
  narrow,
  template,
  variables,
  sign,
  onSign,
  onInsert,
  onFiles,
  onShare,
  onFocus,
}: {
  /** Most of them stand behind one button. */
  narrow: boolean
  /** Offers the message templates of the connection; null where it has none. */
  template: (() => void) | null
  variables: () => readonly MessageVariable[]
  sign: boolean
  onSign: () => void
  onInsert: (text: string) => void
  onFiles: (files: readonly File[], caption?: string) => void
  /** Somebody's card or a place is to be sent. */
  onShare: (what: Shared) => void
  onFocus: () => void
}) {
  const { t } = useLingui()
  const picker = useRef<HTMLInputElement>(null)
  const [choosing, setChoosing] = useState(false)
  return (
    <div className="flex shrink-0 items-center">
      <EmojiButton onPick={onInsert} onClosed={onFocus} />
      {narrow ? (
        <DropdownMenu>
          <DropdownMenuTrigger asChild>
            <Button
              variant="ghost"
              size="icon"
              aria-label={t`Anexar e mais`}
              className="relative text-muted-foreground"
            >
              <Plus />
            </Button>
          </DropdownMenuTrigger>
          <DropdownMenuContent side="top" align="start" className="w-64">
            <DropdownMenuItem onSelect={() => picker.current?.click()}>
              <Paperclip />
              <Trans>Arquivos deste aparelho</Trans>
            </DropdownMenuItem>
            <DropdownMenuItem onSelect={() => setChoosing(true)}>
              <Files />
              <Trans>Lista de arquivos</Trans>
            </DropdownMenuItem>
            <ShareItems onPick={onShare} />
            {template && (
              <DropdownMenuItem onSelect={template}>
                <LayoutTemplate />
                <Trans>Modelo de mensagem</Trans>
              </DropdownMenuItem>
            )}
            <DropdownMenuCheckboxItem checked={sign} onCheckedChange={onSign}>
              <PenLine />
              <Trans>Assinar mensagens</Trans>
            </DropdownMenuCheckboxItem>
            <DropdownMenuSeparator />
            <DropdownMenuLabel>
              <Trans>Variáveis da mensagem</Trans>
            </DropdownMenuLabel>
            <VariableItems variables={variables} onPick={onInsert} />
          </DropdownMenuContent>
        </DropdownMenu>
      ) : (
        <>
          <IconButton label={t`Anexar arquivos`} onClick={() => picker.current?.click()}>
            <Paperclip />
          </IconButton>
          <FileListsButton onFiles={onFiles} onClosed={onFocus} />
          <ShareMenu onPick={onShare} />
          {template && (
            <IconButton label={t`Enviar um modelo de mensagem`} onClick={template}>
              <LayoutTemplate />
            </IconButton>
          )}
        </>
      )}
      {choosing && <FileListsDialog onFiles={onFiles} onClose={() => setChoosing(false)} />}
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
      {!narrow && (
        <>
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
        </>
      )}
    </div>
  )
})
