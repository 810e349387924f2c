/**
 * Drawing a large flow, in Chromium: opening it, dragging a block, writing in its fields, and what is fetched for that.
 * Dragging is the processor time of the page's thread for each frame, because the clock of a shared machine says little.
 */
import { gzipSync } from 'bun'
import type { Page } from '@playwright/test'
import { type FlowNode, newData, newGraph, newNode } from '../schema/flows/flows.graph.ts'
import { processorOf } from '../tests/support/processor.ts'
import { type Bench, type Measure, often, spread } from './measure.ts'
import { addCompany, enter, openBrowser, openPage, rounded, startStage, synced } from './stage.ts'

/** Blocks in rows of twenty, every second one a menu of three ways. */
function large(count: number): FlowNode[] {
  const idOf = (index: number) => (index < count ? `bloco${index}` : 'bloco1')
  const nodes = Array.from({ length: count - 1 }, (_, i): FlowNode => {
    const index = i + 1
    const [x, y] = [300 * (index % 20), 220 * Math.floor(index / 20)]
    if (index % 2 === 0)
      return {
        ...newNode('message', idOf(index), x, y),
        data: { text: `Esta é a mensagem ${index}, com algumas palavras para ler.` },
        exits: { a: idOf(index + 1) },
      } as FlowNode
    const options = [1, 2, 3].map((number) => ({ number, label: `Opção ${number}` }))
    return {
      ...newNode('menu', idOf(index), x, y),
      data: { ...newData('menu'), message: `Pergunta ${index}`, options },
      exits: { a1: idOf(index + 1), a2: idOf(index + 7), a3: idOf(index + 20) },
    } as FlowNode
  })
  return [{ ...newGraph().nodes[0]!, y: -200, exits: { a: idOf(1) } } as FlowNode, ...nodes]
}

const bench: Bench = {
  name: 'Canvas',
  async run(say) {
    const stage = await startStage({}, { fast: true })
    const browser = await openBrowser()
    try {
      const company = await addCompany(stage, { tickets: 20, messages: 200 })
      const page = await openPage(browser)
      await enter(page, stage, company.admin.email)
      await synced(page)
      const token = await page.evaluate(
        () => (JSON.parse(localStorage.getItem('balcao.session') ?? '{}') as { token: string }).token,
      )
      const make = async (count: number) => {
        const response = await fetch(`${stage.stack.url}/flowbuilder`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ name: `Fluxo de ${count}`, nodes: large(count) }),
        })
        if (!response.ok) throw new Error(await response.text())
        return ((await response.json()) as { id: number }).id
      }
      const ids = { 300: await make(300), 1000: await make(1_000) }
      const measures: Measure[] = []
      const done = (measure: Measure) => {
        measures.push(measure)
        say(`${measure.name}: ${JSON.stringify(measure.values)} ${measure.unit}`)
      }

      const opened: number[] = []
      for (let run = -1; run < often(10); run++) {
        const took = await open(page, ids[300])
        if (run >= 0) opened.push(took)
      }
      const open300 = spread(opened)
      done({
        ...{ name: 'Click on a flow of 300 blocks → drawn', target: 'p50 ≤ 500 ms', values: open300, unit: 'ms' },
        ...{ runs: opened.length, ok: open300.p50 <= 500 },
      })
      const typed = spread(await type(page, often(40)))
      done({
        ...{ name: 'Key pressed in a block’s field → letter painted, 300 blocks', target: 'p50 ≤ 16 ms' },
        ...{ values: typed, unit: 'ms', runs: often(40), ok: typed.p50 <= 16 },
      })
      for (const count of [300, 1000] as const) {
        await open(page, ids[count])
        const worked = await processorOf(page)
        const costs: number[] = []
        for (let run = -1; run < often(10); run++) {
          // What the same moves cost over an empty place is the measuring's own.
          const cost = (await drag(page, worked)) - (await drag(page, worked, false))
          if (run >= 0) costs.push(rounded(cost, 2))
        }
        const values = spread(costs)
        done({
          name: `Dragging a block among ${count.toLocaleString('en')}, processor time of the page’s thread for each frame`,
          ...{ target: 'p50 ≤ 8 ms', values, unit: 'ms', runs: costs.length, ok: values.p50 <= 8 },
        })
      }
      done(await chunk(page, stage.stack.url, ids[300]))
      return measures
    } finally {
      await browser.close()
      await stage.stop()
    }
  },
}
export default bench

