import { password, type Contact, type Person } from '../e2e/world.ts'
import { until } from '../support/stack.ts'
import type { Found, Screen, Text } from './screen.ts'

/** A person at a screen, in any engine. */
export class AgentAt {
  constructor(
    readonly screen: Screen,
    readonly another: () => Promise<Screen>,
  ) {}

  /** The same browser, in a tab of its own. */
  async secondTab(): Promise<AgentAt> {
    return new AgentAt(await this.another(), this.another)
  }

  async signIn({ email }: Person): Promise<void> {
    await this.screen.role('textbox', 'E-mail').fill(email)
    await this.screen.css('input[type="password"]').fill(password)
    await this.screen.role('button', 'Entrar').click()
    await this.inboxReady()
  }

  /** The lists have been read and the first sync is over. */
  async inboxReady(): Promise<void> {
    await this.screen.role('button', 'Menu do perfil').shown()
    if (!(await this.screen.path()).startsWith('/tickets')) await this.screen.follow('/tickets')
    const [tab, choose] = [this.tab('Aguardando'), this.screen.role('button', 'Selecionar conversa')]
    const either = async () => (await tab.count()) + (await choose.count())
    await until('the inbox', either, (count) => count > 0, 60_000)
    if ((await tab.count()) === 0) await choose.click()
    await tab.shown()
    await this.screen.css('[aria-busy="true"]').gone()
  }

  async logout(): Promise<void> {
    await this.screen.role('button', 'Menu do perfil').click()
    await this.screen.role('menuitem', 'Sair').click()
    await this.screen.role('button', 'Entrar').shown()
  }

  tab(name: 'Atendendo' | 'Aguardando'): Found {
    return this.screen.role('tab', new RegExp(`^${name}`))
  }

  /** The contact's ticket in the list that is shown. */
  item({ name }: Contact): Found {
    return this.screen.css('[data-ticket]', name)
  }

  async accept(contact: Contact): Promise<void> {
    await this.tab('Aguardando').click()
    await this.item(contact)
      .role('button', /^Aceitar/)
      .click()
    await this.screen.role('button', new RegExp(`^Dados de ${contact.name}`)).shown()
    await this.composer.shown()
  }

  async open(contact: Contact): Promise<void> {
    await this.tab('Atendendo').click()
    await this.item(contact).css('[data-item]').click()
    await this.screen.role('button', new RegExp(`^Dados de ${contact.name}`)).shown()
  }

  get composer(): Found {
    return this.screen.role('textbox', 'Mensagem')
  }

  async say(text: string): Promise<void> {
    await this.composer.fill(text)
    await this.screen.tab.press('Enter')
  }

  bubble(text: Text): Found {
    return this.screen.css('[data-message]', text)
  }

  ticks(text: Text, mark: 'Na fila de envio' | 'Enviada' | 'Entregue' | 'Não enviada'): Found {
    return this.bubble(text).role('img', mark)
  }

  /** What has not reached the server, as the top bar tells it. */
  get waiting(): Found {
    return this.screen.role('button', /à espera de envio/)
  }
}
