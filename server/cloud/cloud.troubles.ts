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

/** What the service refuses of more than one message. The connection is open all the while, and shows it until something arrives again. */
export function keepTroubles({ onRefused, onSession }: Pick<CloudDeps, 'onRefused' | 'onSession'>) {
  /** By connection, what it shows. */
  const shown = new Map<number, string>()
  return {
    async tell(connection: CloudConnection, { failure, code, template, isMany }: Refused): Promise<void> {
      if (failure === 'template') {
        if (template !== null && (isMany || !isOfValues(code))) await onRefused(connection, { failure, template })
        return
      }
      if (!isOfNumber(failure)) return
      await onRefused(connection, { failure })
      const { whatsappId } = connection
      const word = cloudWord(failure, code)
      if (shown.get(whatsappId) === word) return
      await onSession(whatsappId, { lastError: word })
      shown.set(whatsappId, word)
    },
    /** A message of the connection was delivered. */
    async over(whatsappId: number): Promise<void> {
      if (shown.delete(whatsappId)) await onSession(whatsappId, { lastError: null })
    },
  }
}
