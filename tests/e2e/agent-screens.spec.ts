import { expect, test, type Browser, type Page } from '@playwright/test'
import { serveScreens } from '../screens/serve.ts'
import { signIn } from '../screens/sign-in.ts'
import { intercept } from './world.ts'
import { listenForToasts, told } from '../support/told.ts'

/** The agent's screens as built, on a replica of example data in the page instead of a server. */

const uuid = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`

let screens: Awaited<ReturnType<typeof serveScreens>>
let browser: Browser
let page: Page

test.beforeAll(async ({ browser: given }) => {
  browser = given
  screens = await serveScreens()
})
test.afterAll(async () => {
  await page?.context().close()
  await screens?.close()
})

async function open(path: string, { admin = true, width = 1280 } = {}): Promise<void> {
  await page?.context().close()
  const context = await browser.newContext({
    viewport: { width, height: 800 },
    locale: 'pt-BR',
  })
  await listenForToasts(context)
  page = await context.newPage()
  page.setDefaultTimeout(30_000)
  await signIn(page, { admin })
  await page.goto(screens.url + path)
  await page.waitForFunction(() => 'fake' in window, undefined, { timeout: 90_000 })
}
const input = () => page.getByLabel('Mensagem', { exact: true })
const messages = () => page.locator('[data-message]')
const ticket = (id: number) => page.locator(`[data-ticket="${id}"]`)
const rows = <Row>(sql: string, params: unknown[] = []) =>
  page.evaluate(([s, p]) => window.fake.replica.query(s, p), [sql, params] as const) as Promise<Row[]>
/** All that the replica has of a ticket of few messages is drawn. @returns how many they are */
async function allDrawn(ticketId: number): Promise<number> {
  const [known] = await rows<{ n: number }>('SELECT count(*)::int AS n FROM messages WHERE "ticketId" = $1', [ticketId])
  await expect(messages()).toHaveCount(known!.n)
  return known!.n
}
const waitForUrl = (part: string) => page.waitForURL((url) => url.pathname.includes(part))

test.describe('the list of tickets', () => {
  test('a waiting ticket does not open by a click; accepting it makes it mine and opens it', async () => {
    await open('/tickets')
    await page.getByRole('tab', { name: /Aguardando/ }).click()
    // Forced, because Playwright does not click by itself what says that it is disabled.
    await ticket(1010).locator('[data-item]').click({ force: true })
    expect(new URL(page.url()).pathname).toBe('/tickets')
    await ticket(1010).getByRole('button', { name: 'Aceitar' }).click()
    await waitForUrl(uuid(1010))
    await expect
      .poll(() => rows('SELECT status, "userId" FROM tickets WHERE id = 1010'))
      .toEqual([{ status: 'open', userId: 100 }])
    await input().waitFor()
  })
  test('the keyboard alone goes along the list, accepts and opens', async () => {
    await open('/tickets')
    await page.getByRole('tab', { name: /Aguardando/ }).click()
    await ticket(1010).waitFor()
    await page.getByRole('tab', { name: /Aguardando/ }).blur()
    await page.keyboard.press('j')
    await page.waitForFunction(() => document.activeElement?.getAttribute('data-item') === '1010')
    await page.keyboard.press('j')
    await page.waitForFunction(
      () =>
        document.activeElement?.getAttribute('data-item') !== '1010' &&
        document.activeElement?.hasAttribute('data-item'),
    )
    await page.keyboard.press('k')
    await page.waitForFunction(() => document.activeElement?.getAttribute('data-item') === '1010')
    await page.keyboard.press('a')
    await waitForUrl(uuid(1010))
  })
  test('an agent who does not manage others sees their own tickets only, and no eye to spy with', async () => {
    await open('/tickets', { admin: false })
    await ticket(1000).waitFor()
    expect(await ticket(1006).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Espiar a conversa' }).count()).toBe(0)
    expect(await page.getByText('Mostrar todos').count()).toBe(0)
  })
  test('the list grows as its end comes near, and says how many there are', async () => {
    await open('/tickets')
    await ticket(1000).waitFor()
    await page.getByText('67 atendimentos').waitFor({ state: 'attached' })
    const list = page.getByRole('list', { name: 'Em atendimento' })
    const last = page.locator('[data-ticket="2059"]')
    await expect(async () => {
      await list.evaluate((element) => element.scrollTo(0, element.scrollHeight))
      expect(await last.count()).toBe(1)
    }).toPass({ intervals: [100] })
  })
  test('the list stands in the order of the times that it shows', async () => {
    await open('/tickets')
    await ticket(1000).waitFor()
    // Tagged a moment ago; what was said last was said long before.
    await page.evaluate(async () => {
      await window.fake.db.query(
        `UPDATE tickets SET "updatedAt" = clock_timestamp(), "lastMessageAt" = now() - interval '9 days' WHERE id = 1003`,
      )
      window.fake.changed()
    })
    const list = page.getByRole('list', { name: 'Em atendimento' }).locator('[data-ticket]')
    await expect(list.first()).toHaveAttribute('data-ticket', '1003')
    // The first rows come in pieces.
    await expect(list.nth(5)).toBeAttached()
    const times = await list
      .locator('time')
      .evaluateAll((all) => all.map((one) => Date.parse((one as HTMLTimeElement).dateTime)))
    expect(times.length).toBeGreaterThan(5)
    expect(times).toEqual(times.toSorted((a, b) => b - a))
  })
  test('a search finds names without their accents and words inside messages', async () => {
    await open('/tickets')
    await page.getByRole('tab', { name: 'Busca' }).click()
    await page.getByLabel('Buscar atendimentos').fill('CORTES')
    await ticket(1006).waitFor()
    await page.getByLabel('Buscar atendimentos').fill('encanador que vai')
    await ticket(1000).waitFor()
    await page.getByLabel('Buscar atendimentos').fill('')
    await page.getByRole('tab', { name: /Atendendo/ }).waitFor()
  })
  test('looking in through the eye marks nothing as read', async () => {
    await open('/tickets')
    await ticket(1003).hover()
    await ticket(1003).getByRole('button', { name: 'Espiar a conversa' }).click()
    await page.getByText('Só visualização').waitFor()
    await page.getByRole('dialog').locator('[data-message]').last().waitFor()
    await page.waitForTimeout(300)
    expect(await rows('SELECT "unreadMessages" FROM tickets WHERE id = 1003')).toEqual([{ unreadMessages: 14 }])
    expect(await page.getByRole('dialog').getByLabel('Mensagem', { exact: true }).count()).toBe(0)
  })
})

test.describe('the conversation', () => {
  test('it opens at the newest message and marks what is seen as read', async () => {
    await open(`/tickets/${uuid(1000)}`)
    await messages().last().waitFor()
    await page.getByText('2 mensagens não lidas').waitFor()
    const box = await messages().last().boundingBox()
    expect(box!.y + box!.height).toBeLessThan(800)
    expect(await page.getByRole('group', { name: 'Mensagens' }).evaluate((element) => element.scrollTop)).toBe(0)
    await expect.poll(() => rows('SELECT "unreadMessages" AS n FROM tickets WHERE id = 1000')).toEqual([{ n: 0 }])
    const unread = () => rows('SELECT id FROM messages WHERE "ticketId" = 1000 AND NOT read AND NOT "fromMe"')
    await expect.poll(unread).toEqual([])
  })
  test('older messages come when the top is near, and what is in sight stays where it is', async () => {
    await open(`/tickets/${uuid(1004)}`)
    await messages().last().waitFor()
    // The first frame holds fewer than the page that follows it.
    await expect(messages()).toHaveCount(50)
    const thread = page.getByRole('group', { name: 'Mensagens' })
    // Up as a wheel goes, a little at a time, so that what comes into sight was drawn before. Before each frame: how many
    // messages there are, and how far the one in the middle of the window has moved since the wheel last turned.
    const moved = await thread.evaluate(async (scroller) => {
      const all = () => [...scroller.querySelectorAll('[data-message]')]
      const middle = scroller.getBoundingClientRect().top + scroller.clientHeight / 2
      const frame = () => new Promise(requestAnimationFrame)
      const begin = performance.now()
      for (;;) {
        if (performance.now() - begin > 60_000) throw new Error('no older message came')
        const count = all().length
        scroller.scrollBy(0, -120)
        const watched = all().find((message) => message.getBoundingClientRect().bottom > middle)!
        const top = watched.getBoundingClientRect().top
        let furthest = 0
        let since = 0
        // Watched until the older ones have been there for a while, or for long enough to turn the wheel again.
        for (let frames = 0; frames < 6 || (since > 0 && since < 20); frames++) {
          await frame()
          furthest = Math.max(furthest, Math.abs(watched.getBoundingClientRect().top - top))
          if (all().length > count) since++
        }
        if (since > 0) return { count, furthest }
      }
    })
    expect(moved.count).toBe(50)
    expect(moved.furthest).toBeLessThan(2)
  })
  test('further up, too, a message shows what becomes of it, a quoted one is found, and none is missing or there twice', async () => {
    await open(`/tickets/${uuid(1004)}`)
    await expect(messages()).toHaveCount(50)
    const change = (sql: string, params: unknown[] = []) =>
      page.evaluate(
        async ([s, p]) => {
          await window.fake.db.query(s, p)
          window.fake.changed()
        },
        [sql, params] as const,
      )
    const write = (words: string, count: number, quotes: string | null = null) =>
      change(
        `INSERT INTO messages (id, "ticketId", body, "quotedMsgId", "createdAt")
         SELECT gen_random_uuid()::text, 1004, $1 || ' ' || n, $3, clock_timestamp() + n * interval '1 millisecond' FROM generate_series(1, $2::int) n`,
        [words, count, quotes],
      )
    /** What is drawn is all that the replica has from the first one that is drawn. */
    const whole = (atLeast: number) =>
      expect(async () => {
        const drawn = await messages().evaluateAll((all) => all.map((one) => one.dataset['message']))
        const known = await rows<{ id: string }>(
          `SELECT id FROM messages WHERE "ticketId" = 1004 AND "createdAt" >= (SELECT "createdAt" FROM messages WHERE id = $1) ORDER BY "createdAt", id`,
          [drawn[0]],
        )
        expect(drawn).toEqual(known.map(({ id }) => id))
        expect(drawn.length).toBeGreaterThanOrEqual(atLeast)
      }).toPass({ timeout: 20_000 })
    const [old] = await rows<{ id: string }>(
      'SELECT id FROM messages WHERE "ticketId" = 1004 ORDER BY "createdAt" DESC, id DESC OFFSET 170 LIMIT 1',
    )
    const quoted = page.locator(`[data-message="${old!.id}"]`)

    await write('nova', 3, old!.id)
    // The three are there, and those they pushed out of the newest page still are.
    await whole(53)
    await page.getByRole('button', { name: 'Ir para a mensagem citada' }).last().click()
    await expect(quoted).toBeInViewport()
    await whole(174)

    await change('UPDATE messages SET body = $1, "isEdited" = true WHERE id = $2', ['outras palavras', old!.id])
    await expect(quoted).toContainText('outras palavras')
    await expect(quoted).toContainText('editada')
    const thread = page.getByRole('group', { name: 'Mensagens' })
    await thread.evaluate((element) => element.scrollTo(0, -element.scrollHeight))
    await whole(220)
    // So many that the newest piece is cut in two.
    await write('muitas', 170)
    await whole(390)
    await change('DELETE FROM messages WHERE id = $1', [old!.id])
    await expect(quoted).toHaveCount(0)
    await whole(389)
  })
  test('what is written shows at once, signed, and once; it waits for the network and stays after it', async () => {
    await open(`/tickets/${uuid(1001)}`)
    await input().waitFor()
    await page.evaluate(() => window.fake.setOnline(false))
    await input().fill('Escrito *sem* rede')
    await page.keyboard.press('Enter')
    const own = messages().filter({ hasText: 'Escrito sem rede' })
    await own.getByRole('img', { name: 'Na fila de envio' }).waitFor()
    expect(await own.count()).toBe(1)
    expect(await own.innerText()).toContain('Ana Souza:')
    expect(await input().inputValue()).toBe('')
    await page.evaluate(() => {
      window.fake.setOnline(true)
      window.fake.setEntries(() => [])
    })
    await own.getByRole('img', { name: 'Enviada' }).waitFor()
    expect(await own.count()).toBe(1)
  })
  test('Shift+Enter makes a line, blanks are not sent, and the signature can be left off', async () => {
    await open(`/tickets/${uuid(1001)}`)
    await input().waitFor()
    const count = await allDrawn(1001)
    await input().fill('   ')
    await page.keyboard.press('Enter')
    await expect(messages()).toHaveCount(count)
    await page.getByRole('switch', { name: 'Assinar mensagens' }).click()
    await input().fill('linha um')
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.type('linha dois')
    await page.keyboard.press('Enter')
    await messages().filter({ hasText: 'linha dois' }).waitFor()
    // The bubble stands before the row is written.
    await expect
      .poll(() => rows("SELECT body FROM messages WHERE body LIKE '%linha dois'"))
      .toEqual([{ body: 'linha um\nlinha dois' }])
  })
  test('a refused message says why and can be discarded', async () => {
    await open(`/tickets/${uuid(1001)}`)
    await input().fill('recusada')
    await page.evaluate(() => window.fake.setOnline(false))
    await page.keyboard.press('Enter')
    const own = messages().filter({ hasText: 'recusada' })
    await own.waitFor()
    await page.waitForFunction(() => window.fake.replica.outbox.get().length === 1)
    await page.evaluate(() =>
      window.fake.setEntries((entries) =>
        entries.map((entry) => ({
          ...entry,
          state: 'failed' as const,
          error: { code: 'ERR_TICKET_NOT_OPEN' as const, params: {} },
        })),
      ),
    )
    await own.getByText('O atendimento não está aberto').waitFor()
    await own.getByRole('button', { name: 'Descartar' }).click()
    await own.waitFor({ state: 'detached' })
  })
  test('what is refused on the spot is said in a toast, and neither the words, the quote nor a file are lost', async () => {
    await open(`/tickets/${uuid(1000)}`)
    const last = messages().filter({ hasText: 'mesmo endereço' })
    await last.waitFor()
    const refuseNext = () =>
      page.evaluate(() => {
        const { replica } = window.fake
        const { mutate } = replica
        replica.mutate = () => {
          replica.mutate = mutate
          return Promise.reject(new Error('no'))
        }
      })
    const said = page.locator('[data-sonner-toast], [role="status"], [role="alert"]').filter({ hasText: /erro/i })
    await refuseNext()
    await last.click({ button: 'right', position: { x: 60, y: 16 } })
    await page.getByRole('menuitem', { name: 'Responder' }).click()
    const quote = page.getByRole('button', { name: 'Não responder a esta mensagem' })
    await quote.waitFor()
    await input().fill('não sai')
    await page.keyboard.press('Enter')
    await said.first().waitFor()
    await expect(input()).toHaveValue('não sai')
    await expect(quote).toBeVisible()
    await expect(messages().filter({ hasText: 'não sai' })).toHaveCount(0)
    await page.keyboard.press('Enter')
    await messages().filter({ hasText: 'não sai' }).waitFor()
    await expect(quote).toHaveCount(0)

    await refuseNext()
    const file = { name: 'lista.txt', mimeType: 'text/plain', buffer: Buffer.from('pão') }
    await page.locator('input[type="file"][multiple]').first().setInputFiles(file)
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: /^Enviar/ }).click()
    // It stands there again, to be sent once more.
    await expect(dialog.getByText('lista.txt').first()).toBeVisible()
    await dialog.getByRole('button', { name: /^Enviar/ }).click()
    await messages().filter({ hasText: 'lista.txt' }).waitFor()
  })
  test('what was taken back before it left is no failure, and nobody is asked to send it again', async () => {
    await open(`/tickets/${uuid(1001)}`)
    await messages().last().waitFor()
    await page.evaluate(async () => {
      await window.fake.db.query(
        `INSERT INTO messages (id, "ticketId", body, "fromMe", ack, "ackError", "isDeleted", "createdAt") VALUES
          (gen_random_uuid()::text, 1001, 'Certo! Aguarde um instante.', true, 0, 'taken_back', true, clock_timestamp())`,
      )
      window.fake.changed()
    })
    const said = messages().filter({ hasText: 'Aguarde um instante' })
    await said.getByText('Não enviada: a conversa seguiu antes').waitFor()
    expect(await said.getByRole('alert').count()).toBe(0)
    expect(await said.getByRole('button', { name: 'Reenviar' }).count()).toBe(0)
    expect(await said.innerText()).not.toContain('taken_back')
  })
  test('a voice note is recorded as MP3; a slip of the finger is not sent', async () => {
    await open(`/tickets/${uuid(1001)}`)
    const count = await allDrawn(1001)
    // Within the page: on a busy machine two clicks from here may be a second apart, which is no slip any more.
    await page.evaluate(() => {
      const observer = new MutationObserver(() => {
        const send = document.querySelector<HTMLButtonElement>('button[aria-label="Enviar a gravação"]:enabled')
        if (!send) return
        observer.disconnect()
        send.click()
      })
      observer.observe(document.body, { subtree: true, childList: true, attributes: true })
    })
    await page.getByRole('button', { name: 'Gravar mensagem de voz' }).click()
    await told(page, 'Gravação curta demais')
    await expect(messages()).toHaveCount(count)
    // Within the page, too: its length is measured below, and each second says another one.
    await page.evaluate(() => {
      const observer = new MutationObserver(() => {
        if (!document.querySelector('[role="timer"]')?.textContent.match(/0:0[3-9]/)) return
        observer.disconnect()
        document.querySelector<HTMLButtonElement>('button[aria-label="Enviar a gravação"]')!.click()
      })
      observer.observe(document.body, { subtree: true, childList: true, characterData: true })
    })
    await page.getByRole('button', { name: 'Gravar mensagem de voz' }).click()
    await messages().last().getByRole('button', { name: 'Ouvir' }).waitFor()
    const newest = async () =>
      (
        await rows<{ mediaMime: string; mediaSize: number; isVoice: boolean }>(
          'SELECT "mediaMime", "mediaSize", "isVoice" FROM messages ORDER BY "createdAt" DESC LIMIT 1',
        )
      )[0]
    await expect.poll(newest).toMatchObject({ mediaMime: 'audio/mpeg', isVoice: true })
    const sent = await newest()
    // 128 kbit/s for about three seconds.
    expect(sent!.mediaSize).toBeGreaterThan(25_000)
    expect(sent!.mediaSize).toBeLessThan(80_000)
  })
  test('several files go out as several messages, each with its caption', async () => {
    await open(`/tickets/${uuid(1001)}`)
    await input().waitFor()
    await page.getByTestId('attach').setInputFiles([
      { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') },
      { name: 'b.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4') },
    ])
    await page.getByLabel('Legenda').fill('o primeiro')
    await page.getByRole('dialog').getByRole('button', { name: 'Enviar', exact: true }).click()
    await messages().filter({ hasText: 'b.pdf' }).waitFor()
    // The bubble is there before its row is.
    const written = () =>
      rows(
        'SELECT body, "mediaName" AS name, "mediaType" AS type FROM messages WHERE "createdAt" > now() - interval \'1 minute\' AND "ticketId" = 1001 ORDER BY "createdAt"',
      )
    await expect.poll(written).toEqual([
      { body: '*Ana Souza*:\no primeiro', name: 'a.txt', type: 'application' },
      { body: 'b.pdf', name: 'b.pdf', type: 'application' },
    ])
  })
  test('a draft is still there on coming back', async () => {
    await open(`/tickets/${uuid(1001)}`)
    await input().fill('pela metade')
    await ticket(1000).locator('[data-item]').click()
    await waitForUrl(uuid(1000))
    // The address is there before the conversation.
    await expect(input()).toHaveValue('')
    await ticket(1001).locator('[data-item]').click()
    await waitForUrl(uuid(1001))
    await expect(input()).toHaveValue('pela metade')
  })
  test('answering, editing and deleting a message', async () => {
    await open(`/tickets/${uuid(1000)}`)
    const last = messages().filter({ hasText: 'mesmo endereço' })
    await last.click({ button: 'right', position: { x: 60, y: 16 } })
    await page.getByRole('menuitem', { name: 'Responder' }).click()
    await input().fill('Resposta')
    await page.keyboard.press('Enter')
    const own = messages().filter({ hasText: 'Resposta' })
    await own.getByRole('button', { name: 'Ir para a mensagem citada' }).waitFor()
    // Once the outbox has let go of it.
    await own.getByRole('img', { name: 'Enviada' }).waitFor()
    await input().focus()
    await page.keyboard.press('ArrowUp')
    const edit = page.getByLabel('Novo texto da mensagem')
    await expect(edit).toHaveValue('Resposta')
    await edit.fill('Resposta melhor')
    await page.keyboard.press('Enter')
    const edited = messages().filter({ hasText: 'Resposta melhor' })
    await edited.getByText('editada').waitFor()
    await edited.locator('p, span, strong').filter({ hasText: 'Ana Souza' }).first().click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Apagar para todos' }).click()
    await edited.getByText('Mensagem apagada').waitFor()
  })
  test('resolving leads back to the list; a resolved ticket cannot be written to until it is reopened', async () => {
    await open(`/tickets/${uuid(1001)}`)
    await page.getByRole('button', { name: 'Resolver', exact: true }).filter({ hasText: 'Resolver' }).click()
    await page.waitForURL((url) => url.pathname === '/tickets')
    await page.getByRole('tab', { name: 'Resolvidos' }).click()
    await ticket(1001).locator('[data-item]').click()
    await page.getByText('Reabra-o para escrever').waitFor()
    await page.getByRole('button', { name: 'Reabrir' }).filter({ hasText: 'Reabrir' }).first().click()
    await input().waitFor()
  })
  test("another queue's ticket is not for an agent who is not in it", async () => {
    await open('/tickets', { admin: false })
    await intercept(
      page,
      (address) => address.pathname.startsWith('/tickets/u/'),
      (route) => route.fulfill({ status: 404, json: { error: 'ERR_NO_TICKET_FOUND' } }),
    )
    await page.evaluate((path) => history.pushState(null, '', path), `/tickets/${uuid(1)}`)
    await told(page, 'Acesso não permitido')
    await page.waitForURL((url) => url.pathname === '/tickets')
  })
  test('a note is added and deleted by its author', async () => {
    await open(`/tickets/${uuid(1000)}`)
    await page.getByRole('button', { name: /Dados de/ }).click()
    await page.getByPlaceholder('Escreva para a equipe').fill('a')
    await page.getByRole('button', { name: 'Adicionar' }).click()
    await page.getByText('Escreva ao menos 2 caracteres').waitFor()
    await page.getByPlaceholder('Escreva para a equipe').fill('ligar amanhã')
    await page.getByRole('button', { name: 'Adicionar' }).click()
    await told(page, 'Observação adicionada com sucesso!')
    const note = page.getByRole('listitem').filter({ hasText: 'ligar amanhã' })
    await note.hover()
    await note.getByRole('button', { name: 'Excluir a observação' }).click()
    await page.getByText('Deseja realmente excluir este registro?').waitFor()
    await page.getByRole('button', { name: 'Excluir', exact: true }).click()
    await note.waitFor({ state: 'detached' })
  })
  test('a transfer needs a queue', async () => {
    await open(`/tickets/${uuid(1000)}`)
    await page.getByRole('button', { name: 'Transferir' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Transferir' }).click()
    await dialog.getByRole('alert').filter({ hasText: 'Selecione uma fila' }).waitFor()
    await dialog.getByRole('combobox').first().click()
    await page.getByRole('option', { name: 'Financeiro' }).click()
    await dialog.getByRole('button', { name: 'Transferir' }).click()
    await page.waitForURL((url) => url.pathname === '/tickets')
    await expect
      .poll(() => rows('SELECT status, "queueId", "userId" FROM tickets WHERE id = 1000'))
      .toEqual([{ status: 'pending', queueId: 2, userId: null }])
  })
})

test('on a phone one of the two is shown, and one can go back', async () => {
  await open('/tickets', { width: 390 })
  await ticket(1000).locator('[data-item]').click()
  await input().waitFor()
  await expect(ticket(1000)).toBeHidden()
  await page.getByRole('button', { name: 'Voltar à lista' }).click()
  await ticket(1000).waitFor()
})
