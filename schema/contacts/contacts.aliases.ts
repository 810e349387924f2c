import type { ContactAlias } from './aliases.table.ts'
import { numberKey } from './contacts.phone.ts'
import type { Contact } from './contacts.table.ts'

/**
 * Who somebody is, by all that WhatsApp calls them: one person is one contact, and two are never one.
 *
 * - A LID, and a BSUID within its portfolio, name one account each: who has another one of the same kind is somebody else.
 * - A number names whoever has it at that time. It passes from one to another, and with another number people get other ids.
 * - A parent id joins, and parts nobody: a company may belong to several groups of portfolios.
 * - A username says nothing.
 */

/** A person’s id in the official API, which is good within one portfolio. */
export interface Bsuid {
  portfolio: string
  id: string
  /** Their id in a group of portfolios, where there is one. */
  parent: string | null
}

/** By what somebody was named; at least one of it is known. */
export interface Named {
  /** Digits. */
  number: string | null
  lid: string | null
  bsuid?: Bsuid | null | undefined
}

export type Alias = Pick<ContactAlias, 'kind' | 'scope' | 'value' | 'since' | 'until'>

/** What a person is known by: what is true today, and aliases with what was. */
export interface Known extends Pick<Contact, 'number' | 'numberAt' | 'lid'> {
  aliases: readonly Alias[]
}
export type KnownContact = Known & Pick<Contact, 'id'>

export interface Recognised {
  /** The contact that they are; null where one is to be made. */
  contactId: number | null
  /** Contacts that become it. */
  merges: number[]
  /** What the contact is known by from then on. */
  person: Known
  /** Contacts whose number has become theirs, as they are from then on. Written first. */
  others: KnownContact[]
}

const isBefore = (at: Date, other: Date | null) => other !== null && at < other
const isSame = (a: Alias, b: Alias) => a.kind === b.kind && a.scope === b.scope && a.value === b.value
/** What was told before that is theirs no more. */
const outdated = (alias: Alias, at: Date): Alias => (alias.since < at ? ended(alias, at) : alias)
/** It is theirs no more, unless it was told later than that. */
const ended = (alias: Alias, at: Date): Alias =>
  alias.until === null && !isBefore(at, alias.since) ? { ...alias, until: at } : alias

const idAlias = ({ portfolio, id }: Bsuid, since: Date): Alias => ({
  ...{ kind: 'bsuid', scope: portfolio, value: id, since, until: null },
})
const parentAlias = (value: string, since: Date): Alias => ({ kind: 'parent', scope: '', value, since, until: null })
const idsIn = ({ bsuid }: Named, since: Date): Alias[] =>
  bsuid ? [idAlias(bsuid, since), ...(bsuid.parent === null ? [] : [parentAlias(bsuid.parent, since)])] : []
/** What somebody was named by, as what a contact is known by. */
const saidOf = ({ lid, bsuid }: Named, at: Date): Pick<Known, 'lid' | 'aliases'> => ({
  lid,
  aliases: bsuid ? [idAlias(bsuid, at)] : [],
})

/** Their id of today in a portfolio. */
export const idOf = ({ aliases }: Pick<Known, 'aliases'>, portfolio: string): string | undefined =>
  aliases.find(({ kind, scope, until }) => kind === 'bsuid' && scope === portfolio && until === null)?.value

/** Whether nothing says that these are two accounts. */
export function mayBeOne(a: Pick<Known, 'lid' | 'aliases'>, b: Pick<Known, 'lid' | 'aliases'>): boolean {
  if (a.lid !== null && b.lid !== null && a.lid !== b.lid) return false
  return a.aliases.every(
    ({ kind, scope, value, until }) => kind !== 'bsuid' || until !== null || (idOf(b, scope) ?? value) === value,
  )
}

/** Whether a contact that had a number until then went by another id of the same portfolio while they had it. */
const wasOther = ({ aliases }: Known, { bsuid }: Named, at: Date, numberUntil: Date): boolean => {
  const own = aliases.filter(
    ({ kind, scope, since, until }) =>
      bsuid && kind === 'bsuid' && scope === bsuid.portfolio && since < numberUntil && (until === null || at < until),
  )
  return own.length > 0 && !own.some(({ value }) => value === bsuid!.id)
}

