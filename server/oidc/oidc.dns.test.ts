import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createSocket } from 'node:dgram'
import { createTxtResolver, demandProof } from './oidc.dns.ts'

const text = 'balcao-domain=0123456789abcdef'
/** A DNS that knows one name, denies a second, and says nothing of any other. */
const dns = createSocket('udp4')
let server: string

/** The name that is asked for begins after twelve bytes: each part has its length before it. */
function answerTo(question: Buffer): Buffer | null {
  const labels: string[] = []
  let at = 12
  while (question[at] !== 0) {
    labels.push(question.toString('latin1', at + 1, at + 1 + question[at]!))
    at += question[at]! + 1
  }
  const asked = question.subarray(12, at + 5)
  const name = labels.join('.')
  const known = name === '_balcao.loja.example'
  if (!known && name !== '_balcao.outra.example') return null
  const header = Buffer.alloc(12)
  question.copy(header, 0, 0, 2)
  header.writeUInt16BE(known ? 0x8180 : 0x8183, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(known ? 1 : 0, 6)
  if (!known) return Buffer.concat([header, asked])
  const data = Buffer.from(`${String.fromCharCode(text.length)}${text}`, 'latin1')
  const record = Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 60, 0, data.length])
  return Buffer.concat([header, asked, record, data])
}

beforeAll(async () => {
  dns.on('message', (question, from) => {
    const answer = answerTo(question)
    if (answer) dns.send(answer, from.port, from.address)
  })
  await new Promise<void>((done) => dns.bind(0, '127.0.0.1', done))
  server = `127.0.0.1:${dns.address().port}`
})
afterAll(() => dns.close())

test('a domain is proven by its TXT record; what is missing, or something else, or not told in time is refused', async () => {
  const resolveTxt = createTxtResolver({ servers: [server], patienceMs: 1_000 })
  expect(await resolveTxt('_balcao.loja.example')).toEqual([text])
  await demandProof(resolveTxt, 'loja.example', text)
  const why = async (domain: string, wanted = text) =>
    demandProof(resolveTxt, domain, wanted).then(
      () => null,
      (error) => [error.code, error.params.why],
    )
  expect(await why('loja.example', 'another')).toEqual(['ERR_OIDC_DOMAIN_UNPROVEN', 'other'])
  expect(await why('outra.example')).toEqual(['ERR_OIDC_DOMAIN_UNPROVEN', 'missing'])
  const begun = performance.now()
  expect(await why('calada.example')).toEqual(['ERR_OIDC_DOMAIN_UNPROVEN', 'unreachable'])
  expect(performance.now() - begun).toBeLessThan(4_000)
})
