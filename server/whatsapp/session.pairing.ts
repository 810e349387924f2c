/** The code that is typed on the phone in place of a scan. */
import { DomainError } from '../../schema/errors.ts'
import type { BinaryNode } from './baileys.ts'
import type { Socket } from './session.device.ts'

/**
 * Asks for a pairing code, and waits for WhatsApp to take it: Baileys gives the code out before that, and a refusal
 * reaches nobody.
 * @throws ERR_PAIRING_REFUSED with WhatsApp's `reason`; ERR_PAIRING_UNANSWERED after `ms` without a word
 */
export async function awaitPairing(sock: Socket, number: string, ms: number): Promise<string> {
  const { ws } = sock
  const answer = Promise.withResolvers<void>()
  const taken = () => answer.resolve()
  // A device that is not linked yet asks for nothing else.
  const refused = (node: BinaryNode) =>
    answer.reject(new DomainError('ERR_PAIRING_REFUSED', { reason: codeOf(node) ?? 'unknown' }))
  const ended = () => answer.reject(new DomainError('ERR_PAIRING_UNANSWERED'))
  const timer = setTimeout(ended, ms)
  ws.on('CB:iq,type:result,link_code_companion_reg', taken)
  ws.on('CB:iq,type:error', refused)
  ws.on('close', ended)
  try {
    const [code] = await Promise.all([sock.requestPairingCode(number), answer.promise])
    return code
  } finally {
    clearTimeout(timer)
    ws.off('CB:iq,type:result,link_code_companion_reg', taken)
    ws.off('CB:iq,type:error', refused)
    ws.off('close', ended)
  }
}

function codeOf({ content }: BinaryNode): string | undefined {
  const error = Array.isArray(content) ? content.find(({ tag }) => tag === 'error') : undefined
  return error?.attrs['code']
}
