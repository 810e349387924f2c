import { isRecord } from '../outside/outside.call.ts'
import { fail } from './bots.answer.ts'
import { type BotReply, refusalOf } from './bots.call.ts'

/** Calls of tools in one answer. */
const MOST_CALLS = 10

/**
 * An answer that came in pieces, as one; what came in one piece stays as it is. A service may stream though it was not
 * asked to, and may not though it was.
 * @throws BotFailed where the stream tells of a failure, or breaks off
 */
export function joined(reply: BotReply): BotReply {
  const { body, headers } = reply
  if (typeof body !== 'string') return reply
  const isStream = (headers.get('content-type') ?? '').includes('text/event-stream') || body.startsWith('data:')
  if (!isStream) return reply
  const message = { content: '', refusal: '', tool_calls: new Map<number, { name: string; arguments: string }>() }
  let finish: unknown = null
  let usage: unknown = null
  let isWhole = false
  for (const line of body.split('\n')) {
    if (!line.startsWith('data:')) continue
    const data = line.slice('data:'.length).trim()
    if (data === '[DONE]') isWhole = true
    const piece = parsed(data)
    if (!isRecord(piece)) continue
    if (isRecord(piece.error)) throw refusalOf({ ...reply, status: 500 }, piece.error.code ?? piece.error.type)
    if (piece.usage) ({ usage } = piece)
    const choice = Array.isArray(piece.choices) ? (piece.choices[0] as unknown) : undefined
    if (!isRecord(choice)) continue
    if (choice.finish_reason) finish = choice.finish_reason
    // Some send the whole message in one event.
    const said = isRecord(choice.delta) ? choice.delta : choice.message
    if (!isRecord(said)) continue
    if (typeof said.content === 'string') message.content += said.content
    if (typeof said.refusal === 'string') message.refusal += said.refusal
    for (const [n, call] of (Array.isArray(said.tool_calls) ? (said.tool_calls as unknown[]) : []).entries()) {
      if (!isRecord(call) || !isRecord(call.function)) continue
      const at = typeof call.index === 'number' ? call.index : n
      if (!message.tool_calls.has(at) && message.tool_calls.size >= MOST_CALLS) continue
      const known = message.tool_calls.get(at) ?? { name: '', arguments: '' }
      const { name, arguments: given } = call.function
      if (typeof name === 'string') known.name += name
      if (typeof given === 'string') known.arguments += given
      message.tool_calls.set(at, known)
    }
  }
  if (!isWhole && finish === null) throw fail('again', 'broken', `${reply.host} breaks off in the middle of its answer`)
  const { content, refusal, tool_calls } = message
  const calls = [...tool_calls.values()].map((one) => ({ function: one }))
  return {
    ...reply,
    body: { choices: [{ finish_reason: finish, message: { content, refusal, tool_calls: calls } }], usage },
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
