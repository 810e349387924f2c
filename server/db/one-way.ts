import { failuresIn } from './failures.ts'

/** What Postgres says of a statement behind one that was refused. */
const IN_FAILED_TRANSACTION = '25P02'

/**
 * Waits for statements of one transaction that were sent one behind the other. All of their answers may come at once, and
 * then that of the last might be seen first: it only says that one before it was refused.
 *
 * @throws what the one that failed was refused for
 */
export async function allDone(statements: readonly unknown[]): Promise<void> {
  const outcomes = await Promise.allSettled(statements)
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []))
  if (refused.length > 0) throw refused.find((reason) => codeOf(reason) !== IN_FAILED_TRANSACTION) ?? refused[0]
}

const codeOf = (error: unknown): string | undefined => failuresIn(error).find(({ code }) => code !== undefined)?.code
