import { folded } from '../choices.ts'

/** What somebody answers to a question of a campaign (M13). */
export interface Answer {
  says: 'yes' | 'no' | 'other'
  /** They say nothing besides: nobody needs to read it. */
  isAll: boolean
}

const listed = (texts: string) => new Set(texts.split(',').map((text) => text.trim()))

/** Folded, whole messages of the three languages. */
const yes = listed(`sim, s, ss, si, yes, y, ok, okay, okey, claro, pode, pode sim, pode mandar, pode enviar, sim pode,
  sim pode mandar, pode ser, manda, mande, envia, envie, quero, quero sim, eu quero, sim quero, sim por favor, por favor,
  com certeza, aceito, confirmo, confirmado, quiero, si quiero, acepto, dale, puede, si por favor, yes please, sure, sim obrigado,
  sim obrigada`)
const no = listed(`nao, n, no, not, nao quero, nao obrigado, nao obrigada, nao precisa, agora nao, hoje nao, nao pode,
  nao agora, nao manda, nao mande, nao envie, nao tenho interesse, sem interesse, obrigado nao, obrigada nao, dispenso,
  no gracias, gracias no, no quiero, ahora no, no thanks, no thank you, not now, nope, no me interesa`)
/** With which a longer no begins. */
const noBegins = /^(?:nao|no|not|nunca|jamais|never) /

/** Signs that fold to nothing. */
const signs: Readonly<Record<string, 'yes' | 'no'>> = { '👍': 'yes', '✅': 'yes', '👌': 'yes', '👎': 'no', '❌': 'no' }
const tones = /[\u{1F3FB}-\u{1F3FF}]|\uFE0F/gu

/** Whoever writes more says something besides. */
const LONGEST = 60

export function answerIn(text: string): Answer {
  const said = folded(text)
  if (said === '') {
    // What else folds to nothing says nothing.
    const sign = text.length > LONGEST ? '' : text.trim().replace(tones, '')
    return Object.hasOwn(signs, sign) ? { says: signs[sign]!, isAll: true } : { says: 'other', isAll: false }
  }
  if (text.length > LONGEST) return { says: noBegins.test(said) ? 'no' : 'other', isAll: false }
  if (yes.has(said)) return { says: 'yes', isAll: true }
  if (no.has(said)) return { says: 'no', isAll: true }
  return { says: noBegins.test(said) ? 'no' : 'other', isAll: false }
}

/** What several messages say that come together. */
export function answerOf(texts: readonly string[]): Answer['says'] {
  const all = texts.map((text) => answerIn(text).says)
  return all.includes('yes') ? 'yes' : all.includes('no') ? 'no' : 'other'
}
