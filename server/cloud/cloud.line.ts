import { DomainError } from '../../schema/errors.ts'
import { type CloudFailure, cloudWord } from '../../schema/whatsapps/whatsapps.cloud-failures.ts'
import { createPace, type Pace } from './cloud.pace.ts'
import type { CloudAccount } from './cloud.store.ts'

/** A connection that this process speaks for. */
export interface Line {
  readonly id: number
  readonly companyId: number
  account: CloudAccount
  pace: Pace
  isOpen: boolean
  /** Whether it was open at some time: what comes after that is a link made again. */
  wasOpen: boolean
  reconnects: number
  lastInAt: Date | null
  lastOutAt: Date | null
  problem: string | null
  /** By this process's clock. */
  probeAt: number
  /** Messages whose answer was lost, by our ids. */
  readonly unanswered: Set<string>
}

export const newLine = (account: CloudAccount): Line => ({
  ...{ id: account.whatsappId, companyId: account.companyId, account },
  ...{ pace: createPace(account), isOpen: false, wasOpen: false, reconnects: 0, lastInAt: null, lastOutAt: null },
  ...{ problem: null, probeAt: 0, unanswered: new Set<string>() },
})

/** Not now: it waits, and is asked for again after so many milliseconds. */
export const later = (whatsappId: number, retryInMs: number): DomainError =>
  new DomainError('ERR_WAPP_NOT_INITIALIZED', { whatsappId, retryInMs })

/** For good. */
export const refused = (failure: CloudFailure, code?: number): DomainError =>
  new DomainError('ERR_CHANNEL_REFUSED', { reason: cloudWord(failure, code) })
