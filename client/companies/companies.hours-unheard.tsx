import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { Notice } from '../ui/notice.tsx'
import { useConnections } from '../whatsapps/whatsapps.queries.ts'
import { useQueues } from '../queues/queues.queries.ts'

/** Names those whose hours restrict nothing, because nobody is told of them: the message lies with them. */
export function HoursUnheard({ scheduleType }: { scheduleType: string }) {
  if (scheduleType === 'company') return <SilentConnections />
  return scheduleType === 'queue' ? <SilentQueues /> : null
}

/** What is only known of while the server is there says nothing. */
const isSilent = ({ outOfHoursMessage }: { outOfHoursMessage?: string }) => outOfHoursMessage?.trim() === ''

function SilentConnections() {
  const names = (useConnections().data ?? []).filter(isSilent).map(({ name }) => name)
  if (names.length === 0) return null
  const list = names.join(', ')
  return (
    <Notice>
      <Trans>
        O horário não vale ainda em: {list}. Falta a mensagem, que fica na conexão, em Mensagens, “Fora do horário”. Sem
        ela, ninguém é avisado.
      </Trans>{' '}
      <Link to="/connections" className={link}>
        <Trans>Abrir Conexões</Trans>
      </Link>
    </Notice>
  )
}

function SilentQueues() {
  const { data, offline } = useQueues()
  const names = offline ? [] : (data ?? []).filter(isSilent).map(({ name }) => name)
  if (names.length === 0) return null
  const list = names.join(', ')
  return (
    <Notice>
      <Trans>
        O horário não vale ainda em: {list}. Falta a mensagem, que fica na fila, em “Horários de atendimento”. Sem ela,
        ninguém é avisado.
      </Trans>{' '}
      <Link to="/queues" className={link}>
        <Trans>Abrir Filas</Trans>
      </Link>
    </Notice>
  )
}

const link = 'focus-ring rounded-sm font-medium underline underline-offset-4'
