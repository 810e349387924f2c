import type { Capabilities } from '../../schema/whatsapps/whatsapps.providers.ts'
import type { ConnectionStatus } from '../../schema/whatsapps/whatsapps.table.ts'

/** What a person may do with a session. */
export type SessionControl = 'qr' | 'start' | 'newQr' | 'disconnect' | 'connecting'

/** The buttons of each status, of a connection that is linked by a phone. */
const byStatus: Record<ConnectionStatus, readonly SessionControl[]> = {
  qrcode: ['qr'],
  DISCONNECTED: ['start', 'newQr'],
  CONNECTED: ['disconnect'],
  PAIRING: ['disconnect'],
  TIMEOUT: ['disconnect'],
  OPENING: ['connecting'],
  // The link to the phone is forgotten; there is nothing left to resume.
  PENDING: ['newQr'],
}

/** The buttons of a connection: where no phone links it there is no code to read, and it can only be started. */
export function sessionControls(
  status: ConnectionStatus,
  { pair }: Pick<Capabilities, 'pair'>,
): readonly SessionControl[] {
  if (pair) return byStatus[status]
  const others = byStatus[status].filter((control) => control !== 'qr' && control !== 'newQr')
  return others.length > 0 ? others : ['start']
}

/** Statuses that need somebody's attention: the menu shows '!'. */
const troubled: readonly ConnectionStatus[] = ['qrcode', 'PAIRING', 'DISCONNECTED', 'TIMEOUT', 'OPENING', 'PENDING']
export const needsAttention = (status: ConnectionStatus): boolean => troubled.includes(status)
