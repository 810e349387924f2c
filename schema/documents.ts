/** A CPF or CNPJ whose check digits are right. */
export interface CustomerDocument {
  kind: 'cpf' | 'cnpj'
  /** 11 digits, or 14 characters: a CNPJ may hold capital letters in its first 12. */
  value: string
  /** As people write it: `529.982.247-25`, `12.ABC.345/01DE-35`. */
  punctuated: string
}

/** What a contact may write around the number. */
const found =
  /(?<![A-Z\d])(?:\d{3}\.?\d{3}\.?\d{3}-?\d{2}|[A-Z\d]{2}\.?[A-Z\d]{3}\.?[A-Z\d]{3}\/?[A-Z\d]{4}-?\d{2})(?![A-Z\d])/g

/** The first valid document within a text. */
export function documentIn(text: string): CustomerDocument | undefined {
  for (const [written] of text.slice(0, 500).toUpperCase().matchAll(found)) {
    const document = documentOf(written)
    if (document) return document
  }
  return undefined
}

/** The document, or undefined where its length or check digits are wrong. */
export function documentOf(written: string): CustomerDocument | undefined {
  const value = written.toUpperCase().replace(/[\s./-]/g, '')
  if (/^\d{11}$/.test(value)) {
    // All digits alike pass the sum, and belong to nobody.
    if (/^(\d)\1+$/.test(value) || !hasDigits(value, [11, 12])) return undefined
    return { kind: 'cpf', value, punctuated: value.replace(/^(...)(...)(...)(..)$/, '$1.$2.$3-$4') }
  }
  if (/^[A-Z\d]{12}\d{2}$/.test(value)) {
    if (/^(.)\1+$/.test(value) || !hasDigits(value, [9, 9])) return undefined
    return { kind: 'cnpj', value, punctuated: value.replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5') }
  }
  return undefined
}

/**
 * Whether the last two characters are the check digits of those before, modulo 11. Weights grow from 2 at the right;
 * a CNPJ begins again after 9. A letter counts as its ASCII code less 48, as a digit does.
 */
function hasDigits(value: string, highest: readonly [number, number]): boolean {
  return highest.every((most, which) => {
    const before = value.slice(0, value.length - 2 + which)
    let weight = 2
    let sum = 0
    for (let at = before.length - 1; at >= 0; at--) {
      sum += (before.charCodeAt(at) - 48) * weight
      weight = weight === most ? 2 : weight + 1
    }
    const rest = sum % 11
    return Number(value.at(which - 2)) === (rest < 2 ? 0 : 11 - rest)
  })
}
