import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { visit } from './visit.ts'
import { expect, expectNothingKept, installable, intercept, keptBytes, openBrowser, password, test } from './world.ts'

// Starts and sessions are what these stories are about: everybody comes anew.
test.use({ keepsDesks: false })

test('a logout leaves nothing of the earlier person in the browser; who comes next sees only what is theirs', async ({
  world,
  signIn,
}) => {
  const { people, stack, queues, api } = world
  const vera = await world.contact('Vera Pinho')
  await stack.phone.write(vera.number, 'Assunto reservado')
  await expect.poll(async () => (await world.ticketsOf(vera)).length).toBe(1)
  const [ticket] = await world.ticketsOf(vera)
  await api('PUT', `/tickets/${ticket!.id}`, { queueId: queues.support })
  const ana = await signIn(people.ana, installable)
  const { page } = ana
  await ana.accept(vera)
  await expect(ana.bubble('Assunto reservado')).toBeVisible()
  await ana.composer.fill('rascunho que ninguém mais lê')
  await expect.poll(async () => (await keptBytes(page)).databases.length).toBeGreaterThan(1)

  await ana.logout()
  await expect(page.getByRole('button', { name: 'Entrar' })).toBeVisible()
  await expectNothingKept(page, 'Vera')

  await ana.login(people.bruno.email, password)
  await ana.inboxReady()
  await expect(page.getByText('Olá, Bruno Lima')).toBeVisible()
  await ana.tab('Atendendo').click()
  await expect(ana.item(vera)).toHaveCount(0)
  await page.goto(`/tickets/${ticket!.uuid}`)
  await expect(page).toHaveURL(/\/tickets$/)
  await expect(page.getByText('Assunto reservado')).toHaveCount(0)
  const names = (await keptBytes(page)).databases.join()
  expect(names).toContain(`-${people.bruno.id}-`)
  expect(names).not.toContain(`-${people.ana.id}-`)
})

test('an account that is opened on another computer is closed on this one, with a word about why, and nothing is left of it', async ({
  world,
  signIn,
}) => {
  const here = await signIn(world.people.bruno)
  await here.inboxReady()
  await expect.poll(async () => (await keptBytes(here.page)).databases.length).toBeGreaterThan(1)
  const reloaded = here.page.waitForEvent('load')
  const there = await signIn(world.people.bruno)
  await reloaded
  await expect(here.page.getByRole('button', { name: 'Entrar' })).toBeVisible()
  const notice = here.page.getByRole('alert')
  await expect(notice).toContainText('Sua conta foi acessada em outro computador.')
  // With what, from where and when.
  await expect(notice).toContainText(/Chrom\w+ no Linux · 127\.0\.0\.1 · \d\d\/\d\d\/\d{4}/)
  await expect(there.tab('Aguardando')).toBeVisible()
  await expectNothingKept(here.page, 'Joana')
})

test('a page that is closed in the middle of that leaves nothing to whoever opens it next', async ({
  world,
  signIn,
}) => {
  const here = await signIn(world.people.bruno)
  await here.inboxReady()
  await expect.poll(async () => (await keptBytes(here.page)).databases.length).toBeGreaterThan(1)
  // As if the page had ended before the first deletion.
  await here.page.evaluate(() => localStorage.removeItem('balcao.session'))
  await here.page.reload()
  await expect(here.page.getByRole('button', { name: 'Entrar' })).toBeVisible()
  await expect.poll(async () => (await keptBytes(here.page)).databases).toEqual([])
  await expect.poll(async () => (await keptBytes(here.page)).opfs).toEqual([])
})

test('the profile says where one was signed in, and asks for the current password before a new one', async ({
  world,
  signIn,
}) => {
  await signIn(world.people.bruno)
  const here = await signIn(world.people.bruno)
  const { page } = here
  await page.getByRole('button', { name: 'Menu do perfil' }).click()
  await page.getByRole('menuitem', { name: 'Perfil' }).click()
  const profile = page.getByRole('dialog', { name: 'Perfil' })
  const lines = profile.getByRole('region', { name: 'Acessos à sua conta' }).getByRole('listitem')
  await expect(lines.first()).toContainText(/Chrom\w+ no Linux.*Este acesso/)
  await expect(lines.nth(1)).toContainText('Encerrado por outro acesso')

  await expect(profile.getByLabel('Senha atual')).toHaveCount(0)
  await profile.getByLabel('Nova senha').fill('uma senha nova')
  await profile.getByLabel('Senha atual').fill('errada')
  await profile.getByRole('button', { name: 'Salvar' }).click()
  await expect(profile.getByText('A senha atual não está correta')).toBeVisible()
  await profile.getByLabel('Senha atual').fill(password)
  await profile.getByRole('button', { name: 'Salvar' }).click()
  await expect(page.getByText('Senha alterada. Entre com a nova senha.')).toBeVisible()
  await here.login(world.people.bruno.email, 'uma senha nova')
  await here.inboxReady()
  // As the other tests know him.
  await world.api('PUT', `/users/${world.people.bruno.id}`, { password })
})

