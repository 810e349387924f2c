import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { fakeDialogflow } from '../../tests/fakes/bots/dialogflow.ts'
import { serveFakes } from '../../tests/fakes/bots/serve.ts'
import { askDialogflow, type DialogflowSettings, testDialogflow } from './bots.dialogflow.ts'
import { answerIn, botDeps, saying, textsOf } from './bots.fixture.ts'

let dialogflow: Awaited<ReturnType<typeof fakeDialogflow>>
let served: ReturnType<typeof serveFakes<'dialogflow'>>
let settings: DialogflowSettings
let world: ReturnType<typeof botDeps>
beforeAll(() => {
  served = serveFakes({ dialogflow: { handle: (request, path) => dialogflow.handle(request, path) } })
})
afterAll(() => served.stop())
beforeEach(async () => {
  dialogflow = await fakeDialogflow()
  dialogflow.state.now = () => world.clock.now.getTime()
  world = botDeps({ dialogflow: served.urls.dialogflow, googleToken: `${served.urls.dialogflow}/token` })
  settings = { projectName: dialogflow.project, jsonContent: JSON.stringify(dialogflow.account), language: 'pt-BR' }
})
const ask = (text: string) => askDialogflow(world.deps, settings, saying(text))

describe('a Dialogflow agent', () => {
  test('is asked with a token for our own signature, in a session of the ticket', async () => {
    expect(textsOf(answerIn(await ask('tem pão?')))).toEqual(['Você disse: tem pão?'])
    expect(dialogflow.asked).toEqual([
      { session: '0193b4a0-0000-7000-8000-000000000001', text: 'tem pão?', languageCode: 'pt-BR' },
    ])
    await ask('e bolo?')
    expect(dialogflow.state.grants).toBe(1)
    world.clock.now = new Date(world.clock.now.getTime() + 3_600_000)
    await ask('e café?')
    expect(dialogflow.state.grants).toBe(2)
  })

  test('is asked again once where its token was taken back', async () => {
    await ask('a')
    dialogflow.tokens.clear()
    expect(textsOf(answerIn(await ask('b')))).toEqual(['Você disse: b'])
  })

  test('says all its texts, hands over by a payload and ends', async () => {
    dialogflow.state.answer = () => ({
      fulfillmentText: 'a',
      fulfillmentMessages: [
        { text: { text: ['a', 'b'] } },
        { payload: { mediaUrl: 'https://x.test/m.png', text: 'Cardápio' } },
        { payload: { queueId: 4, userId: 9 } },
        { card: {} },
        null,
      ],
      intent: { endInteraction: true },
    })
    expect(answerIn(await ask('oi'))).toEqual({
      messages: [
        { text: 'a' },
        { text: 'b' },
        { mediaUrl: 'https://x.test/m.png', type: 'image', caption: 'Cardápio' },
      ],
      transferTo: { queueId: 4, userId: 9 },
      stop: true,
    })
    dialogflow.state.answer = () => ({ fulfillmentText: 'tchau', parameters: { endConversation: 'true' } })
    expect(answerIn(await ask('oi'))).toEqual({ messages: [{ text: 'tchau' }], stop: true })
    dialogflow.state.answer = () => ({})
    expect(answerIn(await ask('oi'))).toEqual({ messages: [] })
  })

  test('is never asked more than it takes', async () => {
    await ask('x'.repeat(5_000))
    expect(dialogflow.asked[0]!.text).toHaveLength(256)
  })

  test('fails by name: a key that is none, another’s key, another project, trouble', async () => {
    for (const jsonContent of [
      '',
      '{',
      '{}',
      'null',
      JSON.stringify({ ...dialogflow.account, private_key: '-----BEGIN PRIVATE KEY-----\nx' }),
    ]) {
      settings.jsonContent = jsonContent
      expect([jsonContent, await ask('oi')]).toMatchObject([jsonContent, { failed: 'final', why: 'settings' }])
    }
    const other = (await fakeDialogflow()).account
    settings.jsonContent = JSON.stringify(other)
    const refused = await ask('oi')
    expect(refused).toEqual({
      ...{ failed: 'final', why: 'credentials', says: '127.0.0.1 answers 400 (invalid_grant)' },
      ...{ status: 400, code: 'invalid_grant' },
    })
    settings.jsonContent = JSON.stringify(dialogflow.account)
    settings.projectName = 'other-project'
    expect(await ask('oi')).toMatchObject({ failed: 'final', why: 'credentials' })
    settings.projectName = '../../x'
    expect(await ask('oi')).toMatchObject({ failed: 'final', why: 'settings' })
    settings.projectName = dialogflow.project
    dialogflow.troubles.next({ status: 503 })
    expect(await ask('oi')).toMatchObject({ failed: 'again', why: 'broken' })
  })

  test('is greeted by whoever tests it', async () => {
    expect(await testDialogflow(world.deps, settings)).toEqual({ messages: ['Você disse: Olá'] })
    expect(await testDialogflow(world.deps, { ...settings, projectName: 'x-y-z' })).toMatchObject({ failed: 'final' })
  })
})
