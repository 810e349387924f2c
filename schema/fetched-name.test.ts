import { describe, expect, test } from 'bun:test'
import { endingAs, nameOfAnswer } from './fetched-name.ts'

const named = (disposition: string | null, url: string, asked = url) =>
  nameOfAnswer({ headers: new Headers(disposition === null ? {} : { 'content-disposition': disposition }), url }, asked)

describe('the name of a file that was fetched', () => {
  test('is what its server says, in the spelling that was meant for all letters first', () => {
    const at = 'https://erp.example/get'
    expect(named("attachment; filename*=UTF-8''2%C2%AA%20via%20mar%C3%A7o.pdf", at)).toBe('2ª via março.pdf')
    expect(named('attachment; filename="via.pdf"; filename*=UTF-8\'\'2%C2%AA.pdf', at)).toBe('2ª.pdf')
    expect(named("attachment; filename*=iso-8859-1''a%E7o.pdf", at)).toBe('aço.pdf')
    expect(named('inline; filename="nota 7.pdf"', at)).toBe('nota 7.pdf')
    expect(named('attachment; filename=nota 7.pdf; size=3', at)).toBe('nota 7.pdf')
    // UTF-8 without a word, as headers arrive.
    expect(named(`attachment; filename="${Buffer.from('março.pdf').toString('latin1')}"`, at)).toBe('março.pdf')
    expect(named('attachment; filename="mar%C3%A7o.pdf"', at)).toBe('março.pdf')
  })

  test('is else that of the address where the redirections ended, else of the first', () => {
    expect(named(null, 'https://cdn.example/x/boleto%20maio.pdf', 'https://erp.example/go')).toBe('boleto maio.pdf')
    expect(named('attachment', 'https://cdn.example/', 'https://erp.example/a.pdf?t=1')).toBe('a.pdf')
    expect(named(null, 'https://cdn.example/')).toBe('')
    // Not a letter of UTF-8.
    expect(named(null, 'https://cdn.example/%E7%ff')).toBe('%E7%ff')
  })

  test('leads nowhere, whoever chooses it', () => {
    expect(named('attachment; filename="../../etc/passwd"', 'https://a.example/b')).toBe('passwd')
    expect(named("attachment; filename*=UTF-8''a%2Fb%0D%0A%E2%80%AEfdp.exe", 'https://a.example/b')).toBe('bfdp.exe')
    expect(named(`attachment; ${'filename='.repeat(100_000)}`, 'https://a.example/b').length).toBeLessThanOrEqual(255)
    const began = performance.now()
    named(`attachment; filename*=${"''%".repeat(300_000)}`, 'https://a.example/b')
    expect(performance.now() - began).toBeLessThan(100)
  })
})

test('a file ends as what it turned out to be', () => {
  const ending = (name: string, extension: string, mimetype = 'application/pdf') =>
    endingAs(name, { path: `company1/ab.${extension}`, mimetype }, 'file')
  expect(ending('gerar.php', 'pdf')).toBe('gerar.pdf')
  expect(ending('segunda-via', 'pdf')).toBe('segunda-via.pdf')
  expect(ending('boleto.pdf', 'pdf')).toBe('boleto.pdf')
  expect(ending('contrato v1.2', 'pdf')).toBe('contrato v1.2.pdf')
  expect(ending('foto.png', 'jpg', 'image/jpeg')).toBe('foto.jpg')
  expect(ending('foto.JPEG', 'jpg', 'image/jpeg')).toBe('foto.JPEG')
  expect(ending('', 'pdf')).toBe('file.pdf')
  expect(ending('lista', 'bin', 'text/csv')).toBe('lista.csv')
  expect(ending('lista.csv', 'csv', 'text/csv')).toBe('lista.csv')
  expect(ending('dados', 'bin', 'application/octet-stream')).toBe('dados')
  expect(ending('exportar.php', 'php', 'text/csv')).toBe('exportar.csv')
})
