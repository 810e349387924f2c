import { Type } from '@sinclair/typebox'
import { moment, patterned } from '../inputs.ts'
import { auditActions, auditEntities } from './audit.nouns.ts'

/** Which entries are asked for; each part narrows it. */
export const auditFilter = {
  entity: Type.Optional(Type.Union(auditEntities.map((entity) => Type.Literal(entity)))),
  entityId: Type.Optional(Type.String({ maxLength: 64 })),
  action: Type.Optional(Type.Union(auditActions.map((action) => Type.Literal(action)))),
  from: Type.Optional(moment),
  to: Type.Optional(moment),
}

export const auditPage = {
  cursor: Type.Optional(patterned({ minLength: 1, maxLength: 15, pattern: '^[0-9]+$' })),
  limit: Type.Optional(patterned({ minLength: 1, maxLength: 3, pattern: '^([1-9][0-9]?|100)$' })),
}
