import { expect, test } from 'bun:test'
import { FILE_NAME_LENGTH, fileNameOf } from './texts.ts'

test('a file is called by the last part of its path, in one line, and is what its ending says', () => {
  for (const [said, kept] of [
    ['nota fiscal.pdf', 'nota fiscal.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\ana\\boleto.pdf', 'boleto.pdf'],
    // Shown as `fotoexe.jpg`, and run as a program.
    ['foto\u202Egpj.exe', 'fotogpj.exe'],
    ['\u2066a\u2069\u200F\u061C.pdf', 'a.pdf'],
    ['a.pdf\r\nContent-Type: text/html', 'html'],
    ['linha\r\n\u2028dois\0.txt', 'linhadois.txt'],
    ['..', ''],
    ['a/..', ''],
    ['\u202E \r\n', ''],
    ['', ''],
    [null, ''],
    ['.env', '.env'],
    ['relatório 📎.xlsx', 'relatório 📎.xlsx'],
  ] as [string | null, string][])
    expect([said, fileNameOf(said)]).toEqual([said, kept])
})

test('of a name that is too long the end is kept, where the ending is, and no half of a character', () => {
  const long = `${'😀'.repeat(200)}.pdf`
  expect(fileNameOf(long).length).toBeLessThanOrEqual(FILE_NAME_LENGTH)
  expect(fileNameOf(long)).toEndWith('😀.pdf')
  expect(fileNameOf(long).isWellFormed()).toBe(true)
  expect(fileNameOf('a/'.repeat(1_000_000))).toBe('')
})
