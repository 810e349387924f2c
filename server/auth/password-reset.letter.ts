import type { Company } from '../../schema/companies/companies.table.ts'
import { CODE_MINUTES, INVITATION_DAYS } from './password-reset.codes.ts'

type Words = (parts: { name: string; code: string; minutes: number; where: string }) => {
  subject: string
  text: string
}

/** The mail with the code, in the company's language. */
const words: Record<Company['language'], Words> = {
  pt: ({ name, code, minutes, where }) => ({
    subject: 'Código para redefinir sua senha',
    text: `Olá, ${name}.

Alguém, provavelmente você, pediu uma nova senha para o Balcão. Seu código de verificação:

    ${code}

Ele vale por ${minutes} minutos e só uma vez.${where && ` Digite-o em ${where}`}

Se não foi você, ignore esta mensagem: sua senha continua a mesma.
`,
  }),
  es: ({ name, code, minutes, where }) => ({
    subject: 'Código para restablecer tu contraseña',
    text: `Hola, ${name}:

Alguien, probablemente tú, pidió una nueva contraseña para Balcão. Tu código de verificación:

    ${code}

Vale durante ${minutes} minutos y una sola vez.${where && ` Escríbelo en ${where}`}

Si no fuiste tú, ignora este mensaje: tu contraseña sigue siendo la misma.
`,
  }),
  en: ({ name, code, minutes, where }) => ({
    subject: 'Code to reset your password',
    text: `Hello ${name},

Somebody, probably you, asked for a new password for Balcão. Your verification code:

    ${code}

It is valid for ${minutes} minutes, and only once.${where && ` Enter it at ${where}`}

If it was not you, ignore this message: your password stays as it is.
`,
  }),
}

/** @param publicUrl without a slash at the end; undefined where the server does not know its own address */
export function resetLetter(
  { name, language }: { name: string; language: Company['language'] },
  code: string,
  publicUrl: string | undefined,
): { subject: string; text: string } {
  return words[language]({ name, code, minutes: CODE_MINUTES, where: publicUrl ? `${publicUrl}/forgetpsw` : '' })
}

type Invitation = (parts: { name: string; companyName: string; days: number; link: string }) => {
  subject: string
  text: string
}

/** The mail to somebody new, in the company's language. */
const invitations: Record<Company['language'], Invitation> = {
  pt: ({ name, companyName, days, link }) => ({
    subject: 'Convite para o Balcão',
    text: `Olá, ${name}.

${companyName} convidou você para atender no Balcão. Escolha a sua senha aqui:

${link}

O endereço vale por ${days} dias e só uma vez.
`,
  }),
  es: ({ name, companyName, days, link }) => ({
    subject: 'Invitación a Balcão',
    text: `Hola, ${name}:

${companyName} te invitó a atender en Balcão. Elige tu contraseña aquí:

${link}

La dirección vale durante ${days} días y una sola vez.
`,
  }),
  en: ({ name, companyName, days, link }) => ({
    subject: 'Invitation to Balcão',
    text: `Hello ${name},

${companyName} has invited you to Balcão. Choose your password here:

${link}

The address is valid for ${days} days, and only once.
`,
  }),
}

export function invitationLetter(
  { name, companyName, language }: { name: string; companyName: string; language: Company['language'] },
  link: string,
): { subject: string; text: string } {
  return invitations[language]({ name, companyName, days: INVITATION_DAYS, link })
}
