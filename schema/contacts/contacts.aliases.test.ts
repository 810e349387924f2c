import { expect, test } from 'bun:test'
import { dose } from '../../tests/support/dose.ts'
import { historyOf, randomOf, type Told } from './contacts.aliases.fixture.ts'
import { idOf, type KnownContact, recognise, type Recognised, rename } from './contacts.aliases.ts'

/** The contacts of a company, kept in memory. */
class Book {
  readonly contacts = new Map<number, KnownContact>()
  /** Into which contact one went. */
  private readonly into = new Map<number, number>()
  private last = 0

  keep({ contactId, merges, person, others }: Recognised): number {
    for (const other of others) this.contacts.set(other.id, other)
    for (const id of merges) {
      this.contacts.delete(id)
      this.into.set(id, contactId!)
    }
    const id = contactId ?? ++this.last
    this.contacts.set(id, { ...person, id })
    this.check()
    return id
  }
  hear({ at, said }: Told): number {
    const known = [...this.contacts.values()]
    return this.keep(said.is === 'message' ? recognise(said.who, known, at) : rename(said, known, at))
  }
  idOf(id: number): number {
    const into = this.into.get(id)
    return into === undefined ? id : this.idOf(into)
  }
  /** What the keys of the table forbid. */
  private check(): void {
    const taken = new Set<string>()
    const take = (key: string) => {
      if (taken.has(key)) throw new Error(`twice: ${key}`)
      taken.add(key)
    }
    for (const { id, number, lid, aliases } of this.contacts.values()) {
      if (number !== null) take(`number ${number}`)
      if (lid !== null) take(`lid ${lid}`)
      for (const { kind, scope, value, until } of aliases) {
        take(kind === 'number' ? `${id} had ${value}` : `${kind} ${scope} ${value}`)
        if (kind === 'bsuid' && until === null) take(`${id} in ${scope}`)
      }
    }
  }
}

function live(seed: number): void {
  const { told, componentOf, today } = historyOf(randomOf(seed))
  const book = new Book()
  const filed = told.map((one) => {
    try {
      return book.hear(one)
    } catch (error) {
      throw new Error(`seed ${seed}: ${String(error)}`)
    }
  })
  const owners = new Map<number, number>()
  for (const [i, { pid }] of told.entries()) {
    const id = book.idOf(filed[i]!)
    if ((owners.get(id) ?? pid) !== pid) throw new Error(`seed ${seed}: two people are contact ${id}`)
    owners.set(id, pid)
  }
  const contactOf = new Map<string, number>()
  for (const [i, id] of filed.entries()) {
    const component = componentOf(i)
    const contact = book.idOf(id)
    if ((contactOf.get(component) ?? contact) !== contact)
      throw new Error(`seed ${seed}: person ${told[i]!.pid} is two contacts`)
    contactOf.set(component, contact)
  }
  for (const { component, number, ids } of today) {
    const id = contactOf.get(component)
    const contact = id === undefined ? undefined : book.contacts.get(id)
    if (!contact) continue
    if (number !== null && contact.number !== number)
      throw new Error(`seed ${seed}: contact ${id} has the number ${contact.number}, not ${number}`)
    for (const [portfolio, own] of ids)
      if (idOf(contact, portfolio) !== own)
        throw new Error(`seed ${seed}: contact ${id} is ${idOf(contact, portfolio)} in ${portfolio}, not ${own}`)
  }
}

test('one person is one contact, and two never one, whatever the wires tell in whichever order', () => {
  const first = Number(process.env.FUZZ_SEED ?? 1)
  for (let seed = first; seed < first + dose(300, 10_000); seed++) live(seed)
  expect(true).toBe(true)
})
