import type postgres from 'postgres'
import { quoteIdentifier, quoteLiteral, sqlState } from './database.ts'
import { RequestError } from './errors.ts'
import type { Tuple } from './pgoutput.ts'
import { aliasSql } from './rows.ts'
import { type Column, foldName, type Table } from './tables.ts'

/**
 * The `where` of a shape: checked to be one boolean expression over the table's own columns, then
 * compiled to JavaScript where that gives exactly Postgres' answer. What cannot be compiled is put to
 * Postgres row by row.
 */

/** SQL's three values: `null` is unknown. Only `true` lets a row in. */
type Truth = boolean | null
type Test = (tuple: Tuple) => Truth

export type Predicate =
  | { kind: 'all' }
  /** `equality`: the test can only be true where this column has one of these texts. */
  | { kind: 'compiled'; test: Test; equality?: { column: number; values: string[] }[] }
  /** Put to Postgres, which needs only these columns. */
  | { kind: 'sql'; columns: number[] }

export type Where = { sql: string | undefined; predicate: Predicate }

// ── tokens ──────────────────────────────────────────────────────────────────────────────────

type Token = { at: number } & (
  | { kind: 'word'; text: string; quoted: boolean }
  | { kind: 'string'; text: string }
  | { kind: 'number'; text: string }
  | { kind: 'param'; text: string; number: number }
  | { kind: 'symbol'; text: string }
)

