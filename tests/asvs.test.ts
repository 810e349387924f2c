import { expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SignJWT } from 'jose'
import { createTransport } from 'nodemailer'
import { resetPassword } from '../schema/auth/auth.inputs.ts'
import { CODE_LOCK_MS, MOST_WRONG_CODES } from '../schema/auth/two-factor.ts'
import { isEmail, password } from '../schema/inputs.ts'
import { CHALLENGE_MS } from '../server/auth/passkeys.queries.ts'
import { PASS_SECONDS } from '../server/auth/passes.ts'
import {
  CODE_MINUTES,
  CODE_TRIES,
  INVITATION_DAYS,
  newCode,
  newInvitation,
} from '../server/auth/password-reset.codes.ts'
import { hashPassword, verifyPassword } from '../server/auth/passwords.ts'
import { REFRESH_GRACE_MS } from '../server/auth/sessions.ts'
import { SLOW_AFTER, SLOW_MS, WRONG_PER_NETWORK, WRONG_PER_PAIR } from '../server/auth/sign-in-limits.ts'
import {
  ACCESS_SECONDS,
  ACTING_SECONDS,
  ATTEMPT_SECONDS,
  CHALLENGE_SECONDS,
  createTokens,
  DEVICE_SECONDS,
  REFRESH_SECONDS,
} from '../server/auth/tokens.ts'
import { recoveryCodes } from '../server/auth/two-factor.queries.ts'
import { parseConfig } from '../server/config.ts'
import { parseJson } from '../server/http/json.ts'
import { limits } from '../server/limits.ts'
import { LINK_SECONDS } from '../server/media/media.links.ts'

