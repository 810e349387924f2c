import {
  type CloudFailure,
  cloudFailureIn,
  cloudWord,
  isOfNumber,
  isOfValues,
} from '../../schema/whatsapps/whatsapps.cloud-failures.ts'
import type { CloudConnection, CloudDeps } from './cloud.channel.ts'
import type { CloudStore } from './cloud.store.ts'

/** A refusal, and by which template the message went. */
export interface Refused {
  failure: CloudFailure
  code: number | undefined
  template: string | null
  /** It was one of many: what is wrong with its values is wrong with the values of others, too. */
  isMany: boolean
}

export type Troubles = ReturnType<typeof keepTroubles>

/**
 * What the service refuses of more than one message. Where nothing of the number arrives until somebody has mended something,
 * its connection shows that, open as it is, until something arrives. One server may hear of it, and another of its end: what
 * the connection shows stands in its row.
 */
export function keepTroubles({ onRefused, onSession, store }: Pick<CloudDeps, 'onRefused' | 'onSession'> & Kept) {
  return {
    async tell(connection: CloudConnection, { failure, code, template, isMany }: Refused): Promise<void> {
      if (failure === 'template') {
        if (template !== null && (isMany || !isOfValues(code))) await onRefused(connection, { failure, template })
        return
      }
      if (!isOfNumber(failure)) return
      await onRefused(connection, { failure })
      if (!isShown(failure)) return
      const { whatsappId } = connection
      const word = cloudWord(failure, code)
      const now = await store.troubleOf(whatsappId)
      if (now?.word !== word) await onSession(whatsappId, { lastError: word })
    },
    /** The account is limited no more; what else is wrong with it stays. */
    async lifted(whatsappId: number): Promise<void> {
      const now = await store.troubleOf(whatsappId)
      if (now && cloudFailureIn(now.word)?.failure === 'account_limited')
        await onSession(whatsappId, { lastError: null })
    },
    /** A message that was asked for then was delivered. */
    async over(whatsappId: number, askedAt: Date): Promise<void> {
      const now = await store.troubleOf(whatsappId)
      const shown = now && cloudFailureIn(now.word)
      if (shown && isShown(shown.failure) && askedAt > now.since) await onSession(whatsappId, { lastError: null })
    },
  }
}

interface Kept {
  store: Pick<CloudStore, 'troubleOf'>
}

const isShown = (failure: CloudFailure) =>
  failure === 'setup' || failure === 'account_limited' || failure === 'withdrawn'