/** Who goes by the names of an account, at a time or no more. `until`: they go by them no more, since then. */
function ofAccount(
  who: Named,
  known: readonly KnownContact[],
  at: Date | null,
): { found: KnownContact[]; until: Date | null } {
  const { lid } = who
  const said = saidOf(who, at ?? new Date(0))
  const found = new Set<KnownContact>()
  let until: Date | null = null
  for (const id of idsIn(who, at ?? new Date(0)))
    for (const one of known) {
      const alias = one.aliases.find((own) => isSame(own, id))
      // Who goes on under an id has it still, whatever was concluded.
      const isAlive =
        alias && (alias.until === null || (at !== null && at > alias.until && idOf(one, id.scope) === undefined))
      if (!alias || (isAlive && !(mayBeOne(one, said) && [...found].every((other) => mayBeOne(one, other))))) continue
      if (isAlive && until !== null) continue
      found.add(one)
      if (!isAlive) until ??= alias.until
    }
  const byLid = lid === null ? undefined : known.find((one) => one.lid === lid)
  if (byLid && [...found].every((one) => mayBeOne(one, byLid))) found.add(byLid)
  return { found: [...found], until }
}

/**
 * Who of those that may be this person had their number at a time: who had it until later than that, else whoever has it
 * today, however it is spelt.
 */
function ofNumber(who: Named, known: readonly KnownContact[], at: Date) {
  if (who.number === null) return { found: [], until: null }
  const key = numberKey(who.number)
  const [first] = known
    .flatMap((one) =>
      one.aliases.flatMap(({ kind, value, until }) =>
        kind === 'number' && numberKey(value) === key && isBefore(at, until) && !wasOther(one, who, at, until!)
          ? [{ one, until: until! }]
          : [],
      ),
    )
    .toSorted((a, b) => a.until.getTime() - b.until.getTime())
  if (first) return { found: [first.one], until: first.until }
  return { found: known.filter(({ number }) => number !== null && numberKey(number) === key), until: null }
}

/**
 * Which contact somebody is.
 * @param known every contact that has, or had, one of the names
 * @param at when it was said
 */
export function recognise(who: Named, known: readonly KnownContact[], at: Date): Recognised {
  const { found, until } = ofAccount(who, known, at)
  return settle(who, found, until, known, at)
}

/** The same of somebody who is one of `found` already. @param until their ids were good no longer than that */
function settle(
  who: Named,
  begun: readonly KnownContact[],
  until: Date | null,
  known: readonly KnownContact[],
  at: Date,
): Recognised {
  const found = [...begun]
  const key = who.number === null ? null : numberKey(who.number)
  const hasIt = begun.some(({ number }) => number !== null && numberKey(number) === key)
  const holders = hasIt ? { found: [...begun], until: null } : ofNumber(who, known, at)
  const said = saidOf(who, at)
  // What was said under names that they have left tells no number of today. They had left it by then.
  const later = begun.flatMap(({ numberAt, aliases }) => [
    ...(numberAt !== null && at < numberAt ? [numberAt] : []),
    ...changesOfId(aliases).filter((change) => at < change),
  ])
  const left = [...(until ? [until] : []), ...later].toSorted((a, b) => a.getTime() - b.getTime())[0]
  let isTheirs = who.number !== null && left === undefined && holders.until === null
  const others: KnownContact[] = []
  for (const holder of holders.found) {
    if (found.includes(holder)) continue
    const isOne = [...(until ? [] : [said]), ...found].every((one) => mayBeOne(one, holder))
    if (left !== undefined) {
      if (isOne && holders.until) found.push(holder)
      else if (isOne && isBefore(holder.numberAt ?? left, left)) found.push(leaving(holder, left))
    } else if (isOne) found.push(holder)
    else if (!isTheirs || isBefore(at, holder.numberAt)) isTheirs = false
    else others.push(withoutNumber(holder, at))
  }
  if (found.some(({ numberAt }) => isBefore(at, numberAt))) isTheirs = false
  const [kept, ...gone] = found.toSorted((a, b) => a.id - b.id)
  const isFree = (alias: Alias) =>
    known.every((one) => found.includes(one) || !one.aliases.some((own) => isSame(own, alias)))
  const ids = idsIn(who, at).filter(isFree)
  // The ids of a number go with it.
  const past = until ?? (holders.found.some((one) => found.includes(one)) ? holders.until : null)
  const person = learned(asOne(found, at), { number: isTheirs ? who.number : null, lid: who.lid, ids, until: past }, at)
  // A number that nobody has, told late: they had it.
  const isUnknown =
    left !== undefined &&
    who.number !== null &&
    holders.found.length === 0 &&
    !person.aliases.some(({ kind, value }) => kind === 'number' && value === who.number)
  return {
    contactId: kept?.id ?? null,
    merges: gone.map(({ id }) => id),
    person: isUnknown ? { ...person, aliases: had(person.aliases, who.number!, left) } : person,
    others,
  }
}

