import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Certificate {
  /** PEM, both. */
  cert: string
  key: string
}

/** A certificate of nobody’s for this machine, made anew: a key in the repository would look like a leak. */
export function makeCertificate(name: string): Certificate {
  const dir = mkdtempSync(join(tmpdir(), 'balcao-certificate-'))
  try {
    const [cert, key] = [join(dir, `${name}.crt`), join(dir, `${name}.key`)]
    const made = Bun.spawnSync([
      ...['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
      ...['-days', '2', '-subj', `/CN=${name}`, '-addext', 'subjectAltName=IP:127.0.0.1'],
      ...['-keyout', key, '-out', cert],
    ])
    if (!made.success) throw new Error(made.stderr.toString())
    return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}