async function open(page: Page, id: number): Promise<number> {
  await page.goto(new URL('/flowbuilders', page.url()).href)
  const link = page.locator(`a[href="/flowbuilder/${id}"]`).first()
  await link.waitFor()
  await Bun.sleep(1_000)
  const shown = page.evaluate(() =>
    window.painted(() => document.querySelector('.react-flow__viewport .react-flow__node') !== null),
  )
  await link.click()
  const took = (await shown) - (await page.evaluate(() => window.eventAt.click))
  await Bun.sleep(1_000)
  return took
}

/**
 * Drags one block to and fro, one move a frame; or only the mouse, over the top bar.
 * @returns ms of processor time of the page's thread for each frame
 */
async function drag(page: Page, worked: () => Promise<number>, block = true): Promise<number> {
  const place = (await page.locator('.react-flow__node').nth(2).boundingBox())!
  const [x, y] = block ? [place.x + 40, place.y + 12] : [500, 5]
  await page.mouse.move(x, y)
  if (block) await page.mouse.down()
  await page.mouse.move(x + 10, y + 10)
  const frames = 60
  await worked()
  for (let frame = 0; frame < frames; frame++) {
    await page.mouse.move(x + 10 + (frame % 30) * 3, y + 10 + (frame % 20) * 2)
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
  }
  const cost = await worked()
  await page.mouse.move(x, y)
  if (block) await page.mouse.up()
  await Bun.sleep(1_200)
  return cost / frames
}

async function type(page: Page, keys: number): Promise<number[]> {
  await page.locator('.react-flow__node-card').nth(3).dblclick()
  const field = page.locator('aside textarea').first()
  await field.click()
  await page.keyboard.press('End')
  const samples: number[] = []
  for (let run = -5; run < keys; run++) {
    const shown = page.evaluate(
      () =>
        new Promise<number>((resolve) =>
          document.querySelector('aside textarea')!.addEventListener(
            'input',
            () =>
              requestAnimationFrame(() => {
                const { port1, port2 } = new MessageChannel()
                port1.onmessage = () => resolve(performance.timeOrigin + performance.now())
                port2.postMessage(0)
              }),
            { once: true },
          ),
        ),
    )
    // The page must be watching before the key is pressed.
    await page.evaluate(() => 0)
    await page.keyboard.press('a')
    const took = (await shown) - (await page.evaluate(() => window.eventAt.keydown))
    if (run >= 0) samples.push(took)
    await Bun.sleep(60 + Math.random() * 60)
  }
  return samples
}

/** What the editor fetches beyond the inbox, and what its test panel adds. */
async function chunk(page: Page, url: string, id: number): Promise<Measure> {
  const scripts = () =>
    page.evaluate(() =>
      (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
        .map(({ name }) => name)
        .filter((name) => /\.js$/.test(name) && !/worker/.test(name)),
    )
  await page.goto(`${url}/tickets`)
  await page.locator('[role=tab]').first().waitFor()
  await Bun.sleep(8_000)
  const before = new Set(await scripts())
  await page.goto(`${url}/flowbuilder/${id}`)
  await page.locator('.react-flow__node').first().waitFor()
  await Bun.sleep(8_000)
  const editor = [...new Set(await scripts())].filter((name) => !before.has(name))
  await page.getByRole('button', { name: 'Testar', exact: true }).click()
  await page.getByRole('log').waitFor()
  const known = new Set([...before, ...editor])
  const trial = [...new Set(await scripts())].filter((name) => !known.has(name))
  const sizeOf = async (names: string[]) => {
    let bytes = 0
    for (const name of names) bytes += gzipSync(await (await fetch(name)).bytes(), { level: 9 }).length
    return rounded(bytes / 1_000)
  }
  const values = { editor: await sizeOf(editor), 'with its test': 0 }
  values['with its test'] = rounded(values.editor + (await sizeOf(trial)))
  return {
    ...{ name: 'JavaScript of the flow editor beyond the inbox, gzip', target: 'editor ≤ 90 KB', values },
    ...{ unit: 'KB', runs: 1, ok: values.editor <= 90 },
  }
}
