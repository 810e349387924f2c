import { expect, type Page, test } from '@playwright/test'
import { rmSync } from 'node:fs'
import { axeFindings } from '../support/axe.ts'
import { adminEmail, adminPassword, type Stack, startStack } from '../support/stack.ts'
import { withDevice } from '../support/virtual-device.ts'
import { visit } from './visit.ts'
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
  const own = await stack.login(admin.email, admin.password)
  await own('PUT', '/settings/scheduleType', { value: 'company' })
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
  /** It stands without the menu and the top bar. */
  outside?: boolean
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
      const message = page.locator('[data-message]').last()
      // What is scheduled comes a moment later below it, and moves it away from under the pointer.
      await expect(async () => {
        await message.hover()
        await message.getByRole('button', { name: 'Ações da mensagem' }).click({ timeout: 2000 })
      }).toPass()
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
  macros: { path: '/macros', ready: heading('Macros') },
  rules: { path: '/rules', ready: heading('Regras') },
  reports: { path: '/reports', ready: (page) => page.getByText('O que cada número conta').waitFor() },
  'hours of the week': {
    path: '/reports?report=hours',
    ready: (page) => page.getByText('O que cada número conta').waitFor(),
  },
  'tickets of a figure': {
    path: '/reports',
    ready: (page) => page.getByText('O que cada número conta').waitFor(),
    open: (page) =>
      page
        .getByRole('button', { name: /Abrir os atendimentos/ })
        .first()
        .click(),
  },
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
      await page.locator('.react-flow__node').filter({ hasText: 'Horário da empresa' }).dblclick()
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
  wall: { path: '/wall', ready: (page) => page.getByText('Maior espera').waitFor() },
  'sla policies': { path: '/sla-policies', ready: heading('Prazos de atendimento') },
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
  'checkout, reviewed': {
    path: '/financeiro',
    ready: firstInvoice,
    open: async (page) => {
      await reviewed(page)
      await page.getByText('Rua das Flores, 10, São Paulo').waitFor()
    },
  },
  'checkout by Pix': {
    path: '/financeiro',
    ready: firstInvoice,
    open: async (page) => {
      await reviewed(page)
      await page.getByRole('dialog').getByRole('button', { name: 'PAGAR' }).click()
      await page.getByRole('img', { name: /Código QR do Pix/ }).waitFor()
    },
  },
  subscription: { path: '/subscription', ready: heading('Assinatura') },
  'sign-ins in the profile': {
    path: '/contacts',
    ready: heading('Contatos'),
    open: async (page) => {
      await openProfile(page)
      await profilePart(page, 'Acessos à sua conta').getByRole('listitem').first().scrollIntoViewIfNeeded()
    },
  },
  'imported sheet before it is written': {
    path: '/contacts',
    ready: heading('Contatos'),
    open: async (page) => {
      await fromMenu(page, 'Importar planilha')
      const sheet = 'Quem;Telefone;Bairro\nNair;13 97777-0002;Gonzaga\nOutra Nair;5513977770002;\nSem número;;Centro\n'
      await page
        .getByLabel('Planilha de contatos')
        .setInputFiles({ name: 'filial.csv', mimeType: 'text/csv', buffer: Buffer.from(sheet) })
      const outcome = page.getByRole('region', { name: 'O que será importado' })
      await outcome.getByRole('status').filter({ hasText: 'Recusado' }).waitFor()
      await outcome.getByText(/fica.* de fora/).click()
    },
  },
  'contacts that look alike': {
    path: '/contacts',
    ready: heading('Contatos'),
    open: async (page) => {
      await fromMenu(page, 'Contatos duplicados')
      await page.getByRole('dialog').waitFor()
    },
  },
  'new contact': {
    path: '/contacts',
    ready: heading('Contatos'),
    open: wrong('Adicionar contato'),
  },
  'new tag': { path: '/tags', ready: heading('Etiquetas'), open: wrong('Adicionar etiqueta') },
  'new queue': { path: '/queues', ready: heading('Filas'), open: wrong('Adicionar fila') },
  'options of a queue': {
    path: '/queues',
    ready: heading('Filas'),
    open: async (page) => {
      await tabOf(/^Editar/, 'Opções do robô')(page)
      await page.getByRole('region', { name: 'Como o contato vê' }).waitFor()
    },
  },
  'new connection': { path: '/connections', ready: heading('Conexões'), open: wrong('Adicionar conexão') },
  ...Object.fromEntries(
    ['Geral', 'Mensagens', 'Avaliações', 'Integrações', 'Horários'].map((tab) => [
      `connection: ${tab}`,
      { path: '/connections', ready: heading('Conexões'), open: tabOf(/^Editar/, tab) } satisfies View,
    ]),
  ),
  'connection that is linked': {
    path: '/connections',
    ready: heading('Conexões'),
    open: async (page) => {
      await page
        .getByRole('button', { name: /QR CODE/ })
        .first()
        .click()
      await page.getByRole('img', { name: 'Código QR para vincular o celular' }).waitFor()
    },
  },
  'health of a connection': {
    path: '/connections',
    ready: (page) => page.getByRole('link', { name: 'Balcão principal' }).click(),
    open: (page) => page.getByRole('heading', { name: /Balcão principal/ }).waitFor(),
  },
  'hours of the company': {
    path: '/settings?tab=hours',
    ready: heading('Configurações'),
    open: (page) => page.getByRole('button', { name: 'Adicionar feriado' }).click(),
  },
  'company account to sign in': {
    path: '/settings',
    ready: heading('Configurações'),
    open: async (page) => {
      await page
        .getByRole('region', { name: 'Conta da empresa para entrar' })
        .getByRole('button', { name: 'Configurar' })
        .click()
      await page.getByRole('dialog').getByRole('button', { name: 'Salvar' }).click()
    },
  },
  'new macro': { path: '/macros', ready: heading('Macros'), open: wrong('Nova macro') },
  'new rule': { path: '/rules', ready: heading('Regras'), open: wrong('Nova regra') },
  'new quick reply': { path: '/quick-messages', ready: heading('Respostas rápidas'), open: wrong('Nova resposta') },
  'new sla policy': { path: '/sla-policies', ready: heading('Prazos de atendimento'), open: wrong('Nova política') },
  'new webhook': { path: '/webhooks', ready: heading('Webhooks'), open: wrong('Adicionar webhook') },
  'new api key': { path: '/api-keys', ready: heading('Chaves de API'), open: wrong('Criar chave') },
  'new list of files': { path: '/files', ready: heading('Listas de arquivos'), open: wrong('Adicionar lista') },
  'deletion that is asked': {
    path: '/users',
    ready: heading('Usuários'),
    open: async (page) => {
      await page
        .getByRole('button', { name: /^Excluir/ })
        .first()
        .click()
      await page.getByRole('alertdialog').waitFor()
    },
  },
  roles: { path: '/roles', ready: (page) => page.getByRole('table').first().waitFor() },
  phrases: { path: '/phrase-lists', ready: heading('Frases') },
  'new phrase': { path: '/phrase-lists', ready: heading('Frases'), open: wrong('Adicionar frase') },
  'default flows': {
    path: '/flowdefault',
    ready: heading('Fluxos padrões'),
    open: (page) => page.getByText('Fluxo de boas-vindas').waitFor(),
  },
  'new flow': { path: '/flowbuilders', ready: firstFlow, open: wrong('Adicionar fluxo') },
  'models of flows': { path: '/flowbuilders', ready: firstFlow, open: dialogOf('Usar um modelo') },
  'secrets of flows': { path: '/flowbuilders', ready: firstFlow, open: dialogOf('Segredos') },
  'flow as a list': {
    path: '/flowbuilders',
    ready: (page) => firstFlow(page).then(() => page.locator('a[href^="/flowbuilder/"]').first().click()),
    open: async (page) => {
      await page.getByRole('button', { name: 'Ver como lista' }).click()
      await page.getByRole('button', { name: 'Ver como desenho' }).waitFor()
    },
  },
  'flow that is published': {
    path: '/flowbuilders',
    ready: (page) => firstFlow(page).then(() => page.locator('a[href^="/flowbuilder/"]').first().click()),
    open: dialogOf('Publicar'),
  },
  'new campaign': { path: '/campaigns', ready: heading('Campanhas'), open: wrong('Nova campanha') },
  'new list of contacts': {
    path: '/contact-lists',
    ready: heading('Listas de contatos'),
    open: wrong('Adicionar lista'),
  },
  'new contact of a list': {
    path: '/contact-lists',
    ready: (page) => page.getByRole('link', { name: 'Clientes da padaria', exact: true }).click(),
    open: wrong('Adicionar contato'),
  },
  'new opt-out': { path: '/opt-outs', ready: heading('Descadastros'), open: wrong('Registrar descadastro') },
  'import of opt-outs': { path: '/opt-outs', ready: heading('Descadastros'), open: dialogOf('Importar') },
  'schedules as a list': {
    path: '/schedules',
    ready: heading('Agendamentos'),
    open: async (page) => {
      await page.getByRole('tab', { name: 'Lista' }).click()
      await page.getByRole('table').waitFor()
    },
  },
  'what would be answered': { path: '/connections', ready: heading('Conexões'), open: dialogOf('O que responderia?') },
  'hours that are tried': { path: '/queues', ready: heading('Filas'), open: dialogOf('Testar horário') },
  'queue that is changed': { path: '/queues', ready: heading('Filas'), open: dialogOf(/^Editar/) },
  'user that is changed': { path: '/users', ready: heading('Usuários'), open: dialogOf(/^Editar/) },
  'kanban card that is moved': {
    path: '/kanban',
    ready: (page) => page.locator('[data-card]').first().waitFor(),
    open: async (page) => {
      await page
        .getByRole('button', { name: /^Mover/ })
        .first()
        .click()
      await page.getByRole('menu').waitFor()
    },
    menu: true,
  },
  'filter of contacts': {
    path: '/contacts',
    ready: heading('Contatos'),
    open: async (page) => {
      await page.getByRole('button', { name: 'Filtrar' }).click()
      await page.getByRole('dialog', { name: 'Filtrar contatos' }).waitFor()
    },
  },
  'setting that was looked for': {
    path: '/settings?tab=options&key=companyAccount',
    ready: (page) => page.locator('[aria-current=true]').getByRole('button', { name: 'Configurar' }).waitFor(),
  },
  'address that is none': {
    path: '/nowhere',
    ready: (page) => page.getByRole('heading', { level: 1 }).waitFor(),
    outside: true,
  },
}

