import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, test } from './world.ts'

const findings = async (page: Page) =>
  (await new AxeBuilder({ page }).analyze()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.target.join(' ')}`)

test('an admin makes a list and a campaign, sees dry what would happen, sends it, and reads the answer', async ({
  world,
  signIn,
}) => {
  const contact = await world.contact('Clara Nunes')
  const { page } = await signIn(world.people.helena)
  const shot = async (name: string) => {
    if (!process.env['PICTURES']) return
    await page.screenshot({ path: `${process.env['PICTURES']}/${name}.png` })
    await page.setViewportSize({ width: 390, height: 800 })
    await page.waitForTimeout(600)
    await page.screenshot({ path: `${process.env['PICTURES']}/${name}-phone.png` })
    await page.setViewportSize({ width: 1440, height: 900 })
  }
  await page.setViewportSize({ width: 1440, height: 900 })

  await page.goto(`${world.stack.url}/contact-lists`)
  await page.getByRole('button', { name: 'Adicionar lista' }).first().click()
  await page.getByLabel('Nome').fill('Clientes de dezembro')
  await page.getByRole('button', { name: 'Salvar' }).click()
  await page.getByRole('link', { name: 'Clientes de dezembro', exact: true }).click()
  await page.getByRole('button', { name: 'Adicionar contato' }).first().click()
  await page.getByLabel('Nome').fill(contact.name)
  await page.getByLabel('Número').fill(contact.number)
  await page.getByRole('button', { name: 'Salvar' }).click()
  // WhatsApp was asked about the number by itself.
  await expect(page.getByRole('img', { name: 'Tem WhatsApp', exact: true })).toBeVisible({ timeout: 15_000 })
  expect.soft(await findings(page)).toEqual([])
  await shot('items')

  await page.goto(`${world.stack.url}/campaigns`)
  await page.getByRole('button', { name: 'Nova campanha' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Nome').fill('Natal')
  await dialog.getByLabel('Lista de contatos').click()
  await page.getByRole('option', { name: 'Clientes de dezembro' }).click()
  await dialog.getByLabel('Conexão').click()
  await page.getByRole('option').first().click()
  await dialog.getByRole('switch', { name: /Proteger o número/ }).click()
  await dialog.getByLabel('Mensagem', { exact: true }).fill('Feliz Natal, ')
  await dialog.getByRole('button', { name: '{nome}' }).click()
  await expect(dialog.getByText('Feliz Natal, Ana Souza')).toBeVisible()
  expect.soft(await findings(page)).toEqual([])
  await shot('dialog')
  await dialog.getByRole('button', { name: 'Salvar' }).click()

  await page.getByRole('button', { name: 'Iniciar Natal' }).click()
  await expect(page.getByText('1 pessoa vai receber')).toBeVisible()
  expect.soft(await findings(page)).toEqual([])
  await shot('start')
  await page.getByRole('button', { name: 'Iniciar agora' }).click()
  await expect.poll(() => world.arrived(contact), { timeout: 20_000 }).toEqual([`Feliz Natal, ${contact.name}`])
  await shot('list')
  await page.getByRole('link', { name: 'Relatório de Natal' }).click()
  await expect(page.getByText('1 entregues de 1 contatos válidos')).toBeVisible({ timeout: 20_000 })
  await expect(page.getByText('Finalizada')).toBeVisible({ timeout: 20_000 })
  expect(await world.ticketsOf(contact)).toEqual([])

  await world.stack.phone.write(contact.number, 'Obrigada!')
  await expect.poll(async () => (await world.ticketsOf(contact)).length).toBe(1)
  await page.reload()
  await expect(page.getByText('Respondidas')).toBeVisible()
  expect.soft(await findings(page)).toEqual([])
  await shot('report')
  await page.goto(`${world.stack.url}/campaigns-config`)
  await expect(page.getByLabel('Entre mensagens')).toBeVisible()
  expect.soft(await findings(page)).toEqual([])
  await shot('settings')
  await page.goto(`${world.stack.url}/opt-outs`)
  await expect(page.getByText('Nenhum descadastro')).toBeVisible()
  expect.soft(await findings(page)).toEqual([])
  await shot('opt-outs')
})