/** When they were told to go by another id from then on, and with it by another number. */
const changesOfId = (aliases: readonly Alias[]): Date[] =>
  aliases.flatMap(({ kind, scope, until }) => {
    const isNext = (other: Alias) =>
      other.kind === kind && other.scope === scope && other.since.getTime() === until?.getTime()
    return kind === 'bsuid' && until !== null && aliases.some(isNext) ? [until] : []
  })

const leaving = (contact: KnownContact, at: Date): KnownContact => ({
  ...contact,
  number: null,
  numberAt: null,
  aliases: had(contact.aliases, contact.number!, at, contact.numberAt),
})

/** The number has become another's; with their new one they have new ids. */
const withoutNumber = (contact: KnownContact, at: Date): KnownContact => ({
  ...contact,
  number: null,
  numberAt: null,
  aliases: had(
    contact.aliases.map((alias) => (alias.kind === 'bsuid' || alias.kind === 'parent' ? outdated(alias, at) : alias)),
    contact.number!,
    at,
    contact.numberAt,
  ),
})

/** With a number that they had until then; who has had it twice, until the later time. */
function had(aliases: readonly Alias[], number: string, until: Date, since: Date | null = null): Alias[] {
  const isIt = ({ kind, value }: Alias) => kind === 'number' && value === number
  const known = aliases.find(isIt)
  const own: Alias = { kind: 'number', scope: '', value: number, since: since ?? until, until }
  const last = known?.until && isBefore(until, known.until) ? known : own
  return [...aliases.filter((alias) => !isIt(alias)), last]
}

/** Several contacts as the one person that they are. Of numbers the one that was told last is today's. */
function asOne(found: readonly KnownContact[], at: Date): Known {
  const time = ({ numberAt }: Known) => numberAt?.getTime() ?? 0
  const [latest, ...before] = found
    .filter(({ number }) => number !== null)
    .toSorted((a, b) => time(b) - time(a) || a.id - b.id)
  let aliases: Alias[] = []
  for (const alias of found.flatMap((one) => one.aliases))
    if (alias.kind === 'number') aliases = had(aliases, alias.value, alias.until!, alias.since)
    else aliases.push(alias)
  for (const { number, numberAt } of before)
    if (numberKey(number!) !== numberKey(latest!.number!))
      aliases = had(aliases, number!, latest!.numberAt ?? at, numberAt)
  const lid = found.find((one) => one.lid !== null)?.lid ?? null
  // Their ids changed after it was told: so did the number.
  const [turned] = aliases
    .flatMap(({ kind, until }) =>
      kind === 'bsuid' && until && latest?.numberAt && latest.numberAt < until ? [until] : [],
    )
    .toSorted((a, b) => a.getTime() - b.getTime())
  if (turned && found.length > 1)
    return { number: null, numberAt: null, lid, aliases: had(aliases, latest!.number!, turned, latest!.numberAt) }
  return { number: latest?.number ?? null, numberAt: latest?.numberAt ?? null, lid, aliases }
}

/** Of two ids in a portfolio the one that was told later is today's. */
const oneEach = (aliases: readonly Alias[]): Alias[] =>
  aliases.map((alias, i) => {
    const isNewer = (other: Alias, j: number) =>
      other.kind === 'bsuid' &&
      other.scope === alias.scope &&
      other.until === null &&
      (other.since > alias.since || (other.since.getTime() === alias.since.getTime() && j > i))
    const newer = alias.kind === 'bsuid' && alias.until === null ? aliases.find(isNewer) : undefined
    return newer ? { ...alias, until: newer.since } : alias
  })

