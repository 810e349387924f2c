import type { Logger } from 'pino'
import { actionOn, type CloudFailure, cloudFailureOf } from '../../schema/whatsapps/whatsapps.cloud-failures.ts'
import { later, type Line, refused } from './cloud.line.ts'
import type { Refused, Troubles } from './cloud.troubles.ts'
import { GraphError, GraphSilence } from './graph.ts'

export type Said = ReturnType<typeof createSaid>

/**
 * What a call that failed means, in the port's words; whatever the service did not say is passed on.
 * @param deps `fell`: the service says what is wrong with the whole connection; `lookMs`: when it is asked again
 */
export function createSaid(deps: {
  fell(line: Line, word: CloudFailure): Promise<void>
  /** Somebody wants no marketing. */
  stopped(line: Line, contact: string): Promise<void>
  refusedBy: Troubles['tell']
  lookMs: number
  log: Logger
}) {
  return async (
    line: Line,
    number: string,
    error: unknown,
    { template = null, isMany = false }: Partial<Pick<Refused, 'template' | 'isMany'>> = {},
  ): Promise<unknown> => {
    if (error instanceof GraphSilence) return later(line.id, deps.lookMs)
    if (!(error instanceof GraphError)) return error
    const { code, traceId, details } = error
    const failure = cloudFailureOf(code, error.status)
    deps.log.warn({ whatsappId: line.id, failure, code, traceId, details }, 'the official API refused')
    switch (actionOn(failure)) {
      case 'line':
        await deps.fell(line, failure)
        return later(line.id, deps.lookMs)
      case 'pair':
        return later(line.id, line.pace.tooFastTo(number))
      case 'wait':
        return later(line.id, line.pace.tooFast())
      case 'doubt':
        return later(line.id, deps.lookMs)
      case 'refuse':
        if (failure === 'stopped_marketing') await deps.stopped(line, number)
        await deps.refusedBy({ companyId: line.companyId, whatsappId: line.id }, { failure, code, template, isMany })
        return refused(failure, code)
    }
  }
}
