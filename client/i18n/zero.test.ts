import { type Messages, setupI18n } from '@lingui/core'
import { expect, test } from 'bun:test'
import { zeroIsPlural } from './zero.ts'

const texts = (): Messages => ({
  answers: [['n', 'plural', { one: ['#', ' resposta'], other: ['#', ' respostas'] }]],
  waiting: [['n', 'plural', { 0: ['nenhuma espera'], one: ['#', ' espera'], other: ['#', ' esperam'] }]],
  left: [['who', 'select', { her: ['com ela: ', ['n', 'plural', { one: ['#', ' dia'], other: ['#', ' dias'] }]] }]],
  plain: 'Respostas',
})

test('in Brazil zero takes the plural, unless a text has words of its own for it', () => {
  const i18n = setupI18n()
  i18n.load('pt', zeroIsPlural(texts()))
  i18n.activate('pt', 'pt-BR')
  const said = (n: number) => ['answers', 'waiting', 'left', 'plain'].map((id) => i18n._(id, { n, who: 'her' }))
  expect(said(0)).toEqual(['0 respostas', 'nenhuma espera', 'com ela: 0 dias', 'Respostas'])
  expect(said(1)).toEqual(['1 resposta', '1 espera', 'com ela: 1 dia', 'Respostas'])
  expect(said(1234)).toEqual(['1.234 respostas', '1.234 esperam', 'com ela: 1.234 dias', 'Respostas'])
})
