import { expect, test } from 'bun:test'
import { chosenOf } from '../choices.ts'
import { choicesOf, offerOf } from './messages.offer.ts'

const offered = (...labels: string[]) => labels.map((label, i) => ({ number: i + 1, label, shown: label }))

test('whatever is pressed chooses what stands on it, whatever stands there', () => {
  const menus = [
    offered('Vendas', 'Suporte', 'Financeiro'),
    offered('Bolo', 'bolo', 'BOLO!', 'Pão'),
    offered('2', '1', 'três', '10'),
    offered('🍰', '🍞', '🔟'),
    offered('2ª via', 'Opção 1', 'dois', '*2*'),
    offered('', ' ', '...'),
  ]
  for (const menu of menus)
    for (const [i, { answer }] of choicesOf(menu).entries())
      expect([menu[i]!.label, chosenOf(menu, answer)]).toEqual([menu[i]!.label, i + 1])
})

test('what is pressed in an old menu is not the choice of that number in the present one', () => {
  const [, second] = choicesOf(offered('Vendas', 'Suporte'))
  expect(chosenOf(offered('Pães', 'Bolos'), second!.answer)).toBeNull()
})

test('what is filled in for a contact is read as it is shown, and chosen by its number', () => {
  const menu = [{ number: 1, label: 'Pedido de {{name}}', shown: 'Pedido de Ana' }]
  expect(choicesOf(menu)).toEqual([{ label: 'Pedido de Ana', answer: '1' }])
})

test('there are always words above the choices, in the company’s language', () =>
  expect([offerOf(' ', [], 'es').words, offerOf('Olá!', [], 'pt').words]).toEqual(['Elige una opción:', 'Olá!']))
