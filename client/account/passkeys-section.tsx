import { Trans, useLingui } from '@lingui/react/macro'
import { KeyRound, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { dateText } from '../i18n/dates.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ErrorLine } from '../ui/error-state.tsx'
import { LoadingBlock } from '../ui/skeleton.tsx'
import { toast } from '../ui/toaster.tsx'
import { errorText } from '../session/error-text.ts'
import { useFetched } from '../session/fetched.ts'
import { PasskeyAdd, PasskeyRemove, PasskeyRename } from './passkey-dialogs.tsx'
import { hasPasskeys, type Passkey } from './passkeys.ts'
import { refreshUser } from '../session/session.tsx'

/** In one's profile: the keys of one's devices, by which one signs in without a password. */
export function Passkeys() {
  const { t } = useLingui()
  const { data, error, reload } = useFetched<{ passkeys: Passkey[]; limit: number }>('/auth/passkeys')
  const twoFactor = useFetched('/auth/2fa')
  const [open, setOpen] = useState<{ add: true } | { rename: Passkey } | { remove: Passkey }>()
  const close = () => setOpen(undefined)
  const done = (text: string) => () => {
    close()
    toast.success(text)
    reload()
    twoFactor.reload()
    void refreshUser().catch(() => undefined)
  }
  return (
    <section aria-label={t`Chaves de acesso`} className="flex flex-col gap-3 border-t pt-4">
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <h3 className="text-sm font-semibold">
            <Trans>Chaves de acesso</Trans>
          </h3>
          <p className="text-xs text-muted-foreground">
            {hasPasskeys() ? (
              <Trans>Entre sem senha, com a digital, o rosto ou o PIN do aparelho.</Trans>
            ) : (
              <Trans>
                Este navegador não oferece chaves de acesso aqui. Elas precisam de um endereço com https e um nome.
              </Trans>
            )}
          </p>
        </div>
        {!data && !error && <LoadingBlock className="h-8 w-20" />}
        {data && hasPasskeys() && data.passkeys.length < data.limit && (
          <Button variant="outline" size="sm" onClick={() => setOpen({ add: true })}>
            <Plus />
            <Trans>Adicionar</Trans>
          </Button>
        )}
      </div>
      {error && !data && <ErrorLine onRetry={reload}>{errorText(error)}</ErrorLine>}
      {data && data.passkeys.length > 0 && (
        <ul className="flex flex-col gap-3">
          {data.passkeys.map((key) => (
            <Line
              key={key.id}
              of={key}
              onRename={() => setOpen({ rename: key })}
              onRemove={() => setOpen({ remove: key })}
            />
          ))}
        </ul>
      )}
      {open && 'add' in open && <PasskeyAdd onClose={close} onDone={done(t`Chave de acesso adicionada`)} />}
      {open && 'rename' in open && (
        <PasskeyRename of={open.rename} onClose={close} onDone={done(t`Chave de acesso renomeada`)} />
      )}
      {open && 'remove' in open && (
        <PasskeyRemove of={open.remove} onClose={close} onDone={done(t`Chave de acesso removida`)} />
      )}
    </section>
  )
}

function Line({ of, onRename, onRemove }: { of: Passkey; onRename: () => void; onRemove: () => void }) {
  const { t, i18n } = useLingui()
  const day = (iso: string) => dateText(i18n.locale, Date.parse(iso), 'moment')
  return (
    <li className="flex items-start gap-3">
      <KeyRound aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-muted-foreground" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 text-sm">
          <span className="wrap-anywhere">{of.name}</span>
          {of.synced && (
            <Badge>
              <Trans>Sincronizada</Trans>
            </Badge>
          )}
        </p>
        <p className="text-xs text-muted-foreground">
          <Trans>Criada em {day(of.createdAt)}</Trans>
        </p>
        <p className="text-xs text-muted-foreground">
          {of.lastUsedAt ? <Trans>Usada em {day(of.lastUsedAt)}</Trans> : <Trans>Nunca usada</Trans>}
        </p>
      </div>
      <div className="flex shrink-0 gap-1">
        <Button variant="ghost" size="icon" aria-label={t`Renomear ${of.name}`} onClick={onRename}>
          <Pencil />
        </Button>
        <Button variant="destructive-ghost" size="icon" aria-label={t`Remover ${of.name}`} onClick={onRemove}>
          <Trash2 />
        </Button>
      </div>
    </li>
  )
}
