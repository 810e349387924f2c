const signatureOf = (name: string) => `*${name}*:\n`

/** With the signature on, the author's name stands in bold on its own line. */
export function signed(body: string, name: string, sign: boolean): string {
  return sign && body.trim() !== '' ? signatureOf(name) + body : body
}

/** Whether a body says already who wrote it. */
export const isSignedBy = (body: string, name: string): boolean => body.startsWith(signatureOf(name))

/** A body without the signature that `signed` put before it: what an edit shows, and what it keeps. */
export function splitSignature(body: string): { signature: string; text: string } {
  const found = /^\*[^*\n]+\*:\n/.exec(body)
  return found ? { signature: found[0], text: body.slice(found[0].length) } : { signature: '', text: body }
}