const patterns: [Token['kind'] | 'space' | 'refused', RegExp][] = [
  ['space', /\s+/y],
  ['refused', /--|\/\*|;|\$[A-Za-z_]*\$|[uUbBxX]&?'|\0/y],
  ['string', /[eE]'(?:[^'\\]|''|\\[^])*'|'(?:[^']|'')*'/y],
  ['word', /"(?:[^"]|"")+"|[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*/y],
  ['number', /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y],
  ['param', /\$\d+/y],
  ['symbol', /::|<=|>=|<>|!=|[()[\],.:]|[-+*/<>=~!@#%^&|`?]+/y],
]

/** Where upstream says an error is: it counts from the start of `SELECT 1 WHERE …`. */
const upstreamPrefix = 'SELECT 1 WHERE '.length

function refuse(message: string, at?: number): RequestError {
  return RequestError.invalid({
    where: [at === undefined ? message : `At location ${upstreamPrefix + at}: ${message}`],
  })
}

function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  scan: while (at < text.length) {
    for (const [kind, pattern] of patterns) {
      pattern.lastIndex = at
      const match = pattern.exec(text)
      if (!match) continue
      const found = match[0]
      if (kind === 'refused') throw refuse(`${JSON.stringify(found)} is not allowed in a where clause`, at)
      if (kind === 'word') {
        const quoted = found.startsWith('"')
        const name = quoted ? found.slice(1, -1).replaceAll('""', '"') : foldName(found)
        tokens.push({ kind, at, text: name, quoted })
      } else if (kind === 'param') tokens.push({ kind, at, text: found, number: Number(found.slice(1)) })
      // Postgres begins a comment wherever its sign stands, in the middle of operators too.
      else if (kind === 'symbol' && /--|\/\*/.test(found)) throw refuse('comments are not allowed', at)
      else if (kind !== 'space') tokens.push({ kind, at, text: found })
      at += found.length
      continue scan
    }
    throw refuse(`syntax error at or near ${JSON.stringify(text[at])}`, at)
  }
  return tokens
}

/** What would make of the expression more than one, or let it look beyond the row. */
const forbiddenWords = new Set(['select', 'table', 'values', 'exists', 'over', 'filter', 'within'])

/** Their answer depends on more than the row: a row would leave the shape without anybody writing it. */
const changingWords = new Set([
  'current_date',
  'current_time',
  'current_timestamp',
  'localtime',
  'localtimestamp',
  'current_user',
  'current_role',
  'session_user',
  'user',
  'current_catalog',
  'current_schema',
  'system_user',
])

const systemColumns = new Set(['ctid', 'xmin', 'xmax', 'cmin', 'cmax', 'tableoid'])

/** Words that may stand before a parenthesis without naming a function. */
const syntaxWords = new Set(
  'and or not in any some all is like ilike similar between symmetric to escape case when then else end array row cast as coalesce greatest least nullif extract from position substring overlay placing trim leading trailing both distinct null true false unknown isnull notnull collate numeric decimal varchar char character bit varying varbit timestamp timestamptz time timetz interval bpchar normalize normalized'.split(
    ' ',
  ),
)

function isWord(token: Token | undefined, text: string): boolean {
  return token?.kind === 'word' && !token.quoted && token.text === text
}

function isSymbol(token: Token | undefined, text: string): boolean {
  return token?.kind === 'symbol' && token.text === text
}

/** @returns names of the functions called, and the columns named */
function inspect(tokens: Token[], table: Table): { functions: Set<string>; columns: number[] } {
  const columnNames = new Map(table.columns.map((c, i) => [c.name, i]))
  const functions = new Set<string>()
  const columns = new Set<number>()
  const open: Token[] = []
  tokens.forEach((token, i) => {
    const next = tokens[i + 1]
    if (isSymbol(token, '(')) open.push(token)
    if (isSymbol(token, ')') && !open.pop()) throw refuse('syntax error at or near ")"', token.at)
    if (token.kind !== 'word') return
    const column = columnNames.get(token.text)
    if (column !== undefined) columns.add(column)
    // The row as a whole, `issues` or `issues.*`: all of its columns.
    else if (token.text === table.name && (!isSymbol(next, '.') || tokens[i + 2]?.kind === 'symbol')) {
      if (table.unreplicated.length > 0)
        throw refuse(`column ${table.unreplicated[0]} is generated and not replicated`, token.at)
      for (const position of table.columns.keys()) columns.add(position)
    }
    if (table.unreplicated.includes(token.text)) {
      throw refuse(`column ${token.text} is generated and not replicated`, token.at)
    }
    if (isSymbol(next, '(') && (token.quoted || !syntaxWords.has(token.text))) functions.add(token.text)
    if (token.quoted || column !== undefined) {
      if (column === undefined && systemColumns.has(token.text)) {
        throw refuse(`system column ${token.text} is not allowed`, token.at)
      }
      return
    }
    if (forbiddenWords.has(token.text)) {
      throw refuse(
        token.text === 'select' || token.text === 'exists' || token.text === 'table' || token.text === 'values'
          ? 'Subqueries are not supported'
          : `${token.text} is not allowed in a where clause`,
        token.at,
      )
    }
    if (systemColumns.has(token.text)) throw refuse(`system column ${token.text} is not allowed`, token.at)
    if (changingWords.has(token.text)) throw refuse(`${token.text} changes with time or user`, token.at)
  })
  const unclosed = open[0]
  if (unclosed) throw refuse('syntax error at end of input: unclosed parenthesis', unclosed.at)
  return { functions, columns: [...columns] }
}

/** Puts the parameters' texts in place of `$n`, as untyped literals: Postgres infers their types alike. */
function inlineParams(where: string, tokens: Token[], params: Record<string, string>): string {
  const numbers = Object.keys(params)
  const sequential = numbers.every((n) => /^[1-9]\d*$/.test(n) && Number(n) <= numbers.length)
  if (!sequential) {
    throw RequestError.invalid({ params: ['Parameters must be numbered sequentially, starting from 1'] })
  }
  let sql = ''
  let at = 0
  for (const token of tokens) {
    if (token.kind !== 'param') continue
    const value = params[token.number]
    if (value === undefined) throw refuse(`parameter ${token.text} was not provided`, token.at)
    if (value.includes('\0')) throw RequestError.invalid({ params: [`Parameter ${token.text} contains a zero byte`] })
    sql += where.slice(at, token.at) + quoteLiteral(value)
    at = token.at + token.text.length
  }
  return sql + where.slice(at)
}

// ── the part we understand ──────────────────────────────────────────────────────────────────

/** Not an error: this predicate is Postgres' to answer. */
class NotCompiled extends Error {}

type Constant = { sql: string; number: boolean; text: string | null; castTo?: string; castToArray?: boolean }
type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>='

type Node =
  | { is: 'column'; column: number }
  | { is: 'constant'; constant: Constant }
  | { is: 'truth'; value: Truth }
  | { is: 'and' | 'or'; parts: Node[] }
  | { is: 'not'; part: Node }
  | { is: 'null'; part: Node; negated: boolean }
  | { is: 'istruth'; part: Node; value: boolean; negated: boolean }
  | { is: 'compare'; column: number; by: Comparison; constant: Constant; value?: string | null }
  | { is: 'in'; column: number; constants: Constant[]; values?: (string | null)[]; negated: boolean }
  | { is: 'anyof'; column: number; array: Constant; values?: (string | null)[] }
  | { is: 'member'; column: number; constant: Constant; value?: string | null }

const comparisons = new Set(['=', '<>', '!=', '<', '<=', '>', '>='])
const mirrored: Record<Comparison, Comparison> = { '=': '=', '<>': '<>', '<': '>', '<=': '>=', '>': '<', '>=': '<=' }

const castNames: Record<string, string> = {
  integer: 'int4',
  int: 'int4',
  smallint: 'int2',
  bigint: 'int8',
  boolean: 'bool',
}

class Parser {
  private at = 0

  constructor(
    private readonly tokens: Token[],
    private readonly table: Table,
    private readonly params: Record<string, string>,
  ) {}

  parse(): Node {
    const node = this.or()
    if (this.at < this.tokens.length) throw new NotCompiled()
    return node
  }

  private peek(): Token | undefined {
    return this.tokens[this.at]
  }

  private takeWord(text: string): boolean {
    if (!isWord(this.peek(), text)) return false
    this.at++
    return true
  }

  private takeSymbol(text: string): boolean {
    if (!isSymbol(this.peek(), text)) return false
    this.at++
    return true
  }

  private expectSymbol(text: string): void {
    if (!this.takeSymbol(text)) throw new NotCompiled()
  }

  private or(): Node {
    const parts = [this.and()]
    while (this.takeWord('or')) parts.push(this.and())
    return parts.length === 1 && parts[0] ? parts[0] : { is: 'or', parts }
  }

  private and(): Node {
    const parts = [this.not()]
    while (this.takeWord('and')) parts.push(this.not())
    return parts.length === 1 && parts[0] ? parts[0] : { is: 'and', parts }
  }

  private not(): Node {
    if (this.takeWord('not')) return { is: 'not', part: this.not() }
    let node = this.comparison()
    while (this.takeWord('is')) {
      const negated = this.takeWord('not')
      if (this.takeWord('null') || this.takeWord('unknown')) node = { is: 'null', part: node, negated }
      else if (this.takeWord('true')) node = { is: 'istruth', part: node, value: true, negated }
      else if (this.takeWord('false')) node = { is: 'istruth', part: node, value: false, negated }
      else throw new NotCompiled()
    }
    return node
  }

  private comparison(): Node {
    const left = this.operand()
    const token = this.peek()
    if (token?.kind === 'symbol' && comparisons.has(token.text)) {
      this.at++
      const by = (token.text === '!=' ? '<>' : token.text) as Comparison
      if (this.takeWord('any') || this.takeWord('some')) {
        this.expectSymbol('(')
        const array = this.operand()
        this.expectSymbol(')')
        if (by !== '=') throw new NotCompiled()
        if (left.is === 'column' && array.is === 'constant' && !array.constant.number) {
          return { is: 'anyof', column: left.column, array: array.constant }
        }
        if (left.is === 'constant' && array.is === 'column') {
          return { is: 'member', column: array.column, constant: left.constant }
        }
        throw new NotCompiled()
      }
      const right = this.operand()
      if (left.is === 'column' && right.is === 'constant') {
        return { is: 'compare', column: left.column, by, constant: right.constant }
      }
      if (left.is === 'constant' && right.is === 'column') {
        return { is: 'compare', column: right.column, by: mirrored[by], constant: left.constant }
      }
      if (left.is === 'constant' && right.is === 'constant') return compareNumbers(left.constant, by, right.constant)
      throw new NotCompiled()
    }
    const negated = isWord(token, 'not')
    const word = negated ? this.tokens[this.at + 1] : token
    if (word?.kind !== 'word' || word.quoted || !['in', 'between'].includes(word.text)) return left
    this.at += negated ? 2 : 1
    if (left.is !== 'column') throw new NotCompiled()
    const { column } = left
    if (word.text === 'in') {
      this.expectSymbol('(')
      const constants: Constant[] = []
      do constants.push(this.constant())
      while (this.takeSymbol(','))
      this.expectSymbol(')')
      return { is: 'in', column, constants, negated }
    }
    const low: Node = { is: 'compare', column, by: '>=', constant: this.constant() }
    if (!this.takeWord('and')) throw new NotCompiled()
    const both: Node = { is: 'and', parts: [low, { is: 'compare', column, by: '<=', constant: this.constant() }] }
    return negated ? { is: 'not', part: both } : both
  }

  private constant(): Constant {
    const node = this.operand()
    if (node.is !== 'constant') throw new NotCompiled()
    return node.constant
  }

  /** A column, a constant, or anything in parentheses. */
  private operand(): Node {
    const token = this.tokens[this.at++]
    if (!token) throw new NotCompiled()
    if (isSymbol(token, '(')) {
      const inner = this.or()
      this.expectSymbol(')')
      return inner
    }
    if (token.kind === 'word') return this.word(token)
    let constant: Constant
    if (token.kind === 'string') {
      if (token.text[0] !== "'") throw new NotCompiled()
      constant = { sql: token.text, number: false, text: token.text.slice(1, -1).replaceAll("''", "'") }
    } else if (token.kind === 'param') {
      const text = this.params[token.number] ?? ''
      constant = { sql: quoteLiteral(text), number: false, text }
    } else if (token.kind === 'number') {
      constant = { sql: token.text, number: true, text: token.text }
    } else if (isSymbol(token, '-') && this.peek()?.kind === 'number') {
      const digits = this.tokens[this.at++]?.text ?? ''
      constant = { sql: `-${digits}`, number: true, text: `-${digits}` }
    } else throw new NotCompiled()
    if (this.takeSymbol('::')) {
      const type = this.tokens[this.at++]
      if (constant.number || type?.kind !== 'word') throw new NotCompiled()
      constant.castTo = castNames[type.text] ?? type.text
      if (this.takeSymbol('[')) {
        this.expectSymbol(']')
        constant.castToArray = true
      }
    }
    return { is: 'constant', constant }
  }

  private word(token: Token & { kind: 'word' }): Node {
    if (!token.quoted) {
      if (token.text === 'true') return { is: 'truth', value: true }
      if (token.text === 'false') return { is: 'truth', value: false }
      if (token.text === 'null') return { is: 'constant', constant: { sql: 'NULL', number: false, text: null } }
    }
    let name = token.text
    if (isSymbol(this.peek(), '.') && name === this.table.name) {
      this.at++
      const qualified = this.tokens[this.at++]
      if (qualified?.kind !== 'word') throw new NotCompiled()
      name = qualified.text
    }
    const next = this.peek()
    if (isSymbol(next, '(') || isSymbol(next, '.') || isSymbol(next, '[') || isSymbol(next, '::')) {
      throw new NotCompiled()
    }
    const column = this.table.columns.findIndex((c) => c.name === name)
    if (column < 0) throw new NotCompiled()
    return { is: 'column', column }
  }
}

/** `1 = 1`, as query builders like to start. */
function compareNumbers(left: Constant, by: Comparison, right: Constant): Node {
  if (!left.number || !right.number || left.text === null || right.text === null) throw new NotCompiled()
  if (!/^-?\d{1,15}$/.test(left.text) || !/^-?\d{1,15}$/.test(right.text)) throw new NotCompiled()
  return { is: 'truth', value: holds(by, Number(left.text) - Number(right.text)) }
}

function holds(by: Comparison, difference: number): boolean {
  switch (by) {
    case '=':
      return difference === 0
    case '<>':
      return difference !== 0
    case '<':
      return difference < 0
    case '<=':
      return difference <= 0
    case '>':
      return difference > 0
    case '>=':
      return difference >= 0
  }
}

// ── types ───────────────────────────────────────────────────────────────────────────────────

const integers = new Set(['int2', 'int4', 'int8', 'oid'])
const texts = new Set(['text', 'varchar'])
/** Lists of whole numbers, by the type of a member. */
const integerLists: Record<string, string> = { _int2: 'int2', _int4: 'int4', _int8: 'int8' }
const times = new Set(['date', 'timestamp', 'timestamptz'])
/** Here equal values are equal texts, once Postgres has written both. */
const sameTextTypes = new Set([...integers, ...texts, ...times, 'bool', 'uuid', 'bytea'])

function comparesAsText(column: Column): boolean {
  if (texts.has(column.baseType)) return column.deterministic
  return sameTextTypes.has(column.baseType) || column.category === 'E'
}

/** How the log prints what a constant means in this column; from Postgres unless that is plain to see. */
function logText(column: Pick<Column, 'baseType'>, constant: Constant): string | null | undefined {
  if (constant.text === null) return null
  if (texts.has(column.baseType)) return constant.text
  if (integers.has(column.baseType)) {
    if (!/^\s*[+-]?\d+\s*$/.test(constant.text)) throw new NotCompiled()
    return BigInt(constant.text.trim().replace(/^\+/, '')).toString()
  }
  if (constant.number) throw new NotCompiled()
  if (column.baseType === 'uuid' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(constant.text)) {
    return constant.text
  }
  return undefined
}

/** A text that sorts as the time does: years beyond 9999 and before Christ included. */
function sortableTime(text: string): string {
  if (text === 'infinity') return '3'
  if (text === '-infinity') return '0'
  const match = /^(\d+)(-.*?)( BC)?$/.exec(text)
  if (!match) return text
  const year = Number(match[1])
  return match[3]
    ? `1${String(9_999_999 - year).padStart(7, '0')}${match[2]}`
    : `2${String(year).padStart(7, '0')}${match[2]}`
}

let lastList = { text: '{}', members: new Set<string>() }

/** The members of a list of whole numbers, of lists within it too, as the log prints it: `{1,NULL,3}`. */
function membersOf(text: string): ReadonlySet<string> {
  if (lastList.text === text) return lastList.members
  // Bounds other than usual stand before it: `[0:1]={1,3}`.
  const members = text.slice(text.indexOf('{')).match(/-?\d+|NULL/g)
  lastList = { text, members: new Set(members) }
  return lastList.members
}

let lastTime = { text: '', sortable: '' }

/** The same for the value of a row, which hundreds of shapes ask of one after the other. */
function sortableRowTime(text: string): string {
  if (lastTime.text !== text) lastTime = { text, sortable: sortableTime(text) }
  return lastTime.sortable
}

/** Orders texts of the column beside a constant as Postgres orders the values. */
function comparerOf(column: Column, b: string): (a: string) => number {
  const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
  if (integers.has(column.baseType)) {
    return (a) => {
      if (a.length < 16 && b.length < 16) return Number(a) - Number(b)
      const difference = BigInt(a) - BigInt(b)
      return difference < 0n ? -1 : difference > 0n ? 1 : 0
    }
  }
  if (times.has(column.baseType)) {
    const than = sortableTime(b)
    return (a) => order(sortableRowTime(a), than)
  }
  if (column.baseType === 'bool' || column.baseType === 'uuid') return (a) => order(a, b)
  if (texts.has(column.baseType) && column.codePointOrder) {
    const than = Buffer.from(b)
    return (a) => Buffer.compare(Buffer.from(a), than)
  }
  throw new NotCompiled()
}

// ── from tree to test ───────────────────────────────────────────────────────────────────────

/** A cast of a constant to the very type of the column changes nothing; any other may. */
function refuseOtherCast(column: Pick<Column, 'baseType'>, constant: Constant, asArray: boolean): void {
  const { castTo, castToArray = false } = constant
  if (castTo === undefined) return
  const same = castTo === column.baseType || (texts.has(castTo) && texts.has(column.baseType))
  if (!same || castToArray !== asArray) throw new NotCompiled()
}

type Question = { sql: string; answer: (value: string | null) => void }

/** Collects what only Postgres can say about the constants. */
function resolveConstants(node: Node, table: Table, questions: Question[]): void {
  const columnOf = (position: number): Column => {
    const column = table.columns[position]
    if (!column || !comparesAsText(column)) throw new NotCompiled()
    return column
  }
  const inLog = (column: Column, text: string | null) =>
    column.baseType === 'bool' && text !== null ? (text === 'true' ? 't' : 'f') : text
  const ask = (column: Column, constant: Constant, answer: (value: string | null) => void) => {
    refuseOtherCast(column, constant, false)
    const known = logText(column, constant)
    if (known !== undefined) answer(known)
    else {
      questions.push({
        sql: `CAST(${constant.sql} AS ${column.constantType})::text`,
        answer: (text) => answer(inLog(column, text)),
      })
    }
  }
  switch (node.is) {
    case 'and':
    case 'or':
      for (const part of node.parts) resolveConstants(part, table, questions)
      return
    case 'not':
    case 'null':
    case 'istruth':
      if (node.is === 'null' && node.part.is === 'column') return
      resolveConstants(node.part, table, questions)
      return
    case 'compare':
      ask(columnOf(node.column), node.constant, (value) => {
        node.value = value
      })
      return
    case 'in': {
      const column = columnOf(node.column)
      const values: (string | null)[] = []
      node.values = values
      node.constants.forEach((constant, i) =>
        ask(column, constant, (value) => {
          values[i] = value
        }),
      )
      return
    }
    case 'anyof': {
      const column = columnOf(node.column)
      refuseOtherCast(column, node.array, true)
      questions.push({
        sql: `array_to_json(CAST(CAST(${node.array.sql} AS ${column.constantType}[]) AS text[]))::text`,
        answer: (json) => {
          // No list at all is unknown, as a list of one unknown is; of lists within lists each member counts.
          const found = (json === null ? [null] : JSON.parse(json)) as unknown[]
          node.values = (found.flat(Infinity) as (string | null)[]).map((v) => inLog(column, v))
        },
      })
      return
    }
    case 'member': {
      const baseType = integerLists[table.columns[node.column]?.baseType ?? '']
      if (baseType === undefined || node.constant.text === null) throw new NotCompiled()
      refuseOtherCast({ baseType }, node.constant, false)
      node.value = logText({ baseType }, node.constant)
      return
    }
    case 'column':
      if (table.columns[node.column]?.baseType !== 'bool') throw new NotCompiled()
      return
    case 'constant':
      throw new NotCompiled()
    case 'truth':
      return
  }
}

function build(node: Node, table: Table): Test {
  switch (node.is) {
    case 'truth':
      return () => node.value
    case 'column':
      return (tuple) => {
        const value = tuple[node.column]
        return value === null || value === undefined ? null : value === 't'
      }
    case 'not': {
      const part = build(node.part, table)
      return (tuple) => {
        const truth = part(tuple)
        return truth === null ? null : !truth
      }
    }
    case 'and': {
      const parts = node.parts.map((part) => build(part, table))
      return (tuple) => {
        let result: Truth = true
        for (const part of parts) {
          const truth = part(tuple)
          if (truth === false) return false
          if (truth === null) result = null
        }
        return result
      }
    }
    case 'or': {
      const parts = node.parts.map((part) => build(part, table))
      return (tuple) => {
        let result: Truth = false
        for (const part of parts) {
          const truth = part(tuple)
          if (truth === true) return true
          if (truth === null) result = null
        }
        return result
      }
    }
    case 'null': {
      if (node.part.is === 'column') {
        const { column } = node.part
        return (tuple) => (tuple[column] === null) !== node.negated
      }
      const part = build(node.part, table)
      return (tuple) => (part(tuple) === null) !== node.negated
    }
    case 'istruth': {
      const part = build(node.part, table)
      return (tuple) => (part(tuple) === node.value) !== node.negated
    }
    case 'compare': {
      const { column, by, value } = node
      if (value === null || value === undefined) return () => null
      if (by === '=' || by === '<>') {
        const wanted = by === '='
        return (tuple) => {
          const actual = tuple[column]
          return actual === null || actual === undefined ? null : (actual === value) === wanted
        }
      }
      const definition = table.columns[column]
      if (!definition) throw new NotCompiled()
      const compare = comparerOf(definition, value)
      return (tuple) => {
        const actual = tuple[column]
        return actual === null || actual === undefined ? null : holds(by, compare(actual))
      }
    }
    case 'in':
    case 'anyof': {
      const { column, values = [] } = node
      const negated = node.is === 'in' && node.negated
      const wanted = new Set(values)
      const missing = wanted.has(null) ? null : false
      return (tuple) => {
        const actual = tuple[column]
        if (actual === null || actual === undefined) return wanted.size === 0 ? negated : null
        const truth = wanted.has(actual) || missing
        return truth === null ? null : truth !== negated
      }
    }
    case 'member': {
      const { column, value } = node
      if (value === null || value === undefined) throw new NotCompiled()
      return (tuple) => {
        const list = tuple[column]
        if (list === null || list === undefined) return null
        const members = membersOf(list)
        return members.has(value) || (members.has('NULL') ? null : false)
      }
    }
    case 'constant':
      throw new NotCompiled()
  }
}

/** Beyond this many values an index entry per value costs more than it saves. */
const mostIndexedValues = 2_000

/** Columns of which one value, or one of a few, is a condition for the whole. */
function equalities(node: Node): { column: number; values: string[] }[] {
  const known = (values: (string | null | undefined)[]) => values.filter((v): v is string => typeof v === 'string')
  if (node.is === 'and') return node.parts.flatMap(equalities)
  if (node.is === 'compare' && node.by === '=') return [{ column: node.column, values: known([node.value]) }]
  if ((node.is === 'in' && !node.negated) || node.is === 'anyof') {
    const values = known(node.values ?? [])
    return values.length <= mostIndexedValues ? [{ column: node.column, values }] : []
  }
  if (node.is === 'column') return [{ column: node.column, values: ['t'] }]
  return []
}

// ── all together ────────────────────────────────────────────────────────────────────────────

/**
 * Checks and compiles a where clause.
 * @throws RequestError 400 saying what is wrong and where
 */
export async function analyseWhere(
  sql: postgres.Sql,
  table: Table,
  text: string | undefined,
  params: Record<string, string>,
): Promise<Where> {
  if (text === undefined || text.trim() === '') return { sql: undefined, predicate: { kind: 'all' } }
  const tokens = tokenize(text)
  const { functions, columns } = inspect(tokens, table)
  const inlined = inlineParams(text, tokens, params)

  let tree: Node | undefined
  const questions: Question[] = []
  try {
    tree = new Parser(tokens, table, params).parse()
    resolveConstants(tree, table, questions)
  } catch (error) {
    if (!(error instanceof NotCompiled)) throw error
    tree = undefined
    questions.length = 0
  }

  if (functions.size > 0) await refuseChangingFunctions(sql, functions)
  const check = `SELECT count(*) FROM (SELECT 1 FROM ${table.sqlName} AS ${aliasSql(table)} WHERE (`
  const answers = questions.map((q, i) => `${q.sql} AS a${i}`)
  const query = `${check}${inlined}) LIMIT 0) AS checked`
  const complete = answers.length > 0 ? `SELECT (${query}) AS checked, ${answers.join(', ')}` : query
  const offset = complete.indexOf(check) + check.length
  const row = await probe(sql, complete, offset, inlined.length)
  const leftToPostgres = async (): Promise<Where> => {
    // What no row can be asked is said now, and not row by row.
    const [nothing]: Tuple[] = [new Array<null>(table.columns.length).fill(null)]
    await probe(sql, `${evaluationSql(table, [{ sql: inlined, columns }], [nothing!])} LIMIT 0`, -1, -1)
    return { sql: inlined, predicate: { kind: 'sql', columns } }
  }
  if (!tree) return leftToPostgres()
  questions.forEach((question, i) => question.answer(row?.[`a${i}`] ?? null))
  try {
    return {
      sql: inlined,
      predicate: { kind: 'compiled', test: build(tree, table), equality: equalities(tree) },
    }
  } catch (error) {
    if (!(error instanceof NotCompiled)) throw error
    return leftToPostgres()
  }
}

/** Has Postgres look at a query; what it finds wrong between the two positions is the asker's clause. */
async function probe(
  sql: postgres.Sql,
  query: string,
  offset: number,
  length: number,
): Promise<Record<string, string | null> | undefined> {
  try {
    const [row] = await sql.unsafe<Record<string, string | null>[]>(query)
    return row
  } catch (error) {
    const state = sqlState(error)
    // Classes 22 and 42: data and syntax. Everything else is not the asker's fault.
    if (!state?.startsWith('42') && !state?.startsWith('22') && state !== '0A000') throw error
    const position = error instanceof Error && 'position' in error ? Number(error.position) : Number.NaN
    const at = position - 1 - offset
    throw refuse(error instanceof Error ? error.message : 'invalid', at >= 0 && at <= length ? at : undefined)
  }
}

/**
 * Checks the order of a subset: a list of expressions over the table's columns.
 * @throws RequestError 400 saying what is wrong
 */
export async function checkOrder(
  sql: postgres.Sql,
  table: Table,
  text: string | undefined,
  params: Record<string, string>,
): Promise<string | undefined> {
  if (text === undefined || text.trim() === '') return undefined
  const tokens = tokenize(text)
  const { functions } = inspect(tokens, table)
  // Outside parentheses only a list can stand here: a clause of its own would be another query.
  const clause = tokens.find((t) => t.kind === 'word' && !t.quoted && /^(limit|offset|fetch|for|union)$/.test(t.text))
  if (clause) throw refuse(`syntax error at or near "${clause.text}"`, clause.at)
  if (functions.size > 0) await refuseChangingFunctions(sql, functions)
  const inlined = inlineParams(text, tokens, params)
  const check = `SELECT 1 FROM ${table.sqlName} AS ${aliasSql(table)} ORDER BY `
  await probe(sql, `${check}${inlined} LIMIT 0`, check.length, inlined.length)
  return inlined
}

/**
 * Lets pass what depends on its arguments alone. Under one name there may be several functions: none
 * may have effects, and one at least must be pure. The settings others may look at, we have fixed.
 */
async function refuseChangingFunctions(sql: postgres.Sql, functions: Set<string>): Promise<void> {
  const names = [...functions].map(quoteLiteral).join(', ')
  const rows = await sql.unsafe<{ proname: string; pure: boolean }[]>(
    `SELECT proname, bool_or(provolatile = 'i') AND NOT bool_or(provolatile = 'v' OR prokind <> 'f') AS pure FROM pg_proc WHERE proname IN (${names}) GROUP BY proname`,
  )
  const pure = new Map(rows.map((r) => [r.proname, r.pure]))
  for (const name of functions) {
    if (pure.get(name) === false) throw refuse(`function ${name} may not be used: its result can change between calls`)
    if (pure.get(name) === undefined) throw refuse(`function ${name} does not exist`)
  }
}

/** One query that answers several predicates about several rows: a string of 0 and 1 per row. */
export function evaluationSql(table: Table, predicates: { sql: string; columns: number[] }[], rows: Tuple[]): string {
  const positions = [...new Set(predicates.flatMap((p) => p.columns))]
  const columns = positions.flatMap((position) => table.columns[position] ?? [])
  const json = JSON.stringify(
    rows.map((tuple) => Object.fromEntries(positions.map((p, i) => [`c${i}`, tuple[p] ?? null]))),
  )
  const source = columns.map(
    (c, i) =>
      `CAST(c${i} AS ${c.sqlType})${c.collation ? ` COLLATE ${c.collation}` : ''} AS ${quoteIdentifier(c.name)}`,
  )
  const numbered = `json_array_elements(${quoteLiteral(json)}::json) WITH ORDINALITY AS e(element, row_number)`
  const picked = columns.map((_, i) => `element->>'c${i}' AS c${i}`)
  return `SELECT concat(${predicates.map((p) => `((${p.sql}) IS TRUE)::int`).join(', ')}) AS answers
    FROM (SELECT ${[...source, '"row number"'].join(', ')} FROM
      (SELECT ${[...picked, 'row_number AS "row number"'].join(', ')} FROM ${numbered}) AS texts) AS ${aliasSql(table)}
    ORDER BY "row number"`
}