/** `docs/asvs.md` names a test for each requirement: the tests are there, and no requirement is forgotten. */
const root = join(import.meta.dir, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const page = read('docs/asvs.md')

/** The requirements of OWASP ASVS 5.0.0, by section: those of level 1, then those of level 2. */
const sections: Record<string, [one: number[], two: number[]]> = {
  '1.1': [[], [1, 2]],
  '1.2': [
    [1, 2, 3, 4, 5],
    [6, 7, 8, 9],
  ],
  '1.3': [
    [1, 2],
    [3, 4, 5, 6, 7, 8, 9, 10, 11],
  ],
  '1.4': [[], [1, 2, 3]],
  '1.5': [[1], [2]],
  '2.1': [[1], [2, 3]],
  '2.2': [[1, 2], [3]],
  '2.3': [[1], [2, 3, 4]],
  '2.4': [[], [1]],
  '3.2': [[1, 2], []],
  '3.3': [[1], [2, 3, 4]],
  '3.4': [
    [1, 2],
    [3, 4, 5, 6],
  ],
  '3.5': [
    [1, 2, 3],
    [4, 5],
  ],
  '3.7': [[], [1, 2]],
  '4.1': [[1], [2, 3]],
  '4.2': [[], [1]],
  '4.3': [[], [1, 2]],
  '4.4': [[1], [2, 3, 4]],
  '5.1': [[], [1]],
  '5.2': [[1, 2], [3]],
  '5.3': [[1, 2], []],
  '5.4': [[], [1, 2, 3]],
  '6.1': [[1], [2, 3]],
  '6.2': [
    [1, 2, 3, 4, 5, 6, 7, 8],
    [9, 10, 11, 12],
  ],
  '6.3': [
    [1, 2],
    [3, 4],
  ],
  '6.4': [
    [1, 2],
    [3, 4],
  ],
  '6.5': [[], [1, 2, 3, 4, 5]],
  '6.6': [[], [1, 2, 3]],
  '6.8': [[], [1, 2, 3, 4]],
  '7.1': [[], [1, 2, 3]],
  '7.2': [[1, 2, 3, 4], []],
  '7.3': [[], [1, 2]],
  '7.4': [
    [1, 2],
    [3, 4, 5],
  ],
  '7.5': [[], [1, 2]],
  '7.6': [[], [1, 2]],
  '8.1': [[1], [2]],
  '8.2': [[1, 2], [3]],
  '8.3': [[1], []],
  '8.4': [[], [1]],
  '9.1': [[1, 2, 3], []],
  '9.2': [[1], [2, 3, 4]],
  '10.1': [[], [1, 2]],
  '10.2': [[], [1, 2]],
  '10.3': [[], [1, 2, 3, 4]],
  '10.4': [
    [1, 2, 3, 4, 5],
    [6, 7, 8, 9, 10, 11],
  ],
  '10.5': [[], [1, 2, 3, 4, 5]],
  '10.6': [[], [1, 2]],
  '10.7': [[], [1, 2, 3]],
  '11.1': [[], [1, 2]],
  '11.2': [[], [1, 2, 3]],
  '11.3': [[1, 2], [3]],
  '11.4': [[1], [2, 3, 4]],
  '11.5': [[], [1]],
  '11.6': [[], [1]],
  '12.1': [[1], [2, 3]],
  '12.2': [[1, 2], []],
  '12.3': [[], [1, 2, 3, 4]],
  '13.1': [[], [1]],
  '13.2': [[], [1, 2, 3, 4, 5]],
  '13.3': [[], [1, 2]],
  '13.4': [[1], [2, 3, 4, 5]],
  '14.1': [[], [1, 2]],
  '14.2': [[1], [2, 3, 4]],
  '14.3': [[1], [2, 3]],
  '15.1': [[1], [2, 3]],
  '15.2': [[1], [2, 3]],
  '15.3': [[1], [2, 3, 4, 5, 6, 7]],
  '16.1': [[], [1]],
  '16.2': [[], [1, 2, 3, 4, 5]],
  '16.3': [[], [1, 2, 3, 4]],
  '16.4': [[], [1, 2, 3]],
  '16.5': [[], [1, 2, 3]],
  '17.1': [[], [1]],
  '17.2': [[], [1, 2, 3, 4]],
  '17.3': [[], [1, 2]],
}
const levels = new Map<string, number>(
  Object.entries(sections).flatMap(([section, byLevel]) =>
    byLevel.flatMap((numbers, at) => numbers.map((number) => [`${section}.${number}`, at + 1] as const)),
  ),
)

interface Row {
  numbers: string[]
  level: string
  asks: string
  by: string
  test: string
}
const rows: Row[] = page
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => {
    const [numbers = '', level = '', asks = '', by = '', told = ''] = line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim())
    return { numbers: numbers.split(', '), level, asks, by, test: told }
  })
const isHeldOtherwise = ({ test: told }: Row) => /^(does not apply|not held)\b/.test(told)

test('every requirement of ASVS 5.0 at level 2 stands in docs/asvs.md once, with its level', () => {
  const count = (level: number) => [...levels.values()].filter((one) => one === level).length
  expect([count(1), count(2)]).toEqual([70, 183])
  const told = rows.flatMap(({ numbers }) => numbers)
  expect(told.filter((number, at) => told.indexOf(number) !== at)).toEqual([])
  expect(told.filter((number) => !levels.has(number))).toEqual([])
  expect([...levels.keys()].filter((number) => !told.includes(number))).toEqual([])
  const wrong = rows.flatMap(({ numbers, level }) => numbers.filter((number) => String(levels.get(number)) !== level))
  expect(wrong).toEqual([])
  expect(rows.filter(({ asks }) => asks.length < 5)).toEqual([])
})

test('every test, and every passage, that docs/asvs.md names is there', () => {
  const missing: string[] = []
  for (const row of rows) {
    const named = [...row.test.matchAll(/`([^`]+)`((?: “[^”]+”,?)+)/g)]
    if (named.length === 0 && !isHeldOtherwise(row)) missing.push(`${row.numbers.join()} names no test`)
    for (const [, path, titles] of named) {
      if (!existsSync(join(root, path!))) {
        missing.push(`${row.numbers.join()}: ${path} is not there`)
        continue
      }
      const text = read(path!)
      const isThere = (title: string) =>
        path!.endsWith('.md')
          ? new RegExp(`^#+ ${RegExp.escape(title)}$`, 'm').test(text)
          : new RegExp(`\\(\\s*(['"\`])${RegExp.escape(title)}\\1`).test(text)
      for (const [, title] of titles!.matchAll(/“([^”]+)”/g))
        if (!isThere(title!)) missing.push(`${row.numbers.join()}: ${path} has no “${title}”`)
    }
    for (const [, path] of row.by.matchAll(/`([\w.-]+\/[\w./-]+\.\w+)`/g))
      if (!existsSync(join(root, path!))) missing.push(`${row.numbers.join()}: ${path} is not there`)
  }
  expect(missing).toEqual([])
})

