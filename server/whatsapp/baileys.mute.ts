/**
 * libsignal prints whole session records, private ratchet keys included, through `console`. This filter must be in
 * place before libsignal is first imported, so `baileys.ts` imports this file first. It lets everything else pass.
 */
const secretive =
  /^(Closing (open |stale )?|Opening session|Session (already|error)|Removing old closed session|Migrating session|V1 session storage|Failed to decrypt message|Decrypted message with closed session|Unhandled bucket type)/

const looksLikeSession = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  ('currentRatchet' in value || '_chains' in value || 'ephemeralKeyPair' in value)

for (const level of ['log', 'info', 'warn', 'error', 'debug'] as const) {
  const real = console[level]
  console[level] = (...args: unknown[]) => {
    if (typeof args[0] === 'string' && secretive.test(args[0])) return
    if (args.some(looksLikeSession)) return
    real.apply(console, args)
  }
}