/** What only the operator sees. */
const operatorViews: Record<string, View> = {
  Uso: { path: '/operator', ready: (page) => page.getByRole('table', { name: 'Uso por dia' }).waitFor() },
  Empresas: {
    path: '/operator',
    ready: (page) => page.getByRole('tab', { name: 'Empresas' }).click(),
    open: (page) => page.getByRole('table', { name: 'Uso por empresa' }).waitFor(),
  },
  'usage of a company': {
    path: '/operator',
    ready: (page) => page.getByRole('tab', { name: 'Empresas' }).click(),
    open: async (page) => {
      await page.getByRole('table', { name: 'Uso por empresa' }).getByRole('button').first().click()
      await page.getByRole('dialog').getByRole('table').waitFor()
    },
  },
  Conexões: {
    path: '/operator',
    ready: (page) => page.getByRole('tab', { name: 'Conexões' }).click(),
    open: (page) => page.getByRole('combobox', { name: 'Quais conexões' }).waitFor(),
  },
  'Trabalhos que falharam': {
    path: '/operator',
    ready: (page) => page.getByRole('tab', { name: 'Trabalhos que falharam' }).click(),
    open: (page) =>
      page
        .getByRole('table', { name: 'Trabalhos que falharam' })
        .or(page.getByText('Nenhum trabalho falhou'))
        .waitFor(),
  },
  'Planos no limite': {
    path: '/operator',
    ready: (page) => page.getByRole('tab', { name: 'Planos no limite' }).click(),
    open: (page) =>
      page
        .getByRole('table', { name: 'Planos no limite' })
        .or(page.getByText(/perto do limite/))
        .waitFor(),
  },
  'options of the platform': {
    path: '/settings',
    ready: heading('Configurações'),
    open: (page) => page.getByRole('region', { name: 'Opções da plataforma' }).waitFor(),
  },
  logo: {
    path: '/settings?tab=logo',
    ready: (page) => page.getByRole('button', { name: 'Escolher a imagem: Login' }).waitFor(),
  },
  companies: { path: '/settings?tab=companies', ready: companyRow },
  'new company': { path: '/settings?tab=companies', ready: companyRow, open: wrong('Adicionar empresa') },
  'company that is changed': {
    path: '/settings?tab=companies',
    ready: companyRow,
    open: async (page) => {
      await page.getByRole('button', { name: /^Editar Padaria/ }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  'hours of a company': {
    path: '/settings?tab=companies',
    ready: companyRow,
    open: async (page) => {
      await page.getByRole('button', { name: /^Horários de Padaria/ }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  'invoices of a company': {
    path: '/settings?tab=companies',
    ready: companyRow,
    open: async (page) => {
      await page.getByRole('button', { name: /^Faturas de Padaria/ }).click()
      await page.getByRole('button', { name: /Marcar como paga/ }).waitFor()
    },
  },
  'money that is seen': {
    path: '/settings?tab=companies',
    ready: companyRow,
    open: async (page) => {
      await page.getByRole('button', { name: /^Faturas de Padaria/ }).click()
      await page.getByRole('button', { name: /Marcar como paga/ }).click()
      await page.getByRole('alertdialog').waitFor()
    },
  },
  'entering a company': {
    path: '/settings?tab=companies',
    ready: companyRow,
    open: async (page) => {
      await page.getByRole('button', { name: /^Entrar como alguém de Padaria/ }).click()
      await page.getByRole('dialog').getByRole('radio').first().waitFor()
      await page.getByRole('button', { name: 'Entrar por 30 minutos' }).click()
      await page.getByText('Escolha em nome de quem').waitFor()
    },
  },
  'deletion of a company': {
    path: '/settings?tab=companies',
    ready: companyRow,
    open: async (page) => {
      await page.getByRole('button', { name: /^Excluir Padaria/ }).click()
      await page
        .getByRole('dialog')
        .getByLabel(/digite o nome/)
        .waitFor()
    },
  },
  'deletion of a company, asked again': {
    path: '/settings?tab=companies',
    ready: companyRow,
    open: async (page) => {
      await page.getByRole('button', { name: /^Excluir Padaria/ }).click()
      const dialog = page.getByRole('dialog')
      const name = /Excluir (.+)\?/.exec((await dialog.getByRole('heading').textContent()) ?? '')![1]!
      await dialog.getByLabel(/digite o nome/).fill(name)
      await dialog.getByRole('button', { name: 'Continuar' }).click()
      await page.getByRole('alertdialog').waitFor()
    },
  },
  'company that is registered': {
    path: '/settings?tab=register',
    ready: (page) => page.getByRole('button', { name: 'Salvar' }).click(),
    open: (page) => page.getByText('Obrigatório').first().waitFor(),
  },
  'payments by Pix': {
    path: '/settings?tab=payments',
    ready: (page) => page.getByRole('combobox', { name: 'Receber por' }).waitFor(),
  },
  'payments by Efí': {
    path: '/settings?tab=payments',
    ready: (page) => page.getByRole('combobox', { name: 'Receber por' }).click(),
    open: async (page) => {
      await page.getByRole('option', { name: /Efí/ }).click()
      await page.getByRole('button', { name: 'Salvar' }).click()
      await page.getByText('Obrigatório').first().waitFor()
    },
  },
  plans: { path: '/settings?tab=plans', ready: (page) => page.getByRole('table', { name: 'Planos' }).waitFor() },
  'new plan': {
    path: '/settings?tab=plans',
    ready: (page) => page.getByRole('table', { name: 'Planos' }).waitFor(),
    open: wrong('Adicionar plano'),
  },
  'films of help': {
    path: '/settings?tab=helps',
    ready: (page) => page.getByRole('button', { name: 'Adicionar ajuda' }).first().waitFor(),
    open: wrong('Adicionar ajuda'),
  },
  'announcements that are written': { path: '/announcements', ready: heading('Comunicados') },
  'new announcement': {
    path: '/announcements',
    ready: heading('Comunicados'),
    open: wrong('Adicionar comunicado'),
  },
}

const AT_ONCE = 20
const contrast = 'color-contrast'

test.use({ colorScheme: 'light', reducedMotion: 'reduce' })

test('the screens before the login', async ({ page }) => {
  for (const path of ['/login', '/forgetpsw', '/signup']) {
    await page.goto(stack.url + path)
    // Without a mail server there is no form for a new password, but a word about it.
    await page.getByRole('textbox').or(page.getByText('não envia e-mails')).first().waitFor()
    await inBothThemes(page, path)
  }
})

// Some twenty screens to a test: all of them together take longer than one may.
for (const [who, { email, password }, those] of [
  ['', admin, views],
  [' the operator’s,', { email: adminEmail, password: adminPassword }, operatorViews],
] as const) {
  const all = Object.entries(those)
  for (let from = 0; from < all.length; from += AT_ONCE)
    test(`every screen after it,${who} from ${all[from]![0]}`, async ({ page }) => {
      test.setTimeout(600_000)
      await page.goto(`${stack.url}/login`)
      await page.getByLabel('E-mail').fill(email)
      await page.getByLabel('Senha', { exact: true }).fill(password)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Painel' }).waitFor()
      for (const [name, { path, ready, open, menu, outside }] of all.slice(from, from + AT_ONCE)) {
        await test.step(name, async () => {
          await go(page, path)
          await ready(page)
          await open?.(page)
          if (!outside) await settled(page)
          await inBothThemes(page, name, menu ? ['region'] : [])
        })
      }
    })
}

test('the passkeys of the profile', async ({ browser }) => {
  test.setTimeout(300_000)
  // Keys are bound to a name, and a number is none.
  const baseURL = stack.url.replace('127.0.0.1', 'localhost')
  const context = await browser.newContext({ baseURL, colorScheme: 'light', reducedMotion: 'reduce' })
  const page = await context.newPage()
  const device = await withDevice(page)
  await page.goto('/login')
  await page.getByLabel('E-mail').fill(admin.email)
  await page.getByLabel('Senha', { exact: true }).fill(admin.password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Painel' }).waitFor()
  await openProfile(page)
  const keys = profilePart(page, 'Chaves de acesso')
  await keys.getByRole('button', { name: 'Adicionar' }).click()
  const add = page.getByRole('dialog', { name: 'Nova chave de acesso' })
  await add.getByLabel('Nome').fill('Notebook da loja')
  await add.getByLabel('Senha atual').fill('errada')
  await page.keyboard.press('Enter')
  await add.getByText('A senha atual não está correta').waitFor()
  await settled(page)
  await inBothThemes(page, 'new passkey')
  await add.getByLabel('Senha atual').fill(admin.password)
  await device.touched(async () => {
    await page.keyboard.press('Enter')
    await keys.getByText('Notebook da loja').waitFor()
  })
  await settled(page)
  await inBothThemes(page, 'passkeys')
  for (const verb of ['Renomear', 'Remover']) {
    await keys.getByRole('button', { name: new RegExp(`^${verb}`) }).click()
    const asked = page.getByRole('dialog', { name: new RegExp(`^${verb}`) })
    await asked.waitFor()
    await settled(page)
    await inBothThemes(page, `${verb} a passkey`)
    await page.keyboard.press('Escape')
    await asked.waitFor({ state: 'hidden' })
  }
  await context.close()
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
function companyRow(page: Page) {
  return page.getByRole('row', { name: /Padaria/ }).waitFor()
}
/** A form that was opened and sent as it is: its fields say what they want. */
function wrong(button: string) {
  return async (page: Page) => {
    await page.getByRole('button', { name: button }).first().click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Salvar|Criar/ })
      .click()
    await page.getByRole('dialog').locator('[aria-invalid=true]').or(page.getByRole('alert')).first().waitFor()
  }
}
/** The dialog that a button opens. */
function dialogOf(button: string | RegExp) {
  return async (page: Page) => {
    await page.getByRole('button', { name: button }).first().click()
    await page.getByRole('dialog').waitFor()
  }
}
/** A part of the form that a row's button opens. */
function tabOf(button: RegExp, tab: string) {
  return async (page: Page) => {
    await page.getByRole('button', { name: button }).first().click()
    await page.getByRole('dialog').getByRole('tab', { name: tab }).click()
  }
}
async function fromMenu(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'Importar, exportar e duplicados' }).click()
  await page.getByRole('menuitem', { name: item }).click()
}
async function openProfile(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Menu do perfil' }).click()
  await page.getByRole('menuitem', { name: 'Perfil' }).click()
  await page.getByRole('dialog', { name: 'Perfil' }).waitFor()
}
function profilePart(page: Page, name: string) {
  return page.getByRole('dialog', { name: 'Perfil' }).getByRole('region', { name })
}
async function reviewed(page: Page): Promise<void> {
  await page.getByRole('button', { name: /PAGAR/ }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Dados' }).click()
  await dialog.getByLabel('Nome completo').fill('Rosa Flores')
  await dialog.getByLabel('Endereço').fill('Rua das Flores, 10')
  await dialog.getByLabel('Cidade').fill('São Paulo')
  await dialog.getByLabel('CEP').fill('01000-000')
  await dialog.getByRole('button', { name: 'Revisar' }).click()
}
function heading(name: string) {
  return (page: Page) => page.getByRole('heading', { name, exact: true }).waitFor()
}
async function openConversation(page: Page): Promise<void> {
  await page.locator('[data-ticket] [data-item]').first().click()
  await page.locator('[data-message]').first().waitFor()
  // It stays as the view before has left it.
  const hide = page.getByRole('button', { name: 'Ocultar os dados do contato' })
  if (await hide.isVisible()) await hide.click()
}

/** Nothing loads any more, and the parts that come after the first screen are there. */
async function settled(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Menu do perfil', includeHidden: true }).waitFor()
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
}

/**
 * To a screen. From another view of the same one it goes by a screen that has little on it, so that nothing of the view
 * before is left open.
 */
async function go(page: Page, path: string): Promise<void> {
  if (!page.url().startsWith(stack.url)) {
    await page.goto(stack.url + path)
    return
  }
  for (let tries = 0; tries < 4 && (await page.locator(inFront).count()) > 0; tries++)
    await page.keyboard.press('Escape')
  const screenOf = (url: string) => url.split(/[/?]/)[1]
  if (screenOf(new URL(page.url()).pathname) === screenOf(path))
    await visit(page, screenOf(path) === 'helps' ? '/announcements' : '/helps')
  await visit(page, path)
}

/** What lies over a page and is all that can be used of it. */
const inFront = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]'

/** The screens that were looked at whole, and how text was drawn in each theme. */
const drawn = { light: new Set<string>(), dark: new Set<string>() }
const seen = new Set<string>()

/**
 * All of axe in the light theme; of the dark one only its colours, since nothing else of a screen differs. Of a screen
 * that was looked at whole, only its main part or what lies over it; of colours, only what was not looked at before.
 */
async function inBothThemes(page: Page, name: string, except: readonly string[] = []): Promise<void> {
  const path = new URL(page.url()).pathname.replace(/[\w-]{30,}/, '')
  const covered = (await page.locator(inFront).count()) > 0
  const within = covered ? inFront : seen.has(path) ? 'main' : undefined
  if (!covered) seen.add(path)
  expect.soft(await axeFindings(page, { except: [...except, contrast], within }), name).toEqual([])
  expect.soft(await axeFindings(page, { only: [contrast], drawn: drawn.light }), name).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.waitForFunction(() => document.documentElement.classList.contains('dark'))
  expect.soft(await axeFindings(page, { only: [contrast], drawn: drawn.dark }), `${name}, in the dark`).toEqual([])
  await page.emulateMedia({ colorScheme: 'light' })
}
