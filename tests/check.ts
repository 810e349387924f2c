/**
 * `bun run check`: what a machine can see without running the product. `--fix` formats, and writes what
 * is made from code (`.env.example`, the README's table of variables).
 */
import { languages } from '../schema/languages.ts'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { auditTriggersToMake } from '../schema/audit/audit.triggers.ts'
import { migrationsFolder } from '../server/db/migrate.ts'
import { envExample, variablesTable } from '../server/config.ts'
import { lockProblems } from './lock-file.ts'
import { ruleProblems } from './rules.ts'
import { textProblems } from './texts.ts'

export type CheckResult = { name: string; problems: string; ms: number }

const root = join(import.meta.dir, '..')
const mostLines = 80

/** Every check by name; each returns what it found wrong, or nothing. */
const checks: Record<string, () => Promise<string>> = {
  types: () => tool(['typescript', 'bin', 'tsc'], '-p', '.'),
  lint: () => tool(['oxlint', 'bin', 'oxlint'], '--deny-warnings'),
  format: () => tool(['@biomejs', 'biome', 'bin', 'biome'], 'format', '--max-diagnostics=20', '.'),
  'lock file names no address': async () =>
    readFileSync(join(root, 'bun.lock'), 'utf8')
      .split('\n')
      .flatMap((line, index) => (/https?:/.test(line) ? [`bun.lock:${index + 1} holds an address`] : []))
      .join('\n'),
  'packages are exact, and whose we mean': async () =>
    lockProblems(
      readFileSync(join(root, 'bun.lock'), 'utf8'),
      JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Parameters<typeof lockProblems>[1],
    ).join('\n'),
  'no path of a machine, no registry': foreignAddresses,
  'every rule has a test': rulesAndTests,
  'files that comments and pages name exist': missingFiles,
  'the audit log hears what audit.nouns.ts says': auditTriggers,
  'texts count with plurals, and keep to one English and one Spanish': texts,
}

/** Runs all checks, one after another, each as soon as the last is done: most of them use every core. */
export async function runChecks(report: (result: CheckResult) => void): Promise<CheckResult[]> {
  const results: CheckResult[] = []
  for (const [name, check] of Object.entries(checks)) {
    const begin = performance.now()
    const problems = await check().catch((error: unknown) => String(error))
    const result = { name, problems: problems.trim(), ms: performance.now() - begin }
    report(result)
    results.push(result)
  }
  return results
}

/** A line for each check, and what it found below. */
export function printCheck({ name, problems, ms }: CheckResult): void {
  console.log(`${problems ? '✗' : '✓'} ${name} (${(ms / 1000).toFixed(1)} s)`)
  const lines = problems.split('\n')
  if (problems) console.log(lines.slice(0, mostLines).join('\n').replace(/^/gm, '    '))
  if (lines.length > mostLines) console.log(`    … and ${lines.length - mostLines} lines more`)
}

