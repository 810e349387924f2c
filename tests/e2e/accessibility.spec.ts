import AxeBuilder from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { rmSync } from 'node:fs'
import { adminEmail, adminPassword, type Stack, startStack } from '../support/stack.ts'
import { copyClient, dayHere } from './world.ts'

/** Every screen of the sample company, as its admin, in both themes: axe finds nothing. */
const admin = { email: 'admin@padaria.test', password: 'balcao123' }

let stack: Stack
let clientDir: string
test.beforeAll(async () => {
  clientDir = copyClient()
  stack = await startStack({ demo: true, fast: true, clientDir })
  const operator = await stack.login(adminEmail, adminPassword)
  await operator('PUT', '/settings/allowregister', { value: 'enabled' })
  await operator('PUT', '/invoices/provider', {
    ...{ provider: 'pix', pixKey: 'caixa@operador.test', pixName: 'Operador', pixCity: 'Recife' },
  })
  const { companies } = (await operator('GET', '/companies?searchParam=padaria')) as { companies: { id: number }[] }
  for (const { id } of companies) await operator('PUT', `/companies/${id}`, { dueDate: dayHere(4) })
})
test.afterAll(async () => {
  await stack.stop()
  rmSync(clientDir, { recursive: true, force: true })
})

/** What there is to look at: where, and what is opened there. Waited for: that the screen has its content. */
interface View {
  path: string
  ready: (page: Page) => Promise<unknown>
  open?: (page: Page) => Promise<unknown>
  /** An open menu lies over the page, outside its landmarks; axe knows that of dialogs only. */
  menu?: boolean
}
const views: Record<string, View> = {
  dashboard: {
    path: '/',
    ready: (page) => page.locator('.recharts-bar-rectangle').first().waitFor(),
    open: (page) => page.getByText('Ver como tabela').first().click(),
  },
  'dashboard without a filter': {
    path: '/',
    ready: (page) => page.getByRole('tab', { name: 'Por período' }).click(),
    open: (page) => page.getByText('Parametrize o filtro').waitFor(),
  },
  tickets: { path: '/tickets', ready: firstTicket },
  'waiting tickets': {
    path: '/tickets',
    ready: firstTicket,
    open: async (page) => {
      await page.getByRole('tab', { name: 'Aguardando' }).click()
      await page.getByRole('button', { name: 'Aceitar' }).first().waitFor()
    },
  },
  'ticket search': {
    path: '/tickets',
    ready: firstTicket,
    open: async (page) => {
      await page.getByRole('tab', { name: 'Busca' }).click()
      await page.getByRole('searchbox').fill('ma')
      await firstTicket(page)
    },
  },
  conversation: { path: '/tickets', ready: firstTicket, open: openConversation },
  'conversation with the contact': {
    path: '/tickets',
    ready: firstTicket,
    open: async (page) => {
      await openConversation(page)
      await page.getByRole('button', { name: 'Mostrar os dados do contato' }).click()
      await page.getByRole('complementary', { name: 'Dados do contato' }).waitFor()
    },
  },
  'transfer dialog': {
    path: '/tickets',
    ready: firstTicket,
    open: async (page) => {
      await openConversation(page)
      await page.getByRole('button', { name: 'Transferir' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  'new ticket': {
    path: '/tickets',
    ready: firstTicket,
    open: async (page) => {
      await page.getByRole('button', { name: 'Novo atendimento' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  'message menu': {
    path: '/tickets',
    ready: firstTicket,
    open: async (page) => {
      await openConversation(page)
      await page.locator('[data-message]').last().hover()
      await page.locator('[data-message]').last().getByRole('button', { name: 'Ações da mensagem' }).click()
      await page.getByRole('menu').waitFor()
    },
    menu: true,
  },
  'schedule a message': {
    path: '/tickets',
    ready: firstTicket,
    open: async (page) => {
      await openConversation(page)
      await page.getByRole('button', { name: 'Mais ações' }).click()
      await page.getByRole('menuitem', { name: 'Agendar mensagem' }).click()
      await page.getByRole('dialog', { name: 'Agendar mensagem' }).getByRole('button', { name: 'Agendar' }).click()
      await page.getByText('Mensagem muito curta').waitFor()
    },
  },
  'edit the contact': {
    path: '/tickets',
    ready: firstTicket,
    open: async (page) => {
      await openConversation(page)
      await page.getByRole('button', { name: 'Mostrar os dados do contato' }).click()
      await page.getByRole('button', { name: 'Editar contato' }).click()
      await page.getByRole('dialog', { name: 'Editar contato' }).waitFor()
    },
  },
  'spied conversation': {
    path: '/tickets',
    ready: firstTicket,
    open: async (page) => {
      await page.locator('[data-ticket]').first().hover()
      await page.getByRole('button', { name: 'Espiar a conversa' }).first().click()
      await page.getByRole('dialog').locator('[data-message]').first().waitFor()
    },
  },
  'ticket filter': {
    path: '/tickets',
    ready: firstTicket,
    open: async (page) => {
      await page.getByRole('button', { name: 'Filtrar atendimentos' }).click()
      await page.getByRole('dialog', { name: 'Filtrar atendimentos' }).waitFor()
    },
  },
  notifications: {
    path: '/tickets',
    ready: firstTicket,
    open: (page) => page.getByRole('button', { name: /^Notificações/ }).click(),
  },
  announcements: {
    path: '/tickets',
    ready: firstTicket,
    open: (page) => page.getByRole('button', { name: /^Comunicados/ }).click(),
  },
  'profile menu': {
    path: '/tickets',
    ready: firstTicket,
    open: (page) => page.getByRole('button', { name: 'Menu do perfil' }).click(),
    menu: true,
  },
  'command palette': {
    path: '/tickets',
    ready: firstTicket,
    open: async (page) => {
      await page.getByRole('button', { name: 'Buscar ou ir para…' }).click()
      await page.getByRole('combobox').fill('ma')
      await page.getByText('Escrever para o contato').waitFor()
    },
  },
  'keyboard help': {
    path: '/contacts',
    ready: (page) => page.getByRole('button', { name: 'Buscar ou ir para…' }).waitFor(),
    open: async (page) => {
      await page.keyboard.press('?')
      await page.getByRole('dialog').waitFor()
    },
  },
  chats: { path: '/chats', ready: firstChat },
  chat: { path: '/chats', ready: firstChat, open: openChat },
  'chats in the top bar': {
    path: '/tickets',
    ready: firstTicket,
    open: (page) => page.getByRole('button', { name: /^Chat interno/ }).click(),
  },
  'new chat': {
    path: '/chats',
    ready: firstChat,
    open: async (page) => {
      await page.getByRole('button', { name: 'Nova', exact: true }).click()
      await page.getByRole('button', { name: 'Salvar' }).click()
      await page.getByText('Por favor, preencha o título da conversa.').waitFor()
    },
  },
  schedules: { path: '/schedules', ready: heading('Agendamentos') },
  'quick replies': { path: '/quick-messages', ready: heading('Respostas rápidas') },
  'two-factor setup': {
    path: '/contacts',
    ready: heading('Contatos'),
    open: async (page) => {
      await page.getByRole('button', { name: 'Menu do perfil' }).click()
      await page.getByRole('menuitem', { name: 'Perfil' }).click()
      const guard = page.getByRole('region', { name: 'Verificação em duas etapas' })
      await guard.getByRole('button', { name: 'Ativar' }).click()
      await page.getByRole('dialog', { name: 'Verificação em duas etapas' }).waitFor()
    },
  },
  'role form': {
    path: '/roles',
    ready: heading('Papéis'),
    open: async (page) => {
      await page.getByRole('button', { name: 'Criar um papel a partir de Supervisor' }).click()
      await page.getByRole('dialog', { name: 'Adicionar papel' }).waitFor()
    },
  },
  profile: {
    path: '/contacts',
    ready: heading('Contatos'),
    open: async (page) => {
      await page.getByRole('button', { name: 'Menu do perfil' }).click()
      await page.getByRole('menuitem', { name: 'Perfil' }).click()
      await page.getByRole('dialog', { name: 'Perfil' }).waitFor()
    },
  },
  contacts: { path: '/contacts', ready: heading('Contatos') },
  tags: { path: '/tags', ready: heading('Etiquetas') },
  connections: { path: '/connections', ready: heading('Conexões') },
  queues: { path: '/queues', ready: heading('Filas') },
  prompts: { path: '/prompts', ready: heading('Assistentes de IA') },
  'new assistant': {
    path: '/prompts',
    ready: heading('Assistentes de IA'),
    open: async (page) => {
      await page.getByRole('button', { name: 'Adicionar assistente' }).first().click()
      await page.getByRole('button', { name: 'Salvar' }).click()
      await page.getByText('Informe o setor').waitFor()
    },
  },
  integrations: { path: '/queue-integration', ready: heading('Integrações') },
  'new integration': {
    path: '/queue-integration',
    ready: heading('Integrações'),
    open: async (page) => {
      await page.getByRole('button', { name: 'Adicionar integração' }).first().click()
      await page.getByRole('combobox', { name: 'Tipo' }).click()
      await page.getByRole('option', { name: 'Webhook' }).click()
      await page.getByText('O que é enviado e o que pode ser respondido').click()
      await page.getByText('O status 410').waitFor()
    },
  },
  flows: { path: '/flowbuilders', ready: firstFlow },
  'flow on the canvas': {
    path: '/flowbuilders',
    ready: (page) => firstFlow(page).then(() => page.locator('a[href^="/flowbuilder/"]').first().click()),
    open: async (page) => {
      await page.locator('.react-flow__node').nth(1).dblclick()
      await page.getByText('Horário de quem').waitFor()
    },
  },
  'flow that is tried': {
    path: '/flowbuilders',
    ready: (page) => firstFlow(page).then(() => page.locator('a[href^="/flowbuilder/"]').first().click()),
    open: async (page) => {
      await page.getByRole('button', { name: 'Testar', exact: true }).click()
      const panel = page.getByRole('complementary', { name: 'Testar o fluxo' })
      await panel.getByRole('textbox', { name: 'Mensagem do contato' }).fill('oi')
      await page.keyboard.press('Enter')
      await panel.locator('[data-phone=business]').first().waitFor()
    },
  },
  users: { path: '/users', ready: heading('Usuários') },
  audit: {
    path: '/audit',
    ready: (page) =>
      page
        .getByRole('button', { name: /^Ver a entrada/ })
        .first()
        .waitFor(),
  },
  'audit entry': {
    path: '/audit',
    ready: (page) =>
      page
        .getByRole('button', { name: /^Ver a entrada/ })
        .first()
        .click(),
    open: (page) => page.getByRole('dialog').waitFor(),
  },
  'new user': {
    path: '/users',
    ready: heading('Usuários'),
    open: async (page) => {
      await page.getByRole('button', { name: 'Adicionar usuário' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  settings: { path: '/settings', ready: heading('Configurações') },
  campaigns: { path: '/campaigns', ready: (page) => page.getByText('Natal na padaria').waitFor() },
  'campaign to be changed': {
    path: '/campaigns',
    ready: (page) => page.getByRole('button', { name: 'Editar Natal na padaria' }).click(),
    open: (page) => page.getByLabel('Peso desta mensagem').waitFor(),
  },
  'campaign to be started': {
    path: '/campaigns',
    ready: (page) => page.getByRole('button', { name: 'Iniciar Natal na padaria' }).click(),
    open: (page) => page.getByText(/pessoas vão receber/).waitFor(),
  },
  'campaign report': {
    path: '/campaigns',
    ready: (page) => page.getByRole('link', { name: 'Relatório de Natal na padaria' }).click(),
    open: (page) => page.getByText('As pessoas aparecem quando a campanha começa.').waitFor(),
  },
  'campaign settings': { path: '/campaigns-config', ready: heading('Configurações de campanhas') },
  'contact lists': { path: '/contact-lists', ready: (page) => page.getByText('Clientes da padaria').waitFor() },
  'contact list': {
    path: '/contact-lists',
    ready: (page) => page.getByRole('link', { name: 'Clientes da padaria', exact: true }).click(),
    open: (page) => page.getByRole('img', { name: 'Tem WhatsApp', exact: true }).first().waitFor(),
  },
  segments: { path: '/segments', ready: (page) => page.getByText('Clientes fiéis').waitFor() },
  'new segment': {
    path: '/segments',
    ready: (page) => page.getByRole('button', { name: 'Novo segmento' }).first().click(),
    open: async (page) => {
      await page.getByRole('button', { name: 'Salvar' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  'opt-outs': { path: '/opt-outs', ready: (page) => page.getByText('Não recebe').first().waitFor() },
  kanban: { path: '/kanban', ready: (page) => page.locator('[data-card]').first().waitFor() },
  webhooks: { path: '/webhooks', ready: heading('Webhooks') },
  'api keys': { path: '/api-keys', ready: heading('Chaves de API') },
  'messages api': { path: '/messages-api', ready: heading('API de mensagens') },
  files: { path: '/files', ready: heading('Listas de arquivos') },
  'to-do': { path: '/todolist', ready: heading('Tarefas') },
  helps: { path: '/helps', ready: heading('Ajuda') },
  invoices: { path: '/financeiro', ready: firstInvoice },
  checkout: {
    path: '/financeiro',
    ready: firstInvoice,
    open: async (page) => {
      await page.getByRole('button', { name: /PAGAR/ }).first().click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Revisar' }).click()
      await dialog.getByRole('button', { name: 'PAGAR' }).click()
      await dialog.getByText('O nome completo é obrigatório').waitFor()
    },
  },
  subscription: { path: '/subscription', ready: heading('Assinatura') },
}

const AT_ONCE = 10

test.use({ colorScheme: 'light', reducedMotion: 'reduce' })

test('the screens before the login', async ({ page }) => {
  for (const path of ['/login', '/forgetpsw', '/signup']) {
    await page.goto(stack.url + path)
    // Without a mail server there is no form for a new password, but a word about it.
    await page.getByRole('textbox').or(page.getByText('não envia e-mails')).first().waitFor()
    await inBothThemes(page, path)
  }
})

test('the operation, as the operator', async ({ page }) => {
  await page.goto(`${stack.url}/login`)
  await page.getByLabel('E-mail').fill(adminEmail)
  await page.getByLabel('Senha', { exact: true }).fill(adminPassword)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Painel' }).waitFor()
  await page.goto(`${stack.url}/operator`)
  const parts = {
    Uso: page.getByRole('table', { name: 'Uso por dia' }),
    Conexões: page.getByRole('combobox', { name: 'Quais conexões' }),
    'Trabalhos que falharam': page
      .getByRole('table', { name: 'Trabalhos que falharam' })
      .or(page.getByText('Nenhum trabalho falhou')),
    'Planos no limite': page.getByRole('table', { name: 'Planos no limite' }).or(page.getByText(/perto do limite/)),
  }
  for (const [name, content] of Object.entries(parts)) {
    await page.getByRole('tab', { name }).click()
    await content.waitFor()
    await settled(page)
    await inBothThemes(page, name)
  }
})

// Some ten screens to a test: all of them together take longer than one may.
const all = Object.entries(views)
for (let from = 0; from < all.length; from += AT_ONCE)
  test(`every screen after it, from ${all[from]![0]}`, async ({ page }) => {
    test.setTimeout(300_000)
    await page.goto(`${stack.url}/login`)
    await page.getByLabel('E-mail').fill(admin.email)
    await page.getByLabel('Senha', { exact: true }).fill(admin.password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Painel' }).waitFor()
    for (const [name, { path, ready, open, menu }] of all.slice(from, from + AT_ONCE)) {
      await test.step(name, async () => {
        await page.goto(stack.url + path)
        await ready(page)
        await open?.(page)
        await settled(page)
        await inBothThemes(page, name, menu ? ['region'] : [])
      })
    }
  })

function firstTicket(page: Page) {
  return page.locator('[data-ticket]').first().waitFor()
}
function firstFlow(page: Page) {
  return page.locator('a[href^="/flowbuilder/"]').first().waitFor()
}
function firstInvoice(page: Page) {
  return page.getByRole('button', { name: /PAGAR/ }).first().waitFor()
}
function firstChat(page: Page) {
  return page.getByRole('link', { name: /Equipe da padaria/ }).waitFor()
}
async function openChat(page: Page): Promise<void> {
  await page.getByRole('link', { name: /Equipe da padaria/ }).click()
  await page.locator('[data-message]').first().waitFor()
}
function heading(name: string) {
  return (page: Page) => page.getByRole('heading', { name, exact: true }).waitFor()
}
async function openConversation(page: Page): Promise<void> {
  await page.locator('[data-ticket] [data-item]').first().click()
  await page.locator('[data-message]').first().waitFor()
}

/** Nothing loads or moves any more, and the parts that come after the first screen are there. */
async function settled(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Menu do perfil', includeHidden: true }).waitFor()
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
  await still(page)
}

/** Nothing moves any more. */
async function still(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(({ playState, effect }) => playState !== 'running' || effect?.getTiming().iterations === Infinity),
  )
}

/** All of axe in the light theme; of the dark one only its colours, since nothing else of a screen differs. */
async function inBothThemes(page: Page, name: string, except: readonly string[] = []): Promise<void> {
  expect.soft(found(await new AxeBuilder({ page }).disableRules([...except]).analyze()), name).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(page.locator('html')).toHaveClass(/\bdark\b/)
  await still(page)
  const inTheDark = await new AxeBuilder({ page }).withRules(['color-contrast']).analyze()
  expect.soft(found(inTheDark), `${name}, in the dark`).toEqual([])
  await page.emulateMedia({ colorScheme: 'light' })
}

/** What axe found: the rule, and where. */
const found = ({ violations }: Awaited<ReturnType<AxeBuilder['analyze']>>): string[] =>
  violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) => `${id}: ${target.join(' ')} — ${failureSummary?.split('\n').at(1)?.trim()}`,
    ),
  )
