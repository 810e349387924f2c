import type { Company } from '../../schema/companies/companies.table.ts'
import { findRecipient } from '../auth/password-reset.queries.ts'
import type { Db } from '../db/database.ts'
import type { Handlers } from '../jobs/worker.ts'
import type { Letter, Mailer } from '../mail/mailer.ts'
import { makeOfRule } from './webhooks.writes.ts'

type Reason = 'gone' | 'failing'

const words: Record<
  Company['language'],
  (parts: { name: string; url: string; where: string }) => Record<Reason, string> & { subject: string; end: string }
> = {
  pt: ({ name, url, where }) => ({
    subject: 'Um webhook foi desligado',
    gone: `Olá, ${name}.\n\nO endereço ${url} respondeu que não quer mais avisos (410).`,
    failing: `Olá, ${name}.\n\nO endereço ${url} falha há cinco dias.`,
    end: `O webhook foi desligado. O que aconteceu fica guardado por 30 dias e pode ser enviado de novo.${where && ` Ligue-o outra vez em ${where}`}`,
  }),
  es: ({ name, url, where }) => ({
    subject: 'Un webhook fue desactivado',
    gone: `Hola, ${name}:\n\nLa dirección ${url} respondió que no quiere más avisos (410).`,
    failing: `Hola, ${name}:\n\nLa dirección ${url} falla desde hace cinco días.`,
    end: `El webhook fue desactivado. Lo ocurrido se guarda 30 días y puede enviarse de nuevo.${where && ` Actívalo otra vez en ${where}`}`,
  }),
  en: ({ name, url, where }) => ({
    subject: 'A webhook was switched off',
    gone: `Hello ${name},\n\nThe address ${url} answered that it wants no more events (410).`,
    failing: `Hello ${name},\n\nThe address ${url} has failed for five days.`,
    end: `The webhook was switched off. What happened is kept for 30 days and can be sent again.${where && ` Switch it on again at ${where}`}`,
  }),
}

/** Tells webhooks what rules say; and an admin by mail that one was switched off. Where there is no mail server, the screen says it. */
export function webhookEffects(deps: {
  db: Db
  mailer: Mailer | undefined
  /** Without a slash at the end; undefined leaves the address of the screen out. */
  publicUrl: string | undefined
  now(): Date
  /** There is something to deliver. */
  wake(): void
}): Pick<Handlers, 'mail.webhookOff' | 'webhooks.rule'> {
  return {
    'webhooks.rule': async (told, { companyId }) => {
      await makeOfRule(deps.db, companyId, told, deps.now())
      deps.wake()
    },
    'mail.webhookOff': async ({ userId, url, reason }) => {
      const to = deps.mailer && (await findRecipient(deps.db, userId))
      if (!to) return
      const { name, language, email } = to
      // The path of an address may hold a secret of the receiver.
      const parts = { name, url: new URL(url).origin, where: deps.publicUrl ? `${deps.publicUrl}/webhooks` : '' }
      const said = words[language](parts)
      const letter: Letter = { to: email, subject: said.subject, text: `${said[reason]}\n\n${said.end}\n` }
      await deps.mailer!.send(letter)
    },
  }
}
