import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type FlowNode, newData, newNode } from '../../schema/flows/flows.graph.ts'
import { adminEmail, adminPassword, type Api, type Stack, startStack, until } from '../support/stack.ts'

/**
 * The server is killed without warning while contacts are in the middle of flows with pauses, menus and calls. Each of
 * them must read each text once and in its order.
 */
const people = Array.from({ length: 6 }, (_, i) => ({ name: `Contact ${i}`, number: `551197100000${i}` }))
const kills = Number(process.env.CRASHES ?? 3)

let stack: Stack
let api: Api & { token: string }
let whatsappId: number

beforeAll(async () => {
  stack = await startStack()
  api = await stack.login(adminEmail, adminPassword)
  whatsappId = ((await api('POST', '/whatsapp', { name: 'Main' })) as { id: number }).id
  await stack.pair(api, whatsappId)
  for (const { number, name } of people) await stack.phone.contact(number, name)
}, 180_000)
afterAll(() => stack?.stop(), 60_000)

/** Draws, publishes and names the flow. */
async function draw(phrase: string, nodes: FlowNode[]): Promise<void> {
  const { id } = (await api('POST', '/flowbuilder', { name: phrase, nodes })) as { id: number }
  await api('POST', `/flowbuilder/${id}/publish`, {})
  await api('POST', '/flowcampaign', { name: phrase, flowId: id, whatsappId, phrase })
}
const put = (id: string, type: FlowNode['type'], data: object, exits: Record<string, string>) =>
  ({ ...newNode(type, id, 0, 0), data: { ...newData(type), ...data }, exits }) as FlowNode

test(`killed ${kills} times, each contact of a flow reads each text once and in order`, async () => {
  await draw('começar', [
    put('1', 'start', {}, { a: 'hello' }),
    put('hello', 'message', { text: 'um' }, { a: 'pause' }),
    put('pause', 'interval', { seconds: 2 }, { a: 'two' }),
    put('two', 'message', { text: 'dois' }, { a: 'menu' }),
    put('menu', 'menu', { message: 'três', options: [{ number: 1, label: 'Sim' }] }, { a1: 'call' }),
    // Nobody answers at an address that is refused: the way of failures is gone.
    put('call', 'http', { url: 'https://127.0.0.1/' }, { success: 'four', error: 'four' }),
    put('four', 'message', { text: 'quatro' }, { a: 'rest' }),
    put('rest', 'interval', { seconds: 1 }, { a: 'end' }),
    put('end', 'message', { text: 'cinco' }, {}),
  ])
  const said = async (number: string) =>
    (await stack.phone.lines(number)).filter(({ by }) => by === 'business').map(({ text }) => text.split('\n')[0]!)

  let going = true
  const killing = (async () => {
    for (let i = 0; i < kills && going; i++) {
      await Bun.sleep(1_200 + Math.random() * 1_500)
      await stack.kill()
      await stack.start()
    }
  })()
  await Promise.all(
    people.map(async ({ number }, i) => {
      await Bun.sleep(i * 300)
      await stack.phone.write(number, 'começar')
      await until(
        `the menu of ${number}`,
        () => said(number),
        (lines) => lines.includes('três'),
        90_000,
      )
      await stack.phone.write(number, '1')
      await until(
        `the end of ${number}`,
        () => said(number),
        (lines) => lines.includes('cinco'),
        90_000,
      )
    }),
  )
  going = false
  await killing
  await Bun.sleep(2_000)
  for (const { number } of people) expect(await said(number)).toEqual(['um', 'dois', 'três', 'quatro', 'cinco'])
}, 240_000)
