import { type Static, Type } from '@sinclair/typebox'
import { callingCodes } from '../contacts/contacts.phone.ts'
import { holidayList, weekHours } from '../hours/hours.inputs.ts'
import { email, nullable, password, patterned, personName, requiring, rowId } from '../inputs.ts'
import { languages } from '../languages.ts'
import { recurrences } from './companies.table.ts'

/** What the sign-up form holds: the rules for both ends. */
export const signUpFields = {
  name: personName,
  /** Of the company's first admin. */
  userName: personName,
  email,
  password,
  /** With or without the marks of `(99) 99999-9999`; at most 11 digits count. */
  phone: patterned({ pattern: '^[^0-9]*([0-9][^0-9]*){0,11}$', maxLength: 30 }),
  planId: rowId,
}

/** The form of a zone's name, such as `America/Sao_Paulo`; whether there is one of it, the server finds out. */
export const zoneName = patterned({
  minLength: 1,
  maxLength: 64,
  pattern: '^[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*$',
})
const language = Type.Union(languages.map((name) => Type.Literal(name)))

const callingCode = Type.Union(callingCodes.map(({ code }) => Type.Literal(code)))

/**
 * Where a company is: by whose clock it works, in which language the server writes for it, and which country's numbers
 * its people type without the calling code.
 */
export const companyRegion = Type.Object({ timeZone: zoneName, language, callingCode })
export type CompanyRegion = Static<typeof companyRegion>
export const changedCompanyRegion = Type.Partial(companyRegion)

/** What the sign-up form sends; older clients say less of themselves. */
export const signUpInput = Type.Object({
  ...signUpFields,
  /** Older clients do not ask for it: the admin is called as the company. */
  userName: Type.Optional(signUpFields.userName),
  phone: Type.Optional(signUpFields.phone),
  language: Type.Optional(language),
  /** Where the browser says it is: what is no zone counts as not said. */
  timeZone: Type.Optional(Type.String({ maxLength: 100 })),
})

/** Older clients send a word. */
const campaigns = Type.Union([
  Type.Boolean(),
  Type.Literal('true'),
  Type.Literal('false'),
  Type.Literal('enabled'),
  Type.Literal('disabled'),
])
/** Whether the word lets a company make campaigns. */
export const isCampaigns = (word: Static<typeof campaigns> | string): boolean =>
  word === true || word === 'true' || word === 'enabled'

/** All that the operator writes of a company. */
export const companyInput = Type.Object({
  name: personName,
  email,
  phone: signUpFields.phone,
  planId: rowId,
  /** False: nobody of it gets in, and nothing answers for it. */
  status: Type.Boolean(),
  campaignsEnabled: campaigns,
  /** Its last day, `YYYY-MM-DD`; null or empty: it has none. */
  dueDate: nullable(patterned({ maxLength: 10, pattern: '^([0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01]))?$' })),
  recurrence: Type.Union(recurrences.map((name) => Type.Literal(name))),
  ...companyRegion.properties,
})
export type CompanyInput = Static<typeof companyInput>

/** The form of a new one may give its first admin a password; without one they are invited, and choose their own. */
export const newCompanyForm = Type.Object({
  ...companyInput.properties,
  password: Type.Union([Type.Literal(''), password]),
})
export const newCompany = requiring(newCompanyForm, ['name', 'email', 'planId'])
export const changedCompany = Type.Object({
  ...requiring(companyInput, []).properties,
  /** Beside `dueDate`: the day of the month on which later ones fall. Without it that of `dueDate`. */
  dueDay: Type.Optional(Type.Integer({ minimum: 1, maximum: 31 })),
})
export type ChangedCompany = Static<typeof changedCompany>

/** When a company is open. */
export const companyHours = Type.Object({ schedules: weekHours, holidays: holidayList })
/** Other clients know no holidays. */
export const changedCompanyHours = requiring(companyHours, ['schedules'])

/** The digits alone. */
export const phoneDigits = (phone: string): string => phone.replace(/\D/g, '')

/** Digits as people write them: `(11) 98765-4321`, or as much of it as there is. */
export function phoneMask(phone: string): string {
  const digits = phoneDigits(phone).slice(0, 11)
  if (digits.length <= 2) return digits && `(${digits}`
  const [area, rest] = [digits.slice(0, 2), digits.slice(2)]
  // Mobile numbers have nine digits, others eight.
  const head = rest.length > 8 ? 5 : 4
  return `(${area}) ${rest.length > head ? `${rest.slice(0, head)}-${rest.slice(head)}` : rest}`
}

/** The mask of what a field holds after a key was pressed; taking away one of the marks takes the digit before it. */
export function phoneTyped(typed: string, before: string): string {
  const digits = phoneDigits(typed)
  const markGone = typed.length < before.length && digits === phoneDigits(before)
  return phoneMask(markGone ? digits.slice(0, -1) : digits)
}
