import { readFileSync } from 'node:fs'
import { join } from 'node:path'

// Files as contacts and agents send them.

export const png = readFileSync(join(import.meta.dir, '..', '..', 'client', 'public', 'icons', 'icon-192.png'))

export const pdf = Buffer.from(
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
)

/** The beginning of an Ogg Opus file, which is all that tells what it is. */
export const ogg = Buffer.concat([
  Buffer.from('OggS\0\x02', 'latin1'),
  Buffer.alloc(22),
  Buffer.from('OpusHead\x01\x01', 'latin1'),
  Buffer.alloc(400, 7),
])