async function tool(path: string[], ...flags: string[]): Promise<string> {
  const child = Bun.spawn([process.execPath, '--bun', join(root, 'node_modules', ...path), ...flags], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return code === 0 ? '' : out + err || `ended with ${code}`
}

/** Files of the project, as git sees them. */
function files(): string[] {
  const listed = Bun.spawnSync(['git', 'ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root })
  const paths = listed.success
    ? listed.stdout.toString().split('\n')
    : [...new Bun.Glob('**/*').scanSync({ cwd: root })].filter((path) => !/(^|\/)(node_modules|dist|data)\//.test(path))
  return paths.filter((path) => path !== '' && existsSync(join(root, path)))
}

/** Triggers of the audit log that no migration has, or that the newest one makes otherwise. */
async function auditTriggers(): Promise<string> {
  const migrations = [...new Bun.Glob('*.sql').scanSync(migrationsFolder)].sort()
  const wanted = auditTriggersToMake(migrations.map((name) => readFileSync(join(migrationsFolder, name), 'utf8')))
  return wanted.length === 0 ? '' : `bun run migration <what for> --custom would write:\n${wanted.join('\n')}`
}

/** What was true only where it was written: folders of one machine, addresses of one registry. */
async function foreignAddresses(): Promise<string> {
  // Written in pieces, so that this file does not find itself.
  const wrong = new RegExp(
    ['/wo' + 'rk/', '/ro' + 'ot/', '/tm' + 'p/', '/home/[a-z]+/', 'registry\\.' + 'npm'].join('|'),
  )
  const readable = /\.(ts|tsx|js|json|md|sql|css|html|yaml|yml|toml|po|lock|example)$|Dockerfile$|^\.ci\//
  return files()
    .filter((path) => readable.test(path))
    .flatMap((path) =>
      readFileSync(join(root, path), 'utf8')
        .split('\n')
        .flatMap((line, index) => (wrong.test(line) ? [`${path}:${index + 1} ${line.trim().slice(0, 120)}`] : [])),
    )
    .join('\n')
}

/** Each rule of a page named `SPEC.md` stands in the title of a test, as `[T4] …`. */
async function rulesAndTests(): Promise<string> {
  const read = (path: string) => ({ path, text: readFileSync(join(root, path), 'utf8') })
  const paths = files()
  return ruleProblems(
    paths.filter((path) => /(^|\/)SPEC\.md$/.test(path)).map(read),
    paths.filter((path) => /\.(test|spec)\.tsx?$/.test(path)).map(read),
  ).join('\n')
}

async function texts(): Promise<string> {
  const catalogue = (language: string) => readFileSync(join(root, `client/i18n/locales/${language}.po`), 'utf8')
  return languages.flatMap((language) => textProblems(language, catalogue(language))).join('\n')
}

/** Names in texts that look like files and are none: made up for an example, or a property in code. */
const noFiles = /\bthings\b|^database\.sql$|^client\/dist$/

/**
 * Files that a comment or a page names and that are not there: renamed since, or never written. A name may be a whole
 * path, one beside the text, or the end of a path; a folder is named by its whole path.
 */
async function missingFiles(): Promise<string> {
  const present = files()
  const endings = new Set(
    present.flatMap((path) => path.split('/').map((_, from, parts) => parts.slice(from).join('/'))),
  )
  const exists = (from: string, name: string) =>
    endings.has(name.replace(/^(\.{1,2}\/)+/, '')) ||
    [name, join(dirname(from), name)].some((path) => existsSync(join(root, path))) ||
    noFiles.test(name)
  const file =
    /(?<![\w./@:…*>{}-])(?:\.{1,2}\/)?(?:[\w.-]+\/)*\w[\w.-]*\.(?:tsx?|sql|md|ya?ml|css|html|po|png)(?![\w(/*.])/g
  const folder =
    /(?<![\w./@:…*>{}$-])(?:bench|client|docs|schema|server|sync|tests)\/[\w-]+(?:\/[\w-]+)*(?![\w./*<{@-])/g
  return present
    .filter((path) => /\.(tsx?|md|sql|css)$/.test(path))
    .flatMap((path) =>
      proseOf(path, readFileSync(join(root, path), 'utf8')).flatMap(({ line, text }) =>
        [...text.matchAll(file), ...text.matchAll(folder)]
          .map(([name]) => name)
          .filter((name) => !exists(path, name))
          .map((name) => `${path}:${line} names ${name}, which is not there`),
      ),
    )
    .join('\n')
}

/** What of a file is written for people: all of a page, and the comments of code. */
function proseOf(path: string, text: string): { line: number; text: string }[] {
  const lines = (part: string, first: number) => part.split('\n').map((text, index) => ({ line: first + index, text }))
  if (path.endsWith('.md')) return lines(text, 1)
  const comments = path.endsWith('.sql') ? /--.*/g : /\/\*[^]*?\*\/|(?<![:'"`])\/\/.*/g
  return [...text.matchAll(comments)].flatMap((found) => lines(found[0], text.slice(0, found.index).split('\n').length))
}

async function fix(): Promise<void> {
  writeFileSync(join(root, '.env.example'), envExample())
  const readme = join(root, 'README.md')
  const text = readFileSync(readme, 'utf8')
  const table = `<!-- variables -->\n${variablesTable()}\n<!-- /variables -->`
  writeFileSync(
    readme,
    text.replace(/<!-- variables -->[^]*<!-- \/variables -->/, () => table),
  )
  await tool(['@biomejs', 'biome', 'bin', 'biome'], 'format', '--write', '.')
}

if (import.meta.main) {
  if (process.argv.includes('--fix')) await fix()
  const results = await runChecks(printCheck)
  process.exit(results.some(({ problems }) => problems) ? 1 : 0)
}
