import { expect, test } from 'bun:test'
import { textProblems } from './texts.ts'

const entry = (id: string, said: string) => `msgid "${id}"\nmsgstr "${said}"\n\n`

test('a text that counts needs a plural, where the number may be one', () => {
  expect(textProblems('pt', entry('{0} contatos', '{0} contatos'))).toEqual(['{0} contatos: counts without a plural'])
  expect(textProblems('pt', entry('{0} novos contatos', '{0} novos contatos'))).toHaveLength(1)
  const whole = '{0, plural, one {# contato} other {# contatos}}, {1} com WhatsApp'
  expect(textProblems('pt', entry(whole, whole))).toEqual([])
  expect(textProblems('pt', entry('Últimos {days} dias', 'Últimos {days} dias'))).toEqual([])
})

test('English is British', () => {
  const words = (text: string) => textProblems('en', entry('x', text)).map((line) => /"(.*?)" is/.exec(line)?.[1])
  expect(words('Customize the color of the canceled catalog')).toEqual(['color', 'Customize', 'canceled', 'catalog'])
  expect(words('Customise the colour of the cancelled catalogue, whatever its size')).toEqual([])
  expect(words('Log in by e-mail')).toEqual(['e-mail', 'Log in'])
  expect(words("The company's log in the audit")).toEqual(["y's"])
})

test('Spanish speaks to people as tú, and has one word for one thing', () => {
  expect(textProblems('es', entry('x', '¿Desea agregar un contacto?'))).toHaveLength(1)
  expect(textProblems('es', entry('x', '¿Deseas agregar un contacto?'))).toEqual([])
  expect(textProblems('es', entry('x', 'Añadir el celular'))).toHaveLength(2)
})