test('what does not apply says why, and what is not held is told openly', () => {
  const otherwise = rows.filter(isHeldOtherwise)
  expect(otherwise.filter(({ test: told }) => !/^(does not apply: .{10}|not held\b)/.test(told))).toEqual([])
  const open = page.slice(page.indexOf('\n## Not held'))
  const told = [...open.matchAll(/^- \*\*([\d., ]+)\*\*/gm)].flatMap(([, numbers]) => numbers!.split(', '))
  const claimed = rows.filter(({ test: cell }) => cell.startsWith('not held')).flatMap(({ numbers }) => numbers)
  expect(told.toSorted()).toEqual(claimed.toSorted())
})

const lists = read('docs/security-lists.md')
/** What runs, without what only tests. */
const sources = ['client', 'schema', 'server', 'sync']
  .flatMap((folder) => [...new Bun.Glob(`${folder}/**/*.{ts,tsx}`).scanSync({ cwd: root })])
  .filter((path) => !/\/node_modules\/|\/dist\/|\.(test|fixture|contract)\.tsx?$/.test(path))
  .map((path) => [path, read(path)] as const)
const filesWith = (pattern: RegExp) => sources.filter(([, text]) => pattern.test(text)).map(([path]) => path)

test('no file of the product runs text as code, writes HTML by hand or calls a shell', () => {
  expect(filesWith(/\beval\(|\bnew Function\b|from 'node:vm'|\bsetTimeout\(['"`]/)).toEqual([])
  expect(filesWith(/\b(inner|outer)HTML\b|dangerouslySetInnerHTML|insertAdjacentHTML|document\.write\(/)).toEqual([])
  expect(
    filesWith(
      /shell: true|\bexec(File)?Sync\(|\bexecFile\(|import \{[^}]*\bexec\b[^}]*\} from|Bun\.\$|import \{[^}]*\$[^}]*\} from 'bun'/,
    ),
  ).toEqual([])
  // It waits for its standard input to end; what it is told is a number of ours.
  expect(filesWith(/\/bin\/(ba)?sh/)).toEqual(['server/db/embedded-postgres.ts'])
})

test('SQL that is put together as text names only what the code itself names', () => {
  // Each puts together names of tables and columns, or numbers of its own; what people write is a parameter everywhere.
  const seen = [
    'server/automation/automation.answer.ts',
    'server/backup/backup.database.ts',
    'server/commands/apply.ts',
    'server/commands/happenings.ts',
    'server/custom-fields/custom-fields.queries.ts',
    'server/db/database.ts',
    'server/db/migrate.ts',
    'server/invoices/invoices.settle.ts',
    'server/operator/operator.usage.ts',
    'server/reports/reports.behind.queries.ts',
    'server/reports/reports.make.ts',
    'server/reports/reports.queries.ts',
    'server/reports/reports.terms.ts',
    'server/roles/roles.queries.ts',
    'server/rules/rules.idle.queries.ts',
    'server/sla-policies/sla.writes.ts',
    'server/templates/templates.changes.ts',
    'server/tickets/tickets.first.queries.ts',
    'server/tickets/tickets.trim.ts',
    'sync/shape-server/engine.ts',
    'sync/shape-server/replication.ts',
    'sync/shape-server/tables.ts',
  ]
  const found = filesWith(/sql\.raw\(|\.unsafe\(/).filter((path) => !seen.includes(path))
  expect(found.map((path) => `${path}: see that no text of anybody gets into its SQL, and add it here`)).toEqual([])
})

test('every file that encrypts, signs, hashes or makes secrets stands in the lists, and none by a weak algorithm', () => {
  const own =
    /from '(node:crypto|jose|otplib|oauth4webapi|web-push)'|simplewebauthn\/server|Bun\.password\.hash|CryptoHasher|crypto\.subtle/
  const unnamed = filesWith(own).filter((path) => !lists.includes(`\`${path}\``))
  expect(unnamed.map((path) => `${path}: name it in docs/security-lists.md, under "Keys and algorithms"`)).toEqual([])
  expect(filesWith(/['"](md5|md4|sha1|sha-1|rc4|des(-|3)|[\w-]+-ecb|[\w-]+-cbc)/i)).toEqual([])
  expect(filesWith(/createCipheriv\(/)).toEqual(['server/seal.ts'])
})

test('chance that others must not guess is never Math.random', () => {
  // Pauses before another try, ids within one browser, and marks that tell one start from another.
  const seen = [
    'client/session/events.ts',
    'client/session/session-store.ts',
    'server/db/retrying.ts',
    'server/webhooks/webhooks.deliver.ts',
    'server/whatsapp/lanes.ts',
    'server/whatsapp/session.ts',
    'sync/client/live-socket.ts',
    'sync/client/outbox.sender.ts',
    'sync/shape-server/engine.ts',
    'sync/shape-server/shape-server.ts',
  ]
  const found = filesWith(/Math\.random\(/).filter((path) => !seen.includes(path))
  expect(found.map((path) => `${path}: see that nobody must not guess it, and add it here`)).toEqual([])
})

test('the figures in docs/security-lists.md are those of the code', () => {
  const minutes = (seconds: number) => `${seconds / 60} minutes`
  const days = (seconds: number) => `${seconds / 86_400} days`
  const n = (number: number) => number.toLocaleString('en')
  const figures: Record<string, string> = {
    'access token': minutes(ACCESS_SECONDS),
    'session that nobody uses (its refresh token)': days(REFRESH_SECONDS),
    'session in any case': `\`SESSION_DAYS\`, ${parseConfig({}).sessionDays} unless set`,
    'old refresh token beside the new one': `${REFRESH_GRACE_MS / 1_000} seconds; later it ends the session`,
    'the operator in a user’s name': minutes(ACTING_SECONDS),
    'second half of a login': minutes(CHALLENGE_SECONDS),
    'question to a device’s key': minutes(CHALLENGE_MS / 1_000),
    'way to the provider and back': minutes(ATTEMPT_SECONDS),
    'pass for a socket': `${PASS_SECONDS.events} seconds, once`,
    'pass for a file': `${PASS_SECONDS.media} seconds`,
    'link to a file, for programs': `${n(LINK_SECONDS)} seconds`,
    'mailed code': `${CODE_MINUTES} minutes, once`,
    invitation: `${INVITATION_DAYS} days, once`,
    'browser that is known': days(DEVICE_SECONDS),
    'wrong passwords for one e-mail from one network': `${WRONG_PER_PAIR} in 10 minutes`,
    'wrong passwords from one network': `${WRONG_PER_NETWORK} in 10 minutes`,
    'wrong passwords for one e-mail from everywhere': `${SLOW_AFTER} in 10 minutes | each answer takes ${SLOW_MS / 1_000} seconds`,
    'wrong codes of an app': `${MOST_WRONG_CODES} | none is looked at for ${CODE_LOCK_MS / 60_000} minutes`,
    'wrong mailed codes': `10 from one network, ${n(CODE_TRIES)} in all`,
    'calls without a good token': `${n(limits.stranger.burst)} at once, ${limits.stranger.perSecond} a second, by network`,
    'calls of a user': `${n(limits.user.burst)} at once, ${limits.user.perSecond} a second`,
  }
  const plain = lists.replaceAll("'", '’')
  const missing = Object.entries(figures).filter(
    ([what, figure]) => !plain.includes(`| ${what} | ${figure.replaceAll("'", '’')}`),
  )
  expect(missing).toEqual([])
  expect(lists).toContain(`A password has ${password.minLength} to ${password.maxLength} characters`)
})

test('every session begins in one of two places', () => {
  // Of a person, after both factors, networks and subscription; of the operator in a user's name, after theirs.
  expect(filesWith(/\.insert\(sessions\)/).toSorted()).toEqual([
    'server/auth/auth.writes.ts',
    'server/auth/impersonation.ts',
  ])
  expect(filesWith(/\bbeginSession\(/).toSorted()).toEqual(['server/auth/auth.writes.ts', 'server/auth/sessions.ts'])
  expect(filesWith(/tokens\.sign(Access|Refresh)\(/).toSorted()).toEqual([
    'server/auth/impersonation.routes.ts',
    'server/auth/sessions.ts',
  ])
})

test('no page listens to messages of other windows', () => {
  expect(filesWith(/window\.(addEventListener\('message'|onmessage)|(?<![\w.])addEventListener\('message'/)).toEqual([])
})

test('a page that came by https opens its sockets by wss', () => {
  const dialling = filesWith(/new (this\.deps\.)?WebSocket\(/)
  // The last one dials a process of its own machine.
  expect(dialling.toSorted()).toEqual([
    'client/session/events.ts',
    'sync/client/live-socket.ts',
    'sync/server/shape-link.ts',
  ])
  expect(read('client/session/events.ts')).toContain("address.protocol === 'https:' ? 'wss:' : 'ws:'")
  expect(read('sync/client/engine.ts')).toContain("baseUrl.replace(/^http/, 'ws')}/sync")
})

test('every field for a password hides it, and lets password managers fill it in', () => {
  expect(read('client/ui/password-input.tsx')).toContain("type={shown ? 'text' : 'password'}")
  const fields = sources.flatMap(([path, text]) =>
    [...text.matchAll(/<PasswordInput\b[^]*?\/>/g)].map(([field]) => [path, field] as const),
  )
  expect(fields.length).toBeGreaterThan(8)
  const wrong = fields.filter(
    ([, field]) => !/autoComplete="(current|new)-password"/.test(field) || /onPaste/.test(field),
  )
  expect(wrong).toEqual([])
  // What is typed for a person's password goes by no other field.
  expect(
    filesWith(/register\('(\w*[pP]assword|confirm\w*)'/).filter((path) => !read(path).includes('<PasswordInput')),
  ).toEqual([])
})

test('a password counts as it was typed, to its last letter', async () => {
  const long = 'x'.repeat(99)
  for (const rule of [password, resetPassword]) expect(rule.maxLength!).toBeGreaterThanOrEqual(64)
  const hash = await hashPassword(`${long}a`)
  expect(hash).toStartWith('$argon2id$v=19$m=19456,t=2')
  expect(await verifyPassword(`${long}a`, hash)).toBe(true)
  for (const other of [`${long}b`, `${long}A`, `${long}a `]) expect(await verifyPassword(other, hash)).toBe(false)
})

test('codes that people type are long enough, and each another', () => {
  const tokens = createTokens('a secret of thirty-two characters or more')
  const made = Array.from({ length: 200 }, () => newCode())
  expect(new Set(made).size).toBe(200)
  // 31 letters and digits: 39 bits, 79 and 49.
  for (const code of made) expect(code).toMatch(/^[A-HJKMNP-Z2-9]{4}-[A-HJKMNP-Z2-9]{4}$/)
  expect(newInvitation()).toMatch(/^([A-Z2-9]{4}-){3}[A-Z2-9]{4}$/)
  const { codes, hashes } = recoveryCodes(tokens)
  for (const code of codes) expect(code).toMatch(/^[a-hjkmnp-z2-9]{5}-[a-hjkmnp-z2-9]{5}$/)
  expect(new Set(codes).size).toBe(codes.length)
  expect(hashes.some((hash) => codes.some((code) => hash.includes(code.replace('-', ''))))).toBe(false)
})

test('a token counts by our key and algorithm only, for its own purpose, and in its time', async () => {
  const secret = 'a secret of thirty-two characters or more'
  const tokens = createTokens(secret)
  const now = new Date('2030-05-01T12:00:00Z')
  const claims = { userId: 1, companyId: 1, name: 'Ana', profile: 'user' as const, tokenVersion: 1 }
  const good = await tokens.signAccess(claims, now)
  expect((await tokens.readAccess(good, now)).userId).toBe(1)
  const refused = (token: string, at = now) =>
    expect(tokens.readAccess(token, at)).rejects.toThrow(/ERR_(SESSION|TOKEN)_EXPIRED/)

  const key = createHmac('sha256', secret).update('balcao access token').digest()
  const written = (header: { alg: string; [name: string]: unknown }, by: Uint8Array) =>
    new SignJWT({ ...claims }).setProtectedHeader(header).setIssuer('balcao').setExpirationTime('10y').sign(by)
  expect((await tokens.readAccess(await written({ alg: 'HS256' }, key), now)).userId).toBe(1)
  await refused(await written({ alg: 'HS512' }, key))
  const strange = Buffer.alloc(32, 1)
  const jwk = { kty: 'oct', k: strange.toString('base64url') }
  await refused(await written({ alg: 'HS256', jwk, jku: 'https://evil.example', x5u: 'https://evil.example' }, strange))
  const [, body] = good.split('.')
  for (const alg of ['none', 'None', 'RS256'])
    await refused(`${Buffer.from(JSON.stringify({ alg })).toString('base64url')}.${body}.`)

  const others = [
    await tokens.signRefresh({ userId: 1, tokenVersion: 1, jti: 'x' }, now),
    await tokens.signChallenge({ userId: 1, byProvider: false, trace: 'x' }, now),
    await tokens.signAttempt({ companyId: 1, state: 's', nonce: 'n', verifier: 'v' }, now),
    await tokens.signDevice({ id: 'x', emails: [] }, now),
    await createTokens(`${secret} of another installation`).signAccess(claims, now),
  ]
  for (const other of others) await refused(other)
  await expect(tokens.readRefresh(good, now)).rejects.toThrow()
  await expect(tokens.readChallenge(good, now)).rejects.toThrow()
  await expect(tokens.readAttempt(good, now)).rejects.toThrow()
  expect(await tokens.readDevice(good, now)).toBeUndefined()
  await refused(good, new Date(now.getTime() + (ACCESS_SECONDS + 1) * 1_000))
})

test('no line break gets into the head of a mail', async () => {
  for (const wrong of ['a@b.co\r\nBcc: x@y.co', 'a@b.co\nx', 'a b@c.co', 'a@b.co, x@y.co'])
    expect(isEmail(wrong)).toBe(false)
  const evil = 'Balcão\r\nBcc: x@y.co'
  const sent = await createTransport({ streamTransport: true, buffer: true }).sendMail({
    ...{ from: 'a@b.co', to: 'c@d.co', subject: evil, text: evil },
  })
  const [head = ''] = (sent.message as Buffer).toString().split('\r\n\r\n')
  expect(head).not.toMatch(/^bcc/im)
  expect(sent.envelope.to).toEqual(['c@d.co'])
})

test('what is read of a stranger changes no other object', () => {
  const read = parseJson(
    Buffer.from(
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"a":{"__proto__":{"polluted":1}}}',
    ),
    'body',
  ) as Record<string, unknown>
  const copy = Object.assign({}, structuredClone(read), { ...read })
  expect(copy).toBeDefined()
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  expect(([] as unknown as Record<string, unknown>)['polluted']).toBeUndefined()
  // No file of ours merges deeply, which is how it would come about.
  expect(filesWith(/from '(lodash|deepmerge|defu|merge-deep)|\b(deepMerge|mergeDeep)\(/)).toEqual([])
})

test('nothing is said past the logger', () => {
  // The launcher tells its address and the first password to whoever starts it.
  expect(filesWith(/\bconsole\.(log|info|warn|error|debug)\(/)).toEqual(['server/launch.ts'])
})
