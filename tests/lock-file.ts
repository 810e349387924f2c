/** What of the project's packages is not as it must be: each is what its lock says, and from whom we mean. */

/**
 * Whoever is mistaken for these is let into every conversation: of what is called like them, only these are ours. Each is
 * looked at by a person before it stands here.
 */
const known: ReadonlySet<string> = new Set([
  ...['@whiskeysockets/baileys', 'libsignal', 'whatsapp-rust-bridge'],
  // What the official API is held against, in tests alone.
  '@kapso/whatsapp-cloud-api',
])
/** Names that look like one of them, however they are spelt. */
const alike =
  /ba[il1]+e?ys?(?![a-z])|wh?[i1]sk[ae]?y?-?sock|lib-?s[i1]gnal|whatsapp|(?:^|[-/])wa-?(?:web|sockets?|api)/i
const exact = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/

interface Manifest {
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  overrides?: Record<string, unknown>
  patchedDependencies?: Record<string, string>
}

/**
 * @param lock text of bun.lock: JSON with commas at the end
 * @returns a sentence for each problem
 */
export function lockProblems(lock: string, manifest: Manifest): string[] {
  const problems: string[] = []
  for (const part of ['dependencies', 'devDependencies', 'optionalDependencies'] as const)
    for (const [name, version] of Object.entries(manifest[part] ?? {})) {
      if (!exact.test(version)) problems.push(`package.json: ${name} is "${version}", which is no exact version`)
      if (alike.test(name) && !known.has(name))
        problems.push(`package.json: ${name} looks like a package that we know, and is another`)
    }
  const { packages = {} } = JSON.parse(lock.replace(/,(\s*[}\]])/g, '$1')) as { packages?: Record<string, unknown[]> }
  for (const [key, [id, address, , sum]] of Object.entries(packages)) {
    const [, name, version] = /^(@?[^@]+)@(.*)$/.exec(String(id)) ?? []
    if (name === undefined || version === undefined || !exact.test(version)) {
      problems.push(`bun.lock: ${key} is "${String(id)}", which is no exact version of a registry`)
      continue
    }
    if (address !== '') problems.push(`bun.lock: ${key} comes from an address of its own`)
    if (!/^sha512-[A-Za-z0-9+/]{86}==$/.test(String(sum))) problems.push(`bun.lock: ${key} has no SHA-512`)
    // `parent/child`, where the last part is what it is called; a scope has a slash, too.
    if (key !== name && !key.endsWith(`/${name}`)) problems.push(`bun.lock: ${key} is ${name} under another name`)
    if (alike.test(name) && !known.has(name))
      problems.push(`bun.lock: ${name} looks like a package that we know, and is another`)
  }
  return problems
}
