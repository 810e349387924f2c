import { openBrowser, password, test, expect } from './world.ts'
for (const n of [1, 2, 3])
  test('profile ' + n, async ({ browser, world }) => {
    const t0 = performance.now()
    const at = (s: string) => console.log(n, s, Math.round(performance.now() - t0))
    const agent = await openBrowser(browser, world.stack.url)
    at('login shown')
    agent.page.on('console', (m) => m.text().includes('PROF') && console.log(m.text()))
    await agent.page.getByLabel('E-mail').waitFor()
    at('email there')
    await agent.login(world.people.ana.email, password)
    at('clicked')
    await expect(agent.page.getByRole('button', { name: 'Menu do perfil' })).toBeVisible({ timeout: 60_000 })
    at('menu')
    await agent.inboxReady()
    at('ready')
    const c = await world.contact('Zed ' + n)
    await world.stack.phone.write(c.number, 'oi')
    at('wrote')
    await agent.accept(c)
    at('accepted')
    await agent.say('hello')
    at('said')
    await expect(agent.ticks('hello', 'Entregue')).toBeVisible()
    at('delivered')
    const perf = await agent.page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map((e: any) => [
          e.name.replace(/.*\//, '').slice(0, 40),
          Math.round(e.startTime),
          Math.round(e.responseEnd),
          e.transferSize,
        ])
        .filter((e: any) => e[2] - e[1] > 150),
    )
    console.log(JSON.stringify(perf))
    await agent.page.context().close()
    at('closed')
  })
