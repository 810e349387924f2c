import { describe, expect, test } from 'bun:test'
import { emptyDraft, handedOver, heard, notTaken, recovered, typed } from './draft-state.ts'

describe('a draft on two devices', () => {
  test('what the other device wrote appears here', () => {
    expect(heard(emptyDraft, 'do celular').text).toBe('do celular')
  })
  test('what is being typed is not overwritten from elsewhere, and is then the newest', () => {
    const here = heard(typed(emptyDraft, 'daqui'), 'do celular')
    expect(here.text).toBe('daqui')
    expect(heard(handedOver(here), 'daqui').text).toBe('daqui')
  })
  test('an echo of our earlier words does not undo the later ones', () => {
    let state = handedOver(typed(emptyDraft, 'bom'))
    state = handedOver(typed(state, 'bom dia'))
    for (const echo of ['', 'bom']) state = heard(state, echo)
    expect(state.text).toBe('bom dia')
  })
  test('a text sent from the other device disappears here', () => {
    const state = heard(handedOver(typed(emptyDraft, 'ok')), 'ok')
    expect(heard(state, '').text).toBe('')
  })
  test('what was sent here is handed over as gone, once', () => {
    const sent = typed(heard(emptyDraft, 'ok'), '')
    const told = handedOver(sent)
    expect(told).not.toBe(sent)
    expect(handedOver(told)).toBe(told)
    expect(heard(told, 'ok').text).toBe('')
  })
  test('what could not be handed over stays as it was typed, whatever older text comes from there', () => {
    const typedHere = typed(heard(emptyDraft, 'velho'), 'novo')
    const state = notTaken(handedOver(typedHere), 'novo', typedHere.handed)
    expect(heard(state, 'mais velho').text).toBe('novo')
    expect(handedOver(state)).not.toBe(state)
  })
  test('a message that was written and sent at once leaves nothing to tell', () => {
    const state = typed(typed(emptyDraft, 'oi'), '')
    expect(handedOver(state)).toBe(state)
  })
  test('what a crashed tab left comes back, unless somebody types already', () => {
    expect(recovered(heard(emptyDraft, 'velho'), 'mais novo').text).toBe('mais novo')
    expect(recovered(typed(emptyDraft, 'agora'), 'antes').text).toBe('agora')
  })
})

describe('a draft that this machine alone keeps', () => {
  const written = (text: string) => handedOver(typed(emptyDraft, text))
  test('what was kept is there again when the chat is opened', () => {
    expect(heard(emptyDraft, 'meio caminho').text).toBe('meio caminho')
  })
  test('what was kept and has gone since, sent in another tab or with the chat, is not shown again', () => {
    expect(heard(heard(written('oi'), 'oi'), '').text).toBe('')
  })
  test('what is not kept yet, or could not be kept, is not lost by looking at what is', () => {
    expect(heard(typed(heard(emptyDraft, 'oi'), 'oi, gente'), 'oi').text).toBe('oi, gente')
    expect(heard(written('oi'), '').text).toBe('oi')
  })
  test('what was sent does not come back while the machine still forgets it', () => {
    const sent = handedOver(typed(heard(written('oi'), 'oi'), ''))
    expect(heard(sent, 'oi').text).toBe('')
  })
})
