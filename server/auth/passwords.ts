/** OWASP's smallest memory for argon2id: some 25 ms, and 19 MiB while it lasts. */
const cost = { algorithm: 'argon2id', memoryCost: 19 * 1024, timeCost: 2 } as const

/** Argon2id, 19 MiB and two passes, as OWASP advises; the hash names its own parameters. */
export const hashPassword = (password: string): Promise<string> => Bun.password.hash(password, cost)

let decoy: Promise<string> | undefined

/**
 * Whether the password is the one of the hash. Without a hash (nobody has that e-mail) it takes as long and is false,
 * so that nobody learns from the clock who has an account.
 */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  decoy ??= hashPassword(crypto.randomUUID())
  const right = await Bun.password.verify(password, hash ?? (await decoy)).catch(() => false)
  return right && hash !== undefined
}
