import type { CommandInput, CommandName } from '../../schema/catalog.ts'
import type { OutboxEntry, Replica } from '../../sync/client/replica.types.ts'
import { toastError } from './failure.tsx'

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
    toastError(error)
    return null
  }
}
