import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from '@playwright/test'
import { adminEmail, adminPassword, type Stack, startStack } from '../support/stack.ts'

/** What a page of somebody else, open in the same browser, can do to the product: nothing. */
let stack: Stack
let strange: { url: string; close(): void }
test.beforeAll(async () => {
  stack = await startStack({ fast: true })
  // Another port of the same machine: the browser calls that the same site, and sends cookies along.
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><title>strange</title><h1>A strange page</h1>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  strange = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() }
})
test.afterAll(async () => {
  strange.close()
  await stack.stop()
})

/** A form that the strange page fills in and sends by itself. */
interface Form {
  action: string
  enctype: string
  fields: [name: string, value: string][]
}

const submit = ({ action, enctype, fields }: Form) => {
  const form = document.createElement('form')
  Object.assign(form, { action, enctype, method: 'post' })
  for (const [name, value] of fields) {
    const input = document.createElement('input')
    Object.assign(input, { name, value })
    form.append(input)
  }
  document.body.append(form)
  form.submit()
}

for (const host of ['127.0.0.1', 'localhost'])
  test(`a form of a page at ${host} logs nobody in`, async ({ page, context }) => {
    const place = strange.url.replace('127.0.0.1', host)
    // As text, this is the JSON of a login: {"email":"…","password":"…","x":"="}
    const json = `{"email":"${adminEmail}","password":"${adminPassword}","x":"`
    for (const [enctype, fields] of [
      ['text/plain', [[json, '"}']]],
      [
        'application/x-www-form-urlencoded',
        [
          ['email', adminEmail],
          ['password', adminPassword],
        ],
      ],
      [
        'multipart/form-data',
        [
          ['email', adminEmail],
          ['password', adminPassword],
        ],
      ],
    ] satisfies [string, Form['fields']][]) {
      await page.goto(place)
      const answer = page.waitForResponse(`${stack.url}/auth/login`)
      await page.evaluate(submit, { action: `${stack.url}/auth/login`, enctype, fields })
      expect((await answer).status(), enctype).toBe(403)
      await page.waitForURL(`${stack.url}/auth/login`)
      expect(await context.cookies(stack.url), enctype).toEqual([])
    }
  })

test('a session is neither renewed nor ended by a strange page, and goes on in its own', async ({ page, context }) => {
  // A page of the product's own, which needs no built client.
  await page.goto(`${stack.url}/docs`)
  const call = (url: string, method: string, body?: object) =>
    page.evaluate(
      async ([path, how, json]) =>
        fetch(path, {
          method: how,
          credentials: 'include',
          ...(json === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: json }),
        }).then(
          (response) => response.status,
          () => 'refused by the browser',
        ),
      [url, method, body && JSON.stringify(body)] as const,
    )
  expect(await call('/auth/login', 'POST', { email: adminEmail, password: adminPassword })).toBe(200)
  const session = async () => (await context.cookies(`${stack.url}/auth`)).find(({ name }) => name === 'jrt')?.value
  const before = await session()
  expect(before).toBeTruthy()

  await page.goto(strange.url)
  const answer = page.waitForResponse(`${stack.url}/auth/refresh_token`)
  await page.evaluate(submit, { action: `${stack.url}/auth/refresh_token`, enctype: 'text/plain', fields: [] })
  const refused = await answer
  // The cookie came along: the browser does not protect us here.
  expect((await refused.request().allHeaders()).cookie).toContain('jrt=')
  expect(refused.status()).toBe(403)
  await page.waitForURL(`${stack.url}/auth/refresh_token`)
  await page.goto(strange.url)
  expect(await call(`${stack.url}/auth/logout`, 'DELETE')).toBe('refused by the browser')
  await page.evaluate(
    // Sent, and its answer kept from the page.
    (url) => fetch(url, { method: 'POST', mode: 'no-cors', credentials: 'include' }).catch(() => undefined),
    `${stack.url}/auth/refresh_token`,
  )
  expect(await session()).toBe(before)

  await page.goto(`${stack.url}/docs`)
  expect(await call('/auth/refresh_token', 'POST')).toBe(200)
  expect(await session()).not.toBe(before)
})
