import { cloudWord, isOfNumber, isOfValues, type CloudFailure } from '../../schema/whatsapps/whatsapps.cloud-failures.ts'
import type { CloudConnection, CloudDeps } from './cloud.channel.ts'

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
 * its connection shows that, open as it is, until something arrives.
 */
export function keepTroubles({ onRefused, onSession, now }: Pick<CloudDeps, 'onRefused' | 'onSession' | 'now'>) {
  /** By connection, what it shows and since when. */
  const shown = new Map<number, { word: string; since: Date }>()
  return {
    async tell(connection: CloudConnection, { failure, code, template, isMany }: Refused): Promise<void> {
      if (failure === 'template') {
        if (template !== null && (isMany || !isOfValues(code))) await onRefused(connection, { failure, template })
        return
      }
      if (!isOfNumber(failure)) return
      await onRefused(connection, { failure })
      if (failure !== 'setup' && failure !== 'account_limited') return
      const { whatsappId } = connection
      const word = cloudWord(failure, code)
      if (shown.get(whatsappId)?.word === word) return
      await onSession(whatsappId, { lastError: word })
      shown.set(whatsappId, { word, since: now() })
    },
    /** A message that was asked for then was delivered. */
    async over(whatsappId: number, askedAt: Date): Promise<void> {
      const trouble = shown.get(whatsappId)
      if (!trouble || askedAt <= trouble.since) return
      shown.delete(whatsappId)
      await onSession(whatsappId, { lastError: null })
    },
  }
}
