/** How many of a thing one user, one company and all together may have. */
export interface Most {
  user: number
  company: number
  all: number
}

interface Owner {
  userId: number
  companyId: number
}

/** Open things, such as sockets, by who has them: what bounds them for each user, each company and in all. */
export class Crowd<T> {
  private readonly users = new Map<number, Set<T>>()
  private readonly companies = new Map<number, number>()
  private count = 0

  constructor(private readonly most: Most) {}

  get size(): number {
    return this.count
  }

  /** What a user has, oldest first. */
  of(userId: number): ReadonlySet<T> {
    return this.users.get(userId) ?? new Set()
  }

  /** The bound that one more would pass; the narrowest when there are several. */
  full({ userId, companyId }: Owner): keyof Most | null {
    if (this.of(userId).size >= this.most.user) return 'user'
    if ((this.companies.get(companyId) ?? 0) >= this.most.company) return 'company'
    return this.count >= this.most.all ? 'all' : null
  }

  /** Adds it, whatever the bounds say: ask `full` first. */
  add({ userId, companyId }: Owner, thing: T): void {
    const own = this.users.get(userId) ?? new Set()
    if (own.has(thing)) return
    this.users.set(userId, own.add(thing))
    this.companies.set(companyId, (this.companies.get(companyId) ?? 0) + 1)
    this.count++
  }

  /** False when it was not there. */
  delete({ userId, companyId }: Owner, thing: T): boolean {
    const own = this.users.get(userId)
    if (!own?.delete(thing)) return false
    if (own.size === 0) this.users.delete(userId)
    const left = this.companies.get(companyId)! - 1
    if (left === 0) this.companies.delete(companyId)
    else this.companies.set(companyId, left)
    this.count--
    return true
  }

  /**
   * Makes room for one more by the rule of all our sockets. A user's newest ones win: the oldest may hang on a line that
   * is dead, and its owner wants to get in. Where the company or the server is full, a user who has one gives up the
   * oldest of their own; who has none waits.
   * @returns what has to go first; null when there is no room
   */
  makeRoom(who: Owner): T[] | null {
    if (this.full(who) === null) return []
    for (const oldest of this.of(who.userId)) return [oldest]
    return null
  }
}
