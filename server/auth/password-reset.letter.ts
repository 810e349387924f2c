import type { Company } from '../../schema/companies/companies.table.ts'
import { CODE_MINUTES, INVITATION_DAYS } from './password-reset.codes.ts'

type Words = (parts: { product: string; name: string; code: string; minutes: number; where: string }) => {
  subject: string
  text: string
}

/** The mail with the code, in the company's language. */
const words: Record<Company['language'], Words> = {
  pt: ({ product, name, code, minutes, where }) => ({
    subject: 'Código para redefinir sua senha',
    text: `Olá, ${name}.

Alguém, provavelmente você, pediu uma nova senha para ${product}. Seu código de verificação:

    ${code}

Ele vale por ${minutes} minutos e só uma vez.${where && ` Digite-o em ${where}`}

Se não foi você, ignore esta mensagem: sua senha continua a mesma.
`,
  }),
  es: ({ product, name, code, minutes, where }) => ({
    subject: 'Código para restablecer tu contraseña',
    text: `Hola, ${name}:

Alguien, probablemente tú, pidió una nueva contraseña para ${product}. Tu código de verificación:

    ${code}

Vale durante ${minutes} minutos y una sola vez.${where && ` Escríbelo en ${where}`}

Si no fuiste tú, ignora este mensaje: tu contraseña sigue siendo la misma.
`,
  }),
  en: ({ product, name, code, minutes, where }) => ({
    subject: 'Code to reset your password',
    text: `Hello ${name},

Somebody, probably you, asked for a new password for ${product}. Your verification code:

    ${code}

It is valid for ${minutes} minutes, and only once.${where && ` Enter it at ${where}`}

If it was not you, ignore this message: your password stays as it is.
`,
  }),
}

/**
 * @param product what it is called here
 * @param publicUrl without a slash at the end; undefined where the server does not know its own address
 */
export function resetLetter(
  { name, language }: { name: string; language: Company['language'] },
  code: string,
  product: string,
  publicUrl: string | undefined,
): { subject: string; text: string } {
  return words[language]({
    product,
    name,
    code,
    minutes: CODE_MINUTES,
    where: publicUrl ? `${publicUrl}/forgetpsw` : '',
  })
}

type Invitation = (parts: { product: string; name: string; companyName: string; days: number; link: string }) => {
  subject: string
  text: string
}

/** The mail to somebody new, in the company's language. */
const invitations: Record<Company['language'], Invitation> = {
  pt: ({ product, name, companyName, days, link }) => ({
    subject: `Convite para ${product}`,
    text: `Olá, ${name}.

${companyName} convidou você para atender em ${product}. Escolha a sua senha aqui:

${link}

O endereço vale por ${days} dias e só uma vez.
`,
  }),
  es: ({ product, name, companyName, days, link }) => ({
    subject: `Invitación a ${product}`,
    text: `Hola, ${name}:

${companyName} te invitó a atender en ${product}. Elige tu contraseña aquí:

${link}

La dirección vale durante ${days} días y una sola vez.
`,
  }),
  en: ({ product, name, companyName, days, link }) => ({
    subject: `Invitation to ${product}`,
    text: `Hello ${name},

${companyName} has invited you to ${product}. Choose your password here:

${link}

The address is valid for ${days} days, and only once.
`,
  }),
}

export function invitationLetter(
  { name, companyName, language }: { name: string; companyName: string; language: Company['language'] },
  link: string,
  product: string,
): { subject: string; text: string } {
  return invitations[language]({ product, name, companyName, days: INVITATION_DAYS, link })
}
