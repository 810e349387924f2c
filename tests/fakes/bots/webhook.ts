import { createHmac } from 'node:crypto'
import { type FakeService, Troubles } from './serve.ts'

/**
 * A program that takes our events, as n8n with a webhook does: it checks the signature by Standard Webhooks' own words
 * and answers what it is told to.
 */
export function fakeWebhook({ secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}` }: { secret?: string } = {}) {
  const received: { id: string; at: number; event: Record<string, unknown>; bytes: number }[] = []
  const troubles = new Troubles()
  const state: { answer: unknown; now: () => number } = {
    answer: { messages: [{ text: 'Recebido!' }] },
    now: () => Date.now() / 1000,
  }
  return {
    secret,
    received,
    troubles,
    state,
    async handle(request: Request): Promise<Response> {
      const trouble = await troubles.take()
      if (trouble) return trouble
      const body = await request.text()
      const id = request.headers.get('webhook-id') ?? ''
      const at = Number(request.headers.get('webhook-timestamp'))
      const given = (request.headers.get('webhook-signature') ?? '').split(' ')
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
      const right = `v1,${createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')}`
      if (!id || !given.includes(right) || Math.abs(state.now() - at) > 300)
        return new Response('signature', { status: 401 })
      received.push({ id, at, event: JSON.parse(body) as Record<string, unknown>, bytes: Buffer.byteLength(body) })
      return typeof state.answer === 'string' ? new Response(state.answer) : Response.json(state.answer)
    },
  } satisfies FakeService & Record<string, unknown>
}
