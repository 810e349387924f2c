import type { Named, Renaming } from './contacts.aliases.ts'

/**
 * People who write over two official numbers of two portfolios and over a linked device, change their numbers, hide them,
 * and take those of others; and what the wires tell of it, out of order, twice, with names left out. The truth is kept
 * beside it: by what was told, which things that were said are one person’s.
 */
export interface Told {
  pid: number
  at: Date
  said: { is: 'message'; who: Named } | ({ is: 'rename' } & Renaming)
}

export interface History {
  /** In the order in which it comes. */
  told: Told[]
  /** Of what was said in `told`, by its place: the same text for one person whom the names tie together. */
  componentOf(place: number): string
  /** What each person is known by in the end, as far as a component has it. */
  today: { component: string; number: string | null; ids: ReadonlyMap<string, string> }[]
}

const PORTFOLIOS = ['p1', 'p2'] as const

interface Person {
  pid: number
  epoch: number
  number: string
  lid: string
  ids: Map<string, string>
  parent: string | null
  isHidden: boolean
  /** Portfolios in which they have written. */
  seen: Set<string>
  /** They write over the first number only, and are named in full. */
  isNew: boolean
}

/** @param next from 0 to 1 */
export function historyOf(next: () => number): History {
  const below = (n: number) => Math.floor(next() * n)
  const chance = (p: number) => next() < p
  const links = new Map<string, string>()
  const rootOf = (node: string): string => {
    const up = links.get(node) ?? node
    return up === node ? node : rootOf(up)
  }
  const tie = (nodes: readonly string[]) => {
    for (const node of nodes) links.set(rootOf(node), rootOf(nodes[0]!))
  }
  const nodes: string[] = []
  const told: Told[] = []
  const waiting: { one: Told; node: string }[] = []
  const people: Person[] = []
  const free: string[] = []
  const hasParents = chance(0.5)
  const isOld = chance(0.3)
  let clock = Date.UTC(2026, 10, 1)
  let counter = 0
  const fresh = (prefix: string) => `${prefix}${String(1000 + ++counter)}`
  const digits = () => `5511${String(30_000_000 + ++counter)}`
  const moment = () => new Date((clock += 1_000 * (1 + below(90))))
  const numberNode = ({ pid, epoch }: Person) => `n:${pid}:${epoch}`
  const nodesOf = (person: Person, who: Named): string[] => [
    ...(who.number === null ? [] : [numberNode(person)]),
    ...(who.lid === null ? [] : [`l:${who.lid}`]),
    ...(who.bsuid ? [`b:${who.bsuid.id}`] : []),
    ...(who.bsuid?.parent ? [`e:${who.bsuid.parent}`] : []),
  ]

  const come = (most: number) => {
    while (waiting.length > most) {
      const [{ one, node }] = waiting.splice(below(Math.min(6, waiting.length)), 1) as [(typeof waiting)[number]]
      told.push(one)
      nodes.push(node)
      if (chance(0.15)) waiting.splice(below(waiting.length + 1), 0, { one, node })
    }
  }
  const say = (one: Told, of: readonly string[]) => {
    tie(of)
    waiting.push({ one, node: of[0]! })
  }
  const born = (number = digits()): Person => {
    const person: Person = {
      ...{ pid: people.length, epoch: 0, number, lid: fresh('77'), ids: new Map<string, string>() },
      ...{ parent: hasParents ? fresh('BR.ENT.') : null, isHidden: chance(0.4), seen: new Set<string>(), isNew: false },
    }
    for (const portfolio of PORTFOLIOS) person.ids.set(portfolio, fresh('BR.'))
    people.push(person)
    return person
  }
  const bsuidOf = (person: Person, portfolio: string) => ({
    ...{ portfolio, id: person.ids.get(portfolio)!, parent: chance(0.8) ? person.parent : null },
  })

  const write = (person: Person) => {
    const { pid, number, lid, isHidden, isNew } = person
    const place = isNew ? 0 : below(3)
    const portfolio = PORTFOLIOS[place]
    let who: Named
    if (portfolio !== undefined) {
      person.seen.add(portfolio)
      const isShown = isNew || (!isHidden && chance(0.8))
      const bsuid = isShown && isOld && !isNew && chance(0.3) ? null : bsuidOf(person, portfolio)
      who = { number: isShown ? number : null, lid: null, bsuid }
    } else {
      const isShown = chance(0.7)
      who = { number: isShown ? number : null, lid: !isShown || chance(0.8) ? lid : null }
    }
    say({ pid, at: moment(), said: { is: 'message', who } }, nodesOf(person, who))
  }

  const move = (person: Person, number: string) => {
    const { pid } = person
    const old = { ...person, ids: new Map(person.ids) }
    person.epoch++
    person.number = number
    for (const portfolio of PORTFOLIOS) person.ids.set(portfolio, fresh('BR.'))
    if (hasParents) person.parent = fresh('BR.ENT.')
    const at = moment()
    for (const portfolio of person.seen) {
      for (const isShown of person.isHidden ? [false] : chance(0.3) ? [true, false] : [true]) {
        const before: Named = { number: isShown ? old.number : null, lid: null, bsuid: bsuidOf(old, portfolio) }
        const after: Named = { number: isShown ? number : null, lid: null, bsuid: bsuidOf(person, portfolio) }
        say({ pid, at, said: { is: 'rename', before, after } }, [...nodesOf(old, before), ...nodesOf(person, after)])
      }
    }
    return old
  }
  /** Nobody who has left the number is known by it alone. */
  const isSafe = (old: Person) => {
    const root = rootOf(numberNode(old))
    return (
      [...links.keys()].every((node) => rootOf(node) !== root || !node.startsWith('n:')) ||
      [...links.keys()].some((node) => rootOf(node) === root && isLater(old, node))
    )
  }
  const isLater = (old: Person, node: string) => {
    const now = people[old.pid]!
    return now.epoch > old.epoch && (node === numberNode(now) || [...now.ids.values()].some((id) => node === `b:${id}`))
  }

  born()
  const left: Person[] = []
  const steps = 8 + below(18)
  for (let step = 0; step < steps; step++) {
    const person = people[below(people.length)]!
    const what = next()
    if (what < 0.62) write(person)
    else if (what < 0.72 && people.length < 5) write(born(free.shift()))
    else if (what < 0.86) left.push(move(person, free.shift() ?? digits()))
    else if (what < 0.93) person.isHidden = !person.isHidden
    else {
      come(0)
      // Who is known over the first number moves, and another has the number before that is told.
      const isKnown =
        links.has(numberNode(person)) && rootOf(numberNode(person)) === rootOf(`b:${person.ids.get('p1')!}`)
      if (isKnown && person.seen.has('p1') && people.length < 5) {
        const { number } = move(person, digits())
        const next = Object.assign(born(number), { isNew: true })
        write(next)
        if (chance(0.5)) write(person)
        if (chance(0.5)) write(next)
        come(0)
        next.isNew = false
      }
    }
    come(below(8))
    if (waiting.length === 0)
      for (const old of left.splice(0))
        if (isSafe(old)) free.push(old.number)
        else left.push(old)
  }
  come(0)
  return {
    told,
    componentOf: (place) => rootOf(nodes[place]!),
    today: people.flatMap((person) => {
      const named = new Map<string, { number: string | null; ids: Map<string, string> }>()
      const at = (node: string) => {
        if (!links.has(node)) return undefined
        const component = rootOf(node)
        const own = named.get(component) ?? { number: null, ids: new Map() }
        named.set(component, own)
        return own
      }
      const own = at(numberNode(person))
      if (own) own.number = person.number
      for (const [portfolio, id] of person.ids) at(`b:${id}`)?.ids.set(portfolio, id)
      return [...named].map(([component, of]) => ({ component, ...of }))
    }),
  }
}

/** Numbers from 0 to 1 that follow from a seed. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
