/**
 * Spellings that older clients of this family send and read. Whoever stands at the wire, the routes on one side and the
 * calls of our client on the other, translates them here; nobody behind them knows them.
 */

/** Our names of fields, and the wire's. */
type Names = Readonly<Record<string, string>>

type ToWire<T, N extends Names> = { [K in keyof T as K extends keyof N ? N[K] : K]: T[K] }
type FromWire<T, N extends Names> = { [K in keyof T as OurName<K, N>]: T[K] }
type OurName<K extends PropertyKey, N extends Names> = K extends N[keyof N]
  ? { [O in keyof N]: N[O] extends K ? O : never }[keyof N]
  : K

/** `write` gives a row, or the fields of a schema, the wire's names; `read` gives them ours. All others stay. */
function spelled<const N extends Names>(names: N) {
  const ours = Object.fromEntries(Object.entries(names).map(([our, wires]) => [wires, our]))
  return {
    write: <T extends object>(row: T) => renamed(row, names) as ToWire<T, N>,
    read: <T extends object>(row: T) => renamed(row, ours) as FromWire<T, N>,
  }
}

const renamed = (row: object, names: Names) =>
  Object.fromEntries(Object.entries(row).map(([key, value]) => [names[key] ?? key, value as unknown]))

export const quickMessageWire = spelled({ isGeneral: 'geral' })
export const whatsappWire = spelled({ completionMessage: 'complationMessage' })

/** The right of a user to see tickets without a queue. */
export const allTicketWords = ['enabled', 'desabled'] as const
export type AllTicketWord = (typeof allTicketWords)[number]

type WithRight<T, Right> = { [K in keyof T]: K extends 'allTicket' ? Right : T[K] }

export const userWire = {
  write: <T extends { allTicket: boolean }>(user: T) =>
    ({ ...user, allTicket: allTicketWords[user.allTicket ? 0 : 1] }) as WithRight<T, AllTicketWord>,
  read: <T extends { allTicket?: AllTicketWord }>(user: T) =>
    (user.allTicket === undefined
      ? user
      : { ...user, allTicket: user.allTicket === 'enabled' }) as unknown as WithRight<T, boolean>,
}

/** Fields that hold a number or nothing. Older clients write nothing as an empty text or `false`, and numbers as texts. */
const numberFields = ['orderQueue', 'promptId', 'integrationId', 'transferQueueId', 'whatsappId']

/** Writes those fields of a body as ours; the hook of routes that they call. */
export function readNumbers({ body }: { body: unknown }): void {
  if (typeof body !== 'object' || body === null) return
  const fields = body as Record<string, unknown>
  for (const name of numberFields) {
    const value = fields[name]
    if (value === '' || value === false) fields[name] = null
    else if (typeof value === 'string' && /^\d{1,10}$/.test(value)) fields[name] = Number(value)
  }
}
