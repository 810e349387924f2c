/**
 * Draws the PNG icons from `public/icons/mark.svg` with Chromium. Run after a change to the mark:
 * `bun client/shell/make-icons.ts` (`CHROMIUM_PATH` where Chromium is not at /usr/bin/chromium).
 */
import { chromium } from '@playwright/test'
import { fileURLToPath } from 'node:url'

const icons = new URL('../public/icons/', import.meta.url)
const mark = await Bun.file(new URL('mark.svg', icons)).text()
/** Without the rounded ground: launchers cut maskable icons themselves and may take up to a fifth of each edge. */
const drawing = mark.replace(/<rect width="64"[^>]*\/>/, '')

const pages = [
  { name: 'icon-192.png', size: 192, html: mark },
  { name: 'icon-512.png', size: 512, html: mark },
  {
    name: 'maskable-512.png',
    size: 512,
    html: `<div style="background:#0d6e74;width:100%;height:100%;display:grid;place-items:center"><div style="width:72%">${drawing}</div></div>`,
  },
]

const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
})
for (const { name, size, html } of pages) {
  const page = await browser.newPage({ viewport: { width: size, height: size } })
  await page.setContent(`<style>html,body{margin:0;height:100%}svg{display:block;width:100%}</style>${html}`)
  await page.screenshot({ path: fileURLToPath(new URL(name, icons)), omitBackground: true })
  await page.close()
}
await browser.close()
