import type { TObject } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { ApiScope } from '../../schema/api-keys/api-keys.scopes.ts'
import { asForm } from '../../schema/external/external.inputs.ts'
import type { Principal } from '../../schema/permissions.ts'
import { callerAddress } from '../http/caller.ts'
import { givenKey } from '../http/commands.routes.ts'
import type { AppDeps } from '../http/deps.ts'
import { bearerOf } from '../http/guard.ts'
import { newId } from '../../schema/ids.ts'
import { demandPrograms, demandScope, type KeyCaller } from './external.callers.ts'

/** Gives the routes after it the program that calls; without a good key they do not run. */
export const programs = ({ callers, config, facts, now }: Pick<AppDeps, 'callers' | 'config' | 'facts' | 'now'>) =>
  new Elysia().derive({ as: 'scoped' }, async ({ request, server }) => {
    const caller = await callers.admit(bearerOf(request), callerAddress(request, server, config.trustProxy), now())
    await demandPrograms(facts, caller.companyId, now())
    return {
      /** The company of the key, if it has the scope. */
      of(scope: ApiScope): number {
        demandScope(caller, scope)
        return caller.companyId
      },
      caller,
    }
  })

/**
 * What the description says of a call: its name in the clients that are made from it, its scope, and what it does.
 * @param operationId a verb and a noun, such as `listTickets`
 */
export const needs = (operationId: string, scope: ApiScope, summary: string, description?: string) => ({
  ...{ operationId, summary, tags: ['v1'] },
  description: `${description ? `${description}\n\n` : ''}Scope: \`${scope}\`.`,
  security: [{ apiKey: [] }],
})

/** A program decides like an admin, and is nobody: what is taken by an agent stays theirs. */
export const asAdmin = ({ companyId, name }: KeyCaller): Principal => ({
  ...{ userId: 0, companyId, name, profile: 'admin', super: false, queueIds: [], allTicket: true, whatsappId: null },
})

/** By which the log of commands knows a call again; two keys of a company have nothing in common. */
export const keyOf = ({ keyId }: KeyCaller, request: Request): string | null => {
  const key = givenKey(request)
  return key === null ? null : `key ${keyId} ${key}`
}
/** The same for a command, which always has one. */
export const commandKeyOf = (caller: KeyCaller, request: Request): string => keyOf(caller, request) ?? newId()

/** How the body of a call may come that says something: as JSON, or as a form with files. */
export const sayingBodies = (schema: TObject) => ({
  content: {
    'application/json': { schema: schema as object },
    'multipart/form-data': {
      schema: asForm(schema) as object,
    },
  },
  required: true,
})
