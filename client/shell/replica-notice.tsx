import { Trans } from '@lingui/react/macro'
import { HardDrive, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { ClosableNotice } from '../kit/closable-notice.tsx'
import { useReplica } from '../replica/replica.tsx'
import { useSyncStatus } from '../replica/sync-status.ts'

/** Above the screen while this browser's copy of the rows is broken, or cannot be kept. */
export default function ReplicaNotice() {
  const { trouble } = useSyncStatus()
  const [closed, setClosed] = useState(false)
  if (trouble === 'failed' || trouble === 'unfetched') return <FailedNotice unfetched={trouble === 'unfetched'} />
  return trouble === 'unkept' && !closed ? <UnkeptNotice onClose={() => setClosed(true)} /> : null
}

function FailedNotice({ unfetched }: { unfetched: boolean }) {
  const replica = useReplica()
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-b bg-destructive-soft px-4 py-2 text-sm text-destructive-soft-foreground"
    >
      <TriangleAlert aria-hidden="true" className="size-4 shrink-0" />
      <p className="min-w-56 flex-1">
        {unfetched ? (
          <Trans>
            Uma parte do aplicativo ainda não chegou pela rede, e as telas podem estar desatualizadas. O que você
            escreveu está guardado e não se perde.
          </Trans>
        ) : (
          <Trans>
            Os dados guardados neste navegador não abrem, e as telas podem estar desatualizadas. O que você escreveu
            está guardado e não se perde.
          </Trans>
        )}
      </p>
      <div className="flex gap-2">
        <Button variant="outline" size="sm" onClick={() => void replica.restart()}>
          <Trans>Tentar de novo</Trans>
        </Button>
        {!unfetched && (
          <Button variant="outline" size="sm" onClick={() => void replica.restart({ rebuild: true })}>
            <Trans>Baixar tudo de novo</Trans>
          </Button>
        )}
      </div>
    </div>
  )
}

const UnkeptNotice = ({ onClose }: { onClose: () => void }) => (
  <ClosableNotice icon={HardDrive} onClose={onClose}>
    <Trans>
      Este navegador não consegue guardar os atendimentos: ao recarregar, tudo é baixado de novo, e sem rede nada abre.
    </Trans>
  </ClosableNotice>
)
