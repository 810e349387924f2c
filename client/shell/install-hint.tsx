import { Trans, useLingui } from '@lingui/react/macro'
import { Download, X } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { hintIsDue, hintSeen, installWay } from '../account/install.ts'
import { useStore } from '../base/store.ts'

/** Below the top bar, once for each device: that the app can stand among the others, and open by itself. */
export default function InstallHint() {
  const { t } = useLingui()
  const way = useStore(installWay)
  const [due, setDue] = useState(() => hintIsDue(Date.now()))
  if (!due || way === null) return null
  const close = () => {
    hintSeen()
    setDue(false)
  }
  return (
    <section
      aria-label={t`Instalar o aplicativo`}
      className="flex items-center gap-2.5 border-b bg-primary-soft py-1 pr-2 pl-4 text-sm text-primary-soft-foreground"
    >
      <Download aria-hidden="true" className="size-4 shrink-0" />
      <p className="min-w-0 flex-1">
        {way === 'byHand' ? (
          <Trans>
            Toque em Compartilhar e em “Adicionar à Tela de Início”: o aplicativo abre sozinho e pode avisar.
          </Trans>
        ) : (
          <Trans>Instale o aplicativo: ele abre em uma janela só dele, também sem rede.</Trans>
        )}
      </p>
      {way !== 'byHand' && (
        <Button
          size="sm"
          onClick={() => {
            close()
            void way.ask()
          }}
        >
          <Trans>Instalar</Trans>
        </Button>
      )}
      <IconButton label={t`Agora não`} onClick={close}>
        <X />
      </IconButton>
    </section>
  )
}
