import type { ConnectionStatus } from '../../schema/whatsapps/whatsapps.table.ts'

/** What a person may do with a session. */
export type SessionControl = 'qr' | 'start' | 'newQr' | 'disconnect' | 'connecting'

/** The buttons of each status. */
export const sessionControls: Record<ConnectionStatus, readonly SessionControl[]> = {
  qrcode: ['qr'],
  DISCONNECTED: ['start', 'newQr'],
  CONNECTED: ['disconnect'],
  PAIRING: ['disconnect'],
  TIMEOUT: ['disconnect'],
  OPENING: ['connecting'],
  // The link to the phone is forgotten; there is nothing left to resume.
  PENDING: ['newQr'],
}

/** Statuses that need somebody's attention: the menu shows '!'. */
const troubled: readonly ConnectionStatus[] = ['qrcode', 'PAIRING', 'DISCONNECTED', 'TIMEOUT', 'OPENING', 'PENDING']
export const needsAttention = (status: ConnectionStatus): boolean => troubled.includes(status)
