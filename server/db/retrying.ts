import { failuresIn } from './failures.ts'

/** Two transactions were in each other's way: Postgres ended one of them, which may be done again. */
export const retryOnConflict = ['40P01', '40001'] as const

const attempts = 5

/**
 * Does a transaction, and again where Postgres ended it with one of these codes.
 * @throws what it fails with otherwise, or at last
 */
export async function retrying<T>(codes: readonly string[], work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === attempts || !isOneOf(codes, error)) throw error
      await Bun.sleep(5 * attempt + Math.random() * 10)
    }
  }
}

const isOneOf = (codes: readonly string[], error: unknown): boolean =>
  failuresIn(error).some(({ code }) => code !== undefined && codes.includes(code))