test('a renewal of the session that nobody answers is asked for again, and what waits for it is sent', async ({
  world,
  serving,
}) => {
  const { agent: ana, contact: joana } = await serving(world.people.ana, 'Joana Prado', 'Tem alguém aí?')
  await expect(ana.bubble('Tem alguém aí?')).toBeVisible()

  // Her token has run out, and the server takes the first question for another one and says nothing. That she has read
  // the message may be the first to be told.
  let asked = 0
  await intercept(ana.page, '**/auth/refresh_token', async (route) => {
    if (++asked > 1) await route.continue()
  })
  let old: string | undefined
  await intercept(ana.page, /\/commands(\/batch)?$/, async (route) => {
    const token = await route.request().headerValue('authorization')
    old ??= token ?? ''
    if (token !== old) return route.continue()
    return route.fulfill({ status: 403, json: { error: 'ERR_TOKEN_EXPIRED' } })
  })
  await ana.composer.fill('Estou aqui')
  await ana.page.keyboard.press('Enter')
  await expect.poll(() => asked).toBe(1)
  await expect(ana.bubble('Estou aqui').getByRole('img', { name: 'Na fila de envio' })).toBeVisible()
  await expect.poll(() => asked).toBe(2)
  await expect
    .poll(async () => (await world.stack.phone.lines(joana.number)).map(({ text }) => text))
    .toEqual(['Tem alguém aí?', '*Ana Souza*:\nEstou aqui'])
  await ana.page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('the app can be installed, opens without a network, and asks before a new version takes over', async ({
  world,
  signIn,
}) => {
  const ana = await signIn(world.people.ana, installable)
  const { page } = ana
  const manifest = (await (await page.request.get('/manifest.webmanifest')).json()) as {
    name: string
    display: string
    start_url: string
    icons: { src: string; sizes: string }[]
  }
  expect(manifest).toMatchObject({ display: 'standalone', start_url: '/' })
  expect(manifest.icons.map((icon) => icon.sizes)).toEqual(expect.arrayContaining(['192x192', '512x512']))
  for (const icon of manifest.icons)
    expect((await page.request.get(new URL(icon.src, `${world.stack.url}/`).href)).headers()['content-type']).toContain(
      'image/',
    )
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
    if (!navigator.serviceWorker.controller)
      await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve))
  })

  await ana.page.context().setOffline(true)
  await page.goto('/contacts')
  await expect(page.getByRole('heading', { name: 'Contatos' })).toBeVisible()
  await ana.page.context().setOffline(false)

  // The next release is put in place of this one.
  appendFileSync(join(world.clientDir, 'service-worker.js'), '\n// a new version\n')
  await page.evaluate(async () => void (await (await navigator.serviceWorker.getRegistration())?.update()))
  await expect(ana.toast('Nova versão pronta')).toBeVisible()
  // It stays. Who goes by Tab comes past it, and not back to where they were.
  const reload = ana.toast('Nova versão pronta').getByRole('button', { name: 'Recarregar' })
  await page.getByRole('button', { name: 'Menu do perfil' }).focus()
  await reload.focus()
  await page.keyboard.press('Tab')
  const focused = page.evaluate(() => document.activeElement?.closest('button, [data-sonner-toast]')?.textContent ?? '')
  expect(await focused).not.toMatch(/Recarregar|Menu do perfil/)
  const reloaded = page.waitForEvent('load')
  await reload.click()
  await reloaded
  await expect(page.getByRole('heading', { name: 'Contatos' })).toBeVisible()
  await expect
    .poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting ?? null))
    .toBeNull()
})