/** A person, with what was told of them. */
function learned(
  person: Known,
  said: { number: string | null; lid: string | null; ids: readonly Alias[]; until: Date | null },
  at: Date,
): Known {
  const { number, ids } = said
  let { aliases } = person
  const isMoved = number !== null && person.number !== null && numberKey(number) !== numberKey(person.number)
  if (isMoved)
    aliases = had(aliases, person.number!, at, person.numberAt).map((alias) =>
      alias.kind === 'number' ? alias : outdated(alias, at),
    )
  if (said.until === null) {
    const since = (id: Alias) => aliases.find((own) => isSame(own, id))?.since ?? at
    const said = ids.map((id) => ({ ...id, since: since(id) < at ? since(id) : at }))
    aliases = [...aliases.filter((own) => !ids.some((id) => isSame(own, id))), ...said]
  } else {
    const past = said.until
    const isIn = (alias: Alias) => aliases.some((own) => isSame(own, alias))
    aliases = [
      ...aliases.map((own) => (ids.some((id) => isSame(own, id)) ? ended(own, past) : own)),
      ...ids.flatMap((id) => (isIn(id) ? [] : [ended(id, past)])),
    ]
  }
  const isNews = number !== null && (person.number === null || isMoved)
  return {
    number: number ?? person.number,
    numberAt: isNews || (number !== null && person.numberAt === null) ? at : person.numberAt,
    lid: person.lid ?? said.lid,
    aliases: oneEach(aliases),
  }
}

/** Somebody has changed their number, or goes by another id from then on, as the official API tells. */
export interface Renaming {
  before: Named
  after: Named
}

/** Which contact somebody is who was renamed. It may be told before they write under the new names or after, and again. */
export function rename({ before, after }: Renaming, known: readonly KnownContact[], at: Date): Recognised {
  const ids = idsIn(before, at).filter((id) => !idsIn(after, at).some((other) => isSame(id, other)))
  const justBefore = new Date(at.getTime() - 1)
  const own = ofAccount(before, known, null)
  const isNews = own.until === null
  const mine = [...own.found]
  const holders = ofNumber({ ...before, bsuid: null }, known, justBefore)
  for (const holder of holders.found)
    if (!mine.includes(holder) && !isBefore(justBefore, holders.until ? null : holder.numberAt))
      if (mine.every((one) => mayBeOne(one, holder))) mine.push(holder)
  // With another number they have other ids, in each portfolio; a number that is not told is another one, too.
  const past = (one: KnownContact): KnownContact => {
    // Who had it before is by now what they have become.
    const isSaid = own.found.includes(one) ? !isNews : holders.until !== null
    const goesOn = idsIn(after, at)
    const isOver = (alias: Alias) =>
      isSaid ? ids.some((id) => isSame(id, alias)) : !goesOn.some((id) => isSame(id, alias))
    const aliases = one.aliases.map((alias) => {
      if (alias.value === after.number || goesOn.some((id) => isSame(id, alias))) return alias
      // What was only concluded is known now.
      if (alias.until !== null) return alias.since < at && at < alias.until ? { ...alias, until: at } : alias
      if (!isOver(alias)) return alias
      return ids.some((id) => isSame(id, alias)) ? ended(alias, at) : outdated(alias, at)
    })
    if (isSaid) return { ...one, aliases }
    const isLeft = one.number !== null && one.number !== after.number && !isBefore(at, one.numberAt)
    return isLeft ? leaving({ ...one, aliases }, at) : { ...one, aliases }
  }
  const since = known.map((one) => (mine.includes(one) ? past(one) : one))
  const begun = since.filter((_, i) => mine.includes(known[i]!))
  const now = ofAccount(after, since, at)
  for (const one of now.found) if (!begun.includes(one) && begun.every((other) => mayBeOne(one, other))) begun.push(one)
  const result = settle(after, begun, now.until, since, at)
  const isFree = (alias: Alias) =>
    since.every((one) => begun.includes(one) || !one.aliases.some((other) => isSame(other, alias)))
  const aliases = [...result.person.aliases]
  for (const id of ids.filter(isFree)) if (!aliases.some((alias) => isSame(alias, id))) aliases.push(ended(id, at))
  const { number } = result.person
  const hasIt = number !== null && before.number !== null && numberKey(number) === numberKey(before.number)
  if (before.number !== null && !hasIt && before.number !== after.number)
    return { ...result, person: { ...result.person, aliases: had(aliases, before.number, at) } }
  const isSaid = number !== null && number === after.number && isBefore(result.person.numberAt ?? at, at)
  return { ...result, person: { ...result.person, aliases, ...(isSaid && { numberAt: at }) } }
}
