/**
 * An amount as the person's language writes money.
 * @param locale `i18n.locale`
 * @param amount in reais, such as `99.90`
 */
export const moneyText = (locale: string, amount: string): string =>
  Number(amount).toLocaleString(locale, { style: 'currency', currency: 'BRL' })