test('who comes back on another day is told once that the app can be installed, and finds it in the menu later', async ({
  world,
  signIn,
}) => {
  const { page } = await signIn(world.people.ana)
  /** As Chromium does where it would offer it by itself. */
  const offer = () =>
    page.evaluate(() => {
      const event = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
        prompt: async () => {
          document.body.dataset['asked'] = 'yes'
          return { outcome: 'accepted' }
        },
      })
      dispatchEvent(event)
    })
  const hint = page.getByRole('region', { name: 'Instalar o aplicativo' })
  await offer()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('balcao.install-hint'))).toMatch(/^\d+$/)
  await expect(hint).toHaveCount(0)

  await page.evaluate(() => localStorage.setItem('balcao.install-hint', String(Date.now() - 86_400_001)))
  await page.reload()
  await offer()
  await hint.getByRole('button', { name: 'Agora não' }).click()
  await expect(hint).toHaveCount(0)

  await page.reload()
  await offer()
  await page.getByRole('button', { name: 'Menu do perfil' }).click()
  await page.getByRole('menuitem', { name: 'Instalar o aplicativo' }).click()
  await expect(page.locator('body[data-asked]')).toHaveCount(1)
  await expect(hint).toHaveCount(0)
})

test('the notices of a browser are switched in one place, to which the bell leads', async ({ world, signIn }) => {
  const { page } = await signIn(world.people.ana, installable)
  await page.getByRole('button', { name: /^Notificações/ }).click()
  await page.getByRole('button', { name: 'Avisos neste navegador' }).click()
  const profile = page.getByRole('dialog', { name: 'Perfil' })
  await expect(profile.getByRole('region', { name: 'Avisos com o aplicativo fechado' })).toBeVisible()
})

