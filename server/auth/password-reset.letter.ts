import type { Company } from '../../schema/companies/companies.table.ts'
import { CODE_MINUTES } from './password-reset.codes.ts'

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
