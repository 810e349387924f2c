import { longestTask } from '../support/processor.ts'
import { expect, test } from './world.ts'

/** What strangers send to stop a page; most of it froze it for seconds when texts were formatted by patterns. */
const texts = {
  letters: 'a'.repeat(65_000),
  stars: '*'.repeat(30_000),
  underscores: '_'.repeat(30_000),
  backticks: '`'.repeat(30_000),
  'bold words': '*a* '.repeat(7_500),
  addresses: 'https://a.example/b '.repeat(3_000),
  'combining marks': `Zalgo${'\u0301\u0489\u0316'.repeat(10_000)}`,
  'marks of direction': '\u202eoirártnoc oa \u2067'.repeat(2_000),
  lines: '\n'.repeat(20_000).replace(/^/, 'Linhas').concat('fim'),
  emoji: '👩‍👩‍👧'.repeat(8_000),
}

test('texts made to stop a page stop nobody: they come folded, open whole, and the page goes on', async ({
  world,
  serving,
}) => {
  const { agent, contact } = await serving(world.people.ana, 'Tomás Longo', 'Bom dia')
  const { page } = agent
  const stalls: Record<string, number> = {}
  // The bubbles are counted below: the first is there.
  await expect(agent.bubble('Bom dia')).toBeVisible()
  for (const [what, text] of Object.entries(texts)) {
    const bubble = page.locator('[data-message]').nth(await page.locator('[data-message]').count())
    const more = bubble.getByRole('button', { name: 'Ler mais' })
    const less = bubble.getByRole('button', { name: 'Ler menos' })
    stalls[`${what} arrive`] = await longestTask(page, async () => {
      await world.stack.phone.write(contact.number, text)
      await expect(more).toBeVisible()
    })
    stalls[`${what} are opened`] = await longestTask(page, async () => {
      await more.click()
      await expect(less).toBeVisible()
    })
    const shown = await bubble.locator('span.whitespace-pre-wrap').evaluate((element) => element.textContent)
    if (what === 'letters' || what === 'combining marks') expect(shown).toBe(text)
    stalls[`${what} are folded`] = await longestTask(page, async () => {
      await less.click()
      await expect(more).toBeVisible()
    })
  }
  // All of them together, read anew.
  await agent.tab('Aguardando').click()
  await page.reload()
  stalls['all of them'] = await longestTask(page, async () => {
    await agent.open(contact)
    await expect(page.locator('[data-message]').last().getByRole('button', { name: 'Ler mais' })).toBeVisible()
    await expect(page.locator('[data-ticket]').filter({ hasText: contact.name })).toBeVisible()
  })
  const said = Object.entries(stalls).map(([what, ms]) => `${what}: ${Math.round(ms)} ms`)
  test.info().annotations.push({ type: 'stalls', description: said.join(', ') })
  for (const [what, ms] of Object.entries(stalls)) expect([what, ms < 300]).toEqual([what, true])
})

test('a long message of ours is sent whole, edited whole, copied whole and searched by its beginning', async ({
  world,
  serving,
}) => {
  const { agent, contact } = await serving(world.people.bruno, 'Lúcia Extensa', 'Quero a lista')
  const { page } = agent
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const list = `Tabela de preços\n${Array.from({ length: 600 }, (_, i) => `item ${i}: R$ ${i},00`).join('\n')}\nfim da tabela`
  await agent.say(list)
  await expect.poll(() => world.arrived(contact)).toEqual([list])
  const bubble = agent.bubble('Tabela de preços')
  await expect(bubble.getByRole('img', { name: /Enviada|Entregue|Lida/ })).toBeVisible()
  await expect(bubble.getByText('fim da tabela')).toHaveCount(0)
  await bubble.getByRole('button', { name: 'Ler mais' }).click()
  await expect(bubble.getByText('fim da tabela')).toBeVisible()
  await agent.choose('Tabela de preços', 'Copiar texto')
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain(list)
  await agent.choose('Tabela de preços', 'Editar')
  const field = page.getByRole('textbox', { name: 'Novo texto da mensagem' })
  await expect(field).toHaveValue(list)
  await field.fill(`${list}\nválida até sexta`)
  await field.press('Enter')
  await expect.poll(() => world.arrived(contact)).toEqual([`${list}\nválida até sexta`])
})
