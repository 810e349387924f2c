import { DomainError } from '../../schema/errors.ts'
import type { CommandInput, CommandName } from '../../schema/catalog.ts'
import type { OutboxEntry, Replica } from '../../sync/client/replica.types.ts'
import { errorCodeText, toastError } from './error-text.ts'
import { toast } from '../ui/toaster.tsx'

/** Does a command and says in a toast when it is refused on the spot; then the answer is null. */
export async function perform<N extends CommandName>(
  replica: Replica,
  name: N,
  input: CommandInput<N>,
  options?: { file?: Blob },
): Promise<OutboxEntry | null> {
  try {
    return await replica.mutate(name, input, options)
  } catch (error) {
    toastFailure(error)
    return null
  }
}

/** Any failure as a toast: a rule's refusal, a call's, or a defect's. */
export function toastFailure(error: unknown): void {
  if (error instanceof DomainError) toast.error(errorCodeText(error.code, error.params))
  else toastError(error)
}
