/** What a key may be allowed. */
export const apiScopes = [
  'messages:send',
  'messages:read',
  'tickets:read',
  'tickets:write',
  'contacts:read',
  'contacts:write',
  'campaigns:read',
  'campaigns:send',
  'reports:read',
  'connections:write',
  'webhooks:write',
] as const

export type ApiScope = (typeof apiScopes)[number]

/** A company's keys that are neither revoked nor expired. */
export const MOST_API_KEYS = 20
