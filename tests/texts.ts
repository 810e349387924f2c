/** What a list can see of the texts that people read, in all their languages. */

import type { Language } from '../schema/languages.ts'

/** Texts that count something that is never one, by their Portuguese. */
const neverOne = new Set([
  '{count} horas',
  '{count} tokens',
  '{done} de {total} prontos',
  'A assinatura vence em {days} dias',
  'Até {0} tokens por resposta',
  'Últimos {days} dias',
  'ou solte o arquivo aqui: .xlsx, .xls ou .csv, até 5 MB e {most} mil linhas',
  'O quadro mostra os {mostCards} atendimentos que mudaram por último. Um filtro mostra os outros.',
  'Uma lista tem no máximo {limit} contatos',
  'Uma lista tem no máximo {MOST_FILES} arquivos',
])

/** Words of the texts that we write in another way, and how. */
const words: Record<Exclude<Language, 'pt'>, readonly (readonly [RegExp, string])[]> = {
  // British English, with -ise throughout.
  en: [
    [/\b(?:behavi|col|fav|flav|hon|lab|neighb)or(?:s|ed|ing|ite|ites)?\b/i, '-our'],
    [/\b(?:cent|fib)er(?:s|ed)?\b/i, '-re'],
    [/\b(?!siz|resiz|priz|seiz)[a-z]+(?:iz|yz)(?:e|es|ed|er|ers|ing|ation|ations)\b/i, '-ise'],
    [/\b(?:cancel|label|travel|model|signal)(?:ed|ing)\b/i, '-lled, -lling'],
    [/\bcatalogs?\b/i, 'catalogue'],
    [/\bdialogs?\b/i, 'dialogue, window'],
    [/\b(?:the|a|your|its|this) license\b/i, 'licence'],
    [/\bgray\b/i, 'grey'],
    [/\be-mails?\b/i, 'email'],
    [/\b(?:log(?:ged|ging) (?:in|out)|log[ -]?out|logins?)\b|^log in\b/i, 'sign in, sign out'],
    [/\w'\w/, '’'],
  ],
  // One form of address, tú; and one word for one thing.
  es: [
    [/\b(?:usted|ustedes|desea|guárde\w+|corrija|elija|ingrese|seleccione|añada|haga clic)\b/i, 'tú'],
    [/\bañad\w+/i, 'agregar'],
    [/\bcelular(?:es)?\b/i, 'teléfono'],
    [/\bfestivos?\b/i, 'feriado'],
    [/\bplanillas?\b/i, 'hoja de cálculo'],
    [/\b(?:sin|con) red\b/i, 'sin conexión, con conexión'],
    [/\brobots?\b/i, 'bot'],
  ],
}

/** Sentences that are given word for word, other words and another form of address among them. */
const given: ReadonlySet<string> = new Set([
  'Añadir el valor del intervalo',
  'Añadir una cola',
  '¿Desea duplicar el flujo {0}?',
  'Está seguro de que desea eliminar este flujo? Todas las integraciones relacionadas se perderán.',
])

/** A number and a noun in the plural beside it. */
const counted = /\{\w+\} (?!(?:n|d)?[ao]s )(?:[a-zà-ú]+ )?[a-zà-ú]{3,}s(?![a-zà-ú])/
const choices = /\{\w+, plural,(?:[^{}]|\{[^{}]*\})*\}/g

/**
 * Words of a language that we write in another way, and texts that would say "1 contatos". One line each.
 * @param language of the catalogue
 * @param catalogue as Lingui writes it
 */
export function textProblems(language: Language, catalogue: string): string[] {
  const problems: string[] = []
  for (const [, id, said] of catalogue.matchAll(/^msgid ((?:".*"\n)+)msgstr ((?:".*"(?:\n|$))+)/gm)) {
    const text = unquoted(said!)
    if (language === 'pt') {
      if (counted.test(text.replaceAll(choices, '')) && !neverOne.has(unquoted(id!)))
        problems.push(`${text}: counts without a plural`)
    } else if (!given.has(text))
      for (const [word, ours] of words[language]) {
        const found = word.exec(text)
        if (found) problems.push(`${language}: ${text}: "${found[0]}" is written ${ours}`)
      }
  }
  return problems
}

const unquoted = (lines: string): string => (lines.match(/^"(.*)"$/gm) ?? []).map((line) => line.slice(1, -1)).join('')
