import { Value } from '@sinclair/typebox/value'
import { catalog, type CommandName } from '../../schema/catalog.ts'
import { DomainError } from '../../schema/errors.ts'

/** @throws DomainError `ERR_VALIDATION` for an input that the command does not take */
export function validate(name: CommandName, input: unknown): void {
  const wrong = Value.Errors(catalog[name].input, input).First()
  if (wrong) throw new DomainError('ERR_VALIDATION', { fields: [{ path: wrong.path, message: wrong.message }] })
}
