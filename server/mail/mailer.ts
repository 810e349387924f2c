import { createTransport } from 'nodemailer'
import { isLoopback, type Config } from '../config.ts'
import { GiveUp } from '../jobs/worker.ts'

export interface Letter {
  to: string
  subject: string
  /** Plain text. */
  text: string
  attachments?: { filename: string; contentType: string; content: Buffer }[]
}

export interface Mailer {
  /**
   * Hands the letter to the mail server.
   * @throws GiveUp when the server refuses it for good (nobody has that address); other failures may pass
   */
  send(letter: Letter): Promise<void>
  /** Ends idle connections. */
  stop(): void
}

/** The port on which the connection is encrypted from its first byte; on others it becomes so by STARTTLS. */
const IMPLICIT_TLS_PORT = 465

/** Sends through the server of the configuration, over few connections that are kept. */
export function createMailer(mail: NonNullable<Config['mail']>): Mailer {
  const transport = transportTo(mail)
  return {
    async send(letter) {
      try {
        await transport.sendMail({ ...letter, from: mail.from })
      } catch (error) {
        const { code, responseCode } = error as { code?: string; responseCode?: number }
        if (code === 'EENVELOPE' && responseCode !== undefined && responseCode >= 500)
          throw new GiveUp(`the mail server refuses the address (${responseCode})`)
        throw error
      }
    },
    stop: () => transport.close(),
  }
}

/** Asks whether the server is there and lets us in. @throws what keeps us out */
export async function checkMail(mail: NonNullable<Config['mail']>): Promise<void> {
  const transport = transportTo(mail)
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}

const transportTo = (mail: NonNullable<Config['mail']>) =>
  createTransport({
    host: mail.host,
    port: mail.port,
    secure: mail.port === IMPLICIT_TLS_PORT,
    // A password goes to another machine only where nobody on the way can read it.
    requireTLS: mail.user !== undefined && !isLoopback(`smtp://${mail.host}`),
    ...(mail.user !== undefined && { auth: { user: mail.user, pass: mail.password ?? '' } }),
    pool: true,
    maxConnections: 2,
    connectionTimeout: 15_000,
    greetingTimeout: 15_000,
    socketTimeout: 30_000,
  })
