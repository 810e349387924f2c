import { engineVersion, schemaVersion } from './tables.ts'

/** Where `template.vite.ts` puts the data directory of a new replica. */
export const templateFile = `replica-${engineVersion}_${schemaVersion}.data`

/**
 * The data directory of a new replica for `loadDataDir`, or undefined where it cannot be had: a database is then made
 * from nothing, which takes longer and is otherwise the same.
 */
export async function fetchTemplate(baseUrl: string): Promise<File | undefined> {
  try {
    const response = await fetch(`${baseUrl}/${templateFile}`)
    const bytes = new Uint8Array(await response.arrayBuffer())
    // A server may answer an unknown path with its page.
    const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b
    return response.ok && isGzip ? new File([bytes], 'replica.tar.gz') : undefined
  } catch {
    return undefined
  }
}