test('the screens speak Portuguese, Spanish and English, from the login on, and remember the choice', async ({
  browser,
  world,
}) => {
  const agent = await openBrowser(browser, world.stack.url)
  const { page } = agent
  await expect(page.getByRole('button', { name: 'Entrar' })).toBeVisible()
  const group = page.getByRole('group')
  await group.getByRole('button', { name: 'Español' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'es')
  await expect(page.getByLabel('Contraseña', { exact: true })).toBeVisible()
  await group.getByRole('button', { name: 'English' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en-GB')
  await page.getByLabel('Email').fill(world.people.bruno.email)
  await page.getByLabel('Password', { exact: true }).fill('wrong-password')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toBeVisible()
  await expect(page.getByRole('alert')).not.toContainText('ERR_')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('tab', { name: 'Waiting' })).toBeVisible({ timeout: 60_000 })
  await page.reload()
  await expect(page.getByRole('tab', { name: 'Waiting' })).toBeVisible()
  await page.context().close()
})

test('who comes with a browser in Spanish is offered Spanish, until a language is chosen', async ({
  browser,
  world,
}) => {
  const { page } = await openBrowser(browser, world.stack.url, { locale: 'es-AR' })
  await page.getByRole('button', { name: 'Continuar en español' }).click()
  await expect(page.getByLabel('Contraseña', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Continuar en español' })).toHaveCount(0)
  await page.getByRole('group').getByRole('button', { name: 'Português' }).click()
  await page.reload()
  await expect(page.getByLabel('Senha', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Continuar en español' })).toHaveCount(0)
  await page.context().close()
})

test('the dark theme is chosen once and stays', async ({ world, signIn }) => {
  const { page } = await signIn(world.people.ana)
  // Colours fade into each other.
  const ground = async () => {
    await page.waitForFunction(() => document.body.getAnimations().length === 0)
    return page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  }
  const light = await ground()
  await page.getByRole('button', { name: 'Usar o tema escuro' }).click()
  await expect.poll(ground).not.toBe(light)
  const dark = await ground()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Usar o tema claro' })).toBeVisible()
  expect(await ground()).toBe(dark)
})

test('on a phone the list gives way to the conversation and comes back', async ({ world, signIn }) => {
  const wanda = await world.contact('Wanda Cruz')
  await world.stack.phone.write(wanda.number, 'Do celular')
  const ana = await signIn(world.people.ana, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  const { page } = ana
  await ana.accept(wanda)
  await expect(ana.tab('Aguardando')).toBeHidden()
  await ana.say('Resposta curta')
  await expect(ana.ticks('Resposta curta', 'Entregue')).toBeVisible()
  // Nothing is wider than the screen.
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.getByRole('button', { name: 'Voltar à lista' }).click()
  await expect(ana.tab('Atendendo')).toBeVisible()
  await ana.open(wanda)
  await expect(ana.bubble('Resposta curta')).toBeVisible()
})

test('on a phone the way back closes what is in front, then leads to the list; what comes meanwhile is not read', async ({
  world,
  signIn,
}) => {
  const iara = await world.contact('Iara Campos')
  await world.stack.phone.write(iara.number, 'Tem bolo de fubá?')
  const ana = await signIn(world.people.ana, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  const { page } = ana
  await ana.accept(iara)
  await ana.say('Temos')
  await expect(ana.ticks('Temos', 'Entregue')).toBeVisible()
  const open = new URL(page.url()).pathname

  await page.getByRole('button', { name: 'Anexar e mais' }).click()
  await expect(page.getByRole('menu')).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('menu')).toHaveCount(0)
  await page.getByRole('button', { name: /Dados de/ }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByRole('button', { name: 'Mais ações' }).click()
  await page.getByRole('menuitem', { name: 'Buscar na conversa' }).click()
  await expect(page.getByRole('searchbox', { name: 'Buscar na conversa' })).toBeFocused()
  await page.goBack()
  await expect(page.getByRole('searchbox', { name: 'Buscar na conversa' })).toHaveCount(0)
  await expect(page).toHaveURL(open)
  await expect(ana.composer).toBeVisible()

  // In the app and in the browser it is one way back: neither leads into the conversation again.
  await page.getByRole('button', { name: 'Voltar à lista' }).click()
  await expect(page).toHaveURL('/tickets')
  await world.stack.phone.write(iara.number, 'E de milho?')
  const row = ana.item(iara)
  await expect(row).toContainText('E de milho?')
  // Longer than it takes to tell that something was read.
  await page.waitForTimeout(1_500)
  expect((await world.ticketsOf(iara))[0]).toMatchObject({ unreadMessages: 1 })
  await ana.open(iara)
  await expect(ana.bubble('E de milho?')).toBeVisible()
  await expect.poll(async () => (await world.ticketsOf(iara))[0]).toMatchObject({ unreadMessages: 0 })
  await page.goBack()
  await expect(page).toHaveURL('/tickets')
  await expect(row).toBeVisible()
})

test('a conversation is found, accepted and answered with the keyboard alone', async ({ world, signIn }) => {
  const ana = await signIn(world.people.ana)
  const { page } = ana
  const [xena, yuri] = [await world.contact('Xena Melo'), await world.contact('Yuri Braga')]
  await world.stack.phone.write(xena.number, 'Sou a primeira')
  await world.stack.phone.write(yuri.number, 'Sou o segundo')
  await ana.tab('Atendendo').focus()
  await page.keyboard.press('ArrowRight')
  await expect(ana.item(yuri)).toBeVisible()
  await expect(ana.item(xena)).toBeVisible()
  const focused = () => page.evaluate(() => document.activeElement?.closest('[data-ticket]')?.textContent ?? '')
  await page.keyboard.press('j')
  await expect.poll(focused).not.toBe('')
  // From the first row: while the list was filling, the keyboard came to whatever stood there, and `j` only goes down.
  await page.keyboard.press('Home')
  for (let step = 0; step < 30 && !(await focused()).includes('Xena'); step++) {
    const before = await focused()
    await expect(async () => {
      await page.keyboard.press('j')
      await expect.poll(focused, { timeout: 10_000 }).not.toBe(before)
    }).toPass()
  }
  await expect.poll(focused).toContain('Xena')
  await page.keyboard.press('a')
  await expect(page.getByRole('button', { name: 'Dados de Xena Melo' })).toBeVisible()
  await expect(ana.composer).toBeFocused()
  await page.keyboard.type('Escrito sem mouse')
  await page.keyboard.press('Enter')
  await expect(ana.ticks('Escrito sem mouse', 'Entregue')).toBeVisible()
})

test('everything that can be pressed or filled in has a name for those who do not see it', async ({
  world,
  signIn,
}) => {
  const zeca = await world.contact('Zeca Prado')
  await world.stack.phone.write(zeca.number, 'Nomes em tudo')
  const helena = await signIn(world.people.helena)
  const { page } = helena
  await helena.accept(zeca)
  await expect(helena.composer).toBeVisible()
  await expect.poll(() => nameless(page), 'conversation').toEqual([])
  for (const name of ['Contatos', 'Etiquetas', 'Conexões', 'Filas', 'Usuários', 'Configurações']) {
    await page.getByRole('navigation', { name: 'Principal' }).getByRole('link', { name, exact: true }).click()
    await expect(page.getByRole('heading', { name })).toBeVisible()
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
    await expect.poll(() => nameless(page), name).toEqual([])
  }
})

/** Controls without an accessible name, as Chromium itself computes it. */
async function nameless(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  await session.detach()
  const controls = [
    'button',
    'link',
    'textbox',
    'combobox',
    'checkbox',
    'switch',
    'tab',
    'menuitem',
    'slider',
    'spinbutton',
    'searchbox',
    'img',
  ]
  return nodes
    .filter(
      (node) => !node.ignored && controls.includes(String(node.role?.value)) && !String(node.name?.value ?? '').trim(),
    )
    .map((node) => `${node.role?.value} ${node.backendDOMNodeId}`)
}

test('a first visit shows its conversations before this browser holds any, and they can be read and answered', async ({
  browser,
  world,
}) => {
  const { people, stack } = world
  const vera = await world.contact('Vera Lima')
  await stack.phone.write(vera.number, 'O bolo está pronto?')
  await expect.poll(async () => (await world.ticketsOf(vera)).length).toBe(1)
  const [ticket] = await world.ticketsOf(vera)
  await world.api('PUT', `/tickets/${ticket!.id}`, { userId: people.helena.id, status: 'open' })
  const helena = await openBrowser(browser, stack.url)
  const { page } = helena
  const rows = Promise.withResolvers<void>()
  await page.context().route(
    ({ pathname }) => pathname.startsWith('/sync/shape/'),
    async (route) => {
      await rows.promise
      await route.continue()
    },
  )
  await helena.login(people.helena.email, password)
  await expect(page.getByRole('button', { name: 'Menu do perfil' })).toBeVisible()
  await visit(page, '/tickets')
  await helena.open(vera)
  await expect(helena.bubble('O bolo está pronto?')).toBeVisible()
  await helena.say('Está!')
  await expect(helena.bubble('Está!')).toBeVisible()
  rows.resolve()
  await helena.inboxReady()
  await helena.open(vera)
  await expect(helena.ticks('Está!', 'Entregue')).toBeVisible()
  await page.context().close()
})

test('while the first rows are on their way, no list says that it is empty', async ({ browser, world }) => {
  const { people, stack } = world
  const vera = await world.contact('Vera Matos')
  await stack.phone.write(vera.number, 'Alguém me atende?')
  await expect.poll(async () => (await world.ticketsOf(vera)).length).toBe(1)
  const helena = await openBrowser(browser, stack.url)
  const { page } = helena
  let asked = 0
  const rows = Promise.withResolvers<void>()
  // What comes by rows, and what the server is asked for page by page.
  await page.context().route(
    ({ pathname }) =>
      /^\/(sync\/(shape|first)|dashboard|contacts|schedules|quick-messages|announcements)(\/|$)/.test(pathname),
    async (route) => {
      asked++
      await rows.promise
      await route.continue()
    },
  )
  await helena.login(people.helena.email, password)
  const here = (path: string) => page.evaluate((path) => history.pushState(null, '', path), path)
  await expect(page.getByRole('button', { name: 'Menu do perfil' })).toBeVisible()
  // What only whoever knows that there is nothing may say, however briefly it stands there.
  await page.evaluate(() => {
    const said: string[] = Object.assign(globalThis, { said: [] as string[] }).said
    const look = () => {
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      while (texts.nextNode()) {
        const text = texts.currentNode.textContent ?? ''
        if (/^(Nenhum|Ninguém|Nada )/.test(text)) said.push(`${location.pathname}: ${text}`)
      }
    }
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true })
    look()
  })
  const still = async (where: string) => {
    // Drawn, and at rest: all that a screen asks of this browser has been answered.
    await page.evaluate(async () => {
      for (let rests = 0; rests < 3; rests++) await new Promise((rested) => requestIdleCallback(rested))
    })
    expect(await page.evaluate(() => (globalThis as unknown as { said: string[] }).said), where).toEqual([])
  }
  await here('/tickets')
  await expect(helena.tab('Aguardando')).toBeVisible()
  await expect.poll(() => asked).toBeGreaterThan(0)
  await still('tickets')
  await helena.tab('Aguardando').click()
  await still('waiting tickets')
  await helena.tab('Resolvidos').click()
  await still('resolved tickets')
  for (const name of ['Notificações', 'Comunicados', 'Chat interno']) {
    await page.getByRole('banner').getByRole('button', { name }).click()
    await still(name)
    await page.keyboard.press('Escape')
  }
  const screens = {
    'Chat interno': '/chats',
    Kanban: '/kanban',
    Contatos: '/contacts',
    Agendamentos: '/schedules',
    'Respostas rápidas': '/quick-messages',
    Painel: '/',
  }
  for (const [name, path] of Object.entries(screens)) {
    await here(path)
    await expect(page.getByRole('main').getByRole('heading', { level: 1, name })).toBeAttached()
    await still(name)
  }

  rows.resolve()
  await here('/tickets')
  await helena.tab('Abertos').click()
  await helena.tab('Aguardando').click()
  await expect(helena.item(vera)).toBeVisible()
  await page.context().close()
})
