/** What the service looks at in a place and in cards of people. */
import { GraphRefusal } from './wire.ts'

type Json = Record<string, unknown>

/** @throws GraphRefusal where a place or a card lacks what the service asks for */
export function demandShared(body: Json): void {
  const refuse = (what: string): never => {
    throw new GraphRefusal(131_009, 400, what)
  }
  if (body['type'] === 'location') {
    const { latitude, longitude } = (body['location'] ?? {}) as Json
    const isWithin = (value: unknown, most: number) => typeof value === 'number' && Math.abs(value) <= most
    if (!isWithin(latitude, 90) || !isWithin(longitude, 180)) refuse('location')
  }
  if (body['type'] !== 'contacts') return
  const cards = body['contacts'] as { name?: Json; phones?: Json[] }[] | undefined
  if (!Array.isArray(cards) || cards.length < 1 || cards.length > 257) return refuse('contacts')
  for (const { name = {}, phones = [] } of cards) {
    const { formatted_name: whole, ...parts } = name
    // A name as a whole, and at least one part of it.
    if (typeof whole !== 'string' || whole === '' || Object.keys(parts).length === 0) refuse('name')
    for (const { phone, wa_id: account = '1' } of phones)
      if (typeof phone !== 'string' || !/^\d+$/.test(String(account))) refuse('phones')
  }
}
