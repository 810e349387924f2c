import { rmSync, writeFileSync } from 'node:fs'
import { expect, test as base, type TestInfo } from '@playwright/test'
import { startWorld, type World } from '../e2e/world.ts'
import { slowLine } from '../support/slow-line.ts'
import { AgentAt } from './agent.ts'
import type { Engine, EngineName, Tab, Wishes } from './engine.ts'
import { programsHere } from './engines.here.ts'
import { openFirefox } from './firefox.ts'
import { Screen } from './screen.ts'
import { openWebKit } from './webkit.ts'

export { expect }

export interface EngineOptions {
  engine: EngineName
}

interface Fixtures {
  /** An empty browser of the engine at the login screen; closed after the story. */
  open: (wishes?: Wishes & { at?: string }) => Promise<AgentAt>
  /** A line to the server that can be cut. */
  line: Awaited<ReturnType<typeof slowLine>>
}

/** A story is run in the engine of its project. */
export const test = base.extend<Fixtures, EngineOptions & { world: World }>({
  engine: ['firefox', { option: true, scope: 'worker' }],
  world: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, provide) => {
      const world = await startWorld()
      await provide(world)
      await world.stack.stop()
      rmSync(world.clientDir, { recursive: true, force: true })
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  open: async ({ engine, world }, provide, info) => {
    const opened: { engine: Engine; screens: Screen[] }[] = []
    await provide(async ({ at = world.stack.url, ...wishes } = {}) => {
      const browser = await answered(`the start of ${engine}`, openEngine(engine, wishes))
      const screens: Screen[] = []
      opened.push({ engine: browser, screens })
      const another = async () => {
        const screen = new Screen(browser, answering(await browser.tab()), at)
        screens.push(screen)
        return screen
      }
      const agent = new AgentAt(await another(), another)
      await agent.screen.goto('/login')
      return agent
    })
    for (const { engine, screens } of opened) {
      if (info.status !== info.expectedStatus) for (const screen of screens) await tellOf(screen, info)
      await engine.close()
    }
  },
  line: async ({ world }, provide) => {
    const line = await slowLine(world.stack.url)
    await provide(line)
    line.close()
  },
})

/** @throws when its programs are not here: `bun run engines` installs them */
export function openEngine(name: EngineName, wishes: Wishes): Promise<Engine> {
  const { firefox, webkit } = programsHere()
  if (name === 'firefox' && firefox) return openFirefox(firefox, wishes)
  if (name === 'webkit' && webkit) return openWebKit(webkit, wishes)
  throw new Error(`${name} is not here; bun run engines installs it`)
}

/** A driver that does not answer within this has lost its page. */
const answerMs = 60_000

/** What is never answered would hang the story without a word. */
async function answered<T>(what: string, answer: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`no answer to ${what}`)), answerMs)
  try {
    return await Promise.race([answer, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** The same tab, whose commands are answered or fail. */
function answering(tab: Tab): Tab {
  const commands = Object.entries(tab) as [string, (...given: unknown[]) => Promise<unknown>][]
  const bounded = commands.map(([name, command]) => [
    name,
    (...given: unknown[]) => answered(`${name} ${JSON.stringify(given).slice(0, 300)}`, command(...given)),
  ])
  return Object.fromEntries(bounded) as unknown as Tab
}

/** Where a page stood when its story failed. */
async function tellOf(screen: Screen, info: TestInfo): Promise<void> {
  try {
    const text = await screen.tab.run<string>('location.href + "\\n" + document.body.innerText')
    process.stdout.write(`${text.slice(0, 4000)}\n`)
    writeFileSync(info.outputPath('picture.png'), await screen.tab.picture())
  } catch (error) {
    process.stdout.write(`a page that says nothing any more: ${String(error)}\n`)
  }
}
