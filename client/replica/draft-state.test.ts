import { describe, expect, test } from 'bun:test'
import { emptyDraft, handedOver, received, notTaken, recovered, typed } from './draft-state.ts'

describe('a draft on two devices', () => {
  test('what the other device wrote appears here', () => {
    expect(received(emptyDraft, 'do celular').text).toBe('do celular')
  })
  test('what is being typed is not overwritten from elsewhere, and is then the newest', () => {
    const here = received(typed(emptyDraft, 'daqui'), 'do celular')
    expect(here.text).toBe('daqui')
    expect(received(handedOver(here), 'daqui').text).toBe('daqui')
  })
  test('an echo of our earlier words does not undo the later ones', () => {
    let state = handedOver(typed(emptyDraft, 'bom'))
    state = handedOver(typed(state, 'bom dia'))
    for (const echo of ['', 'bom']) state = received(state, echo)
    expect(state.text).toBe('bom dia')
  })
  test('a text sent from the other device disappears here', () => {
    const state = received(handedOver(typed(emptyDraft, 'ok')), 'ok')
    expect(received(state, '').text).toBe('')
  })
  test('what was sent here is handed over as gone, once', () => {
    const sent = typed(received(emptyDraft, 'ok'), '')
    const told = handedOver(sent)
    expect(told).not.toBe(sent)
    expect(handedOver(told)).toBe(told)
    expect(received(told, 'ok').text).toBe('')
  })
  test('what could not be handed over stays as it was typed, whatever older text comes from there', () => {
    const typedHere = typed(received(emptyDraft, 'velho'), 'novo')
    const state = notTaken(handedOver(typedHere), 'novo', typedHere.handed)
    expect(received(state, 'mais velho').text).toBe('novo')
    expect(handedOver(state)).not.toBe(state)
  })
  test('a message that was written and sent at once leaves nothing to tell', () => {
    const state = typed(typed(emptyDraft, 'oi'), '')
    expect(handedOver(state)).toBe(state)
  })
  test('what a crashed tab left comes back, unless somebody types already', () => {
    expect(recovered(received(emptyDraft, 'velho'), 'mais novo').text).toBe('mais novo')
    expect(recovered(typed(emptyDraft, 'agora'), 'antes').text).toBe('agora')
  })
})

describe('a draft that this machine alone keeps', () => {
  const written = (text: string) => handedOver(typed(emptyDraft, text))
  test('what was kept is there again when the chat is opened', () => {
    expect(received(emptyDraft, 'meio caminho').text).toBe('meio caminho')
  })
  test('what was kept and has gone since, sent in another tab or with the chat, is not shown again', () => {
    expect(received(received(written('oi'), 'oi'), '').text).toBe('')
  })
  test('what is not kept yet, or could not be kept, is not lost by looking at what is', () => {
    expect(received(typed(received(emptyDraft, 'oi'), 'oi, gente'), 'oi').text).toBe('oi, gente')
    expect(received(written('oi'), '').text).toBe('oi')
  })
  test('what was sent does not come back while the machine still forgets it', () => {
    const sent = handedOver(typed(received(written('oi'), 'oi'), ''))
    expect(received(sent, 'oi').text).toBe('')
  })
})
