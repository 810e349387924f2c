/**
 * Makes the sample company's files in `server/demo/media`: pictures drawn here with Chromium, voice notes spoken by
 * espeak-ng (Debian: apt-get install espeak-ng). Run after a change to the drawings or to what is said:
 * `bun tests/demo-media.make.ts`.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { Application, createEncoder } from 'libopus-wasm'
import { waveformText } from '../schema/messages/messages.waveform.ts'
import { OPUS_RATE, oggOpus, PACKET_SAMPLES } from '../server/media/ogg-opus.ts'
import { resampler } from '../server/media/resample.ts'
import { listen } from '../server/media/voice-note.ts'
import { findChromium } from './support/chromium.ts'

const folder = join(import.meta.dir, '..', 'server', 'demo', 'media')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })

// ── people ───────────────────────────────────────────────────────────────────────────────────

const grounds = ['#f2c9a1', '#a8c8dc', '#c9d8a8', '#e3b7c4', '#c3b9e0', '#f0d98c', '#9ccfc4', '#e8a98c']
const skins = ['#f5cfae', '#e0ac82', '#c68a5c', '#9a6540', '#734a2e', '#ecbf98']
const hairs = ['#2a1d18', '#4a2f20', '#7a4a26', '#b98345', '#1a1a1e', '#8c8782']
const shirts = ['#2f6f73', '#c25b4a', '#43598f', '#d9a441', '#6b8f4e', '#8a5a83', '#f4efe6', '#37474f']
const at = <T>(list: readonly T[], i: number): T => list[i % list.length]!

const longHair = [
  'M28 100 C16 60 26 20 60 20 C94 20 104 60 92 100 L80 104 C84 80 84 66 82 54 C68 56 52 50 44 40 C38 50 36 74 40 104 Z',
  'M30 84 C20 46 32 18 60 18 C88 18 100 46 90 84 C84 90 82 70 82 56 C66 56 56 46 50 38 C42 50 38 58 38 70 C38 80 34 88 30 84 Z',
  'M34 60 C28 30 44 18 60 18 C76 18 92 30 86 60 C82 48 74 42 60 42 C46 42 38 48 34 60 Z M48 18 a13 11 0 1 1 24 0 z',
  'M26 92 C14 54 30 14 62 16 C96 18 106 62 94 92 C90 98 84 96 84 86 C86 66 82 52 74 42 C60 50 46 50 38 58 C36 72 38 84 36 92 C34 98 28 98 26 92 Z',
] as const
const shortHair = [
  'M36 56 C30 28 46 18 62 18 C82 18 90 32 84 56 C82 46 78 40 72 38 C60 42 46 38 42 40 C38 44 38 50 36 56 Z',
  'M36 52 C34 30 44 20 60 20 C76 20 86 30 84 52 C80 42 70 36 60 36 C50 36 40 42 36 52 Z',
  'M34 54 C26 24 50 12 66 18 C86 16 92 36 84 54 C82 44 76 36 68 34 C60 30 50 36 44 36 C38 40 36 48 34 54 Z',
  'M39 46 C40 30 48 24 60 24 C72 24 80 30 81 46 C76 36 70 33 60 33 C50 33 44 36 39 46 Z',
] as const

function face(kind: 'f' | 'm', i: number): string {
  const skin = at(skins, i * 5 + 1)
  const hair = at(hairs, i * 7 + (kind === 'f' ? 2 : 0))
  const look = at(kind === 'f' ? longHair : shortHair, i)
  const glasses =
    i % 5 === 2
      ? '<g fill="none" stroke="#3b3b3f" stroke-width="2"><circle cx="50" cy="62" r="8"/><circle cx="70" cy="62" r="8"/><path d="M58 61h4"/></g>'
      : ''
  const beard =
    kind === 'm' && i % 3 === 1
      ? `<path d="M39 66 C40 96 80 96 81 66 C78 76 70 76 60 75 C50 76 42 76 39 66 Z" fill="${hair}"/>`
      : ''
  const back =
    kind === 'f' && i % 4 !== 2
      ? `<path d="M32 60 C24 92 34 108 44 112 L76 112 C88 106 96 90 88 58 Z" fill="${hair}"/>`
      : ''
  return `<svg viewBox="0 0 120 120"><rect width="120" height="120" fill="${at(grounds, i * 3 + (kind === 'f' ? 0 : 4))}"/>${back}
    <path d="M14 130 C14 104 36 98 60 98 C84 98 106 104 106 130 Z" fill="${at(shirts, i * 3 + 1)}"/>
    <path d="M50 84 h20 v16 a10 8 0 0 1 -20 0 Z" fill="${skin}"/><path d="M50 88 q10 8 20 0 v4 q-10 8 -20 0z" fill="#000" opacity=".12"/>
    <ellipse cx="60" cy="62" rx="23" ry="28" fill="${skin}"/>${beard}
    <circle cx="51" cy="62" r="2.6" fill="#26201d"/><circle cx="69" cy="62" r="2.6" fill="#26201d"/>
    <path d="M46 54 q5 -4 9 -1 M65 53 q5 -3 9 1" stroke="${hair}" stroke-width="2.2" fill="none" stroke-linecap="round"/>
    <path d="M60 64 q-3 6 1 7" stroke="#000" stroke-opacity=".22" stroke-width="2" fill="none" stroke-linecap="round"/>
    <path d="M51 76 q9 ${i % 2 ? 9 : 6} 18 0" stroke="${beard ? '#f3e3d8' : '#8c3b34'}" stroke-width="2.6" fill="none" stroke-linecap="round"/>
    <path d="${look}" fill="${hair}"/>${glasses}</svg>`
}

/** What people show instead of their face. */
const otherPictures = [
  // A dog.
  '<svg viewBox="0 0 120 120"><rect width="120" height="120" fill="#b9d7c2"/><path d="M20 130 C20 96 40 92 60 92 C80 92 100 96 100 130 Z" fill="#a9713f"/><ellipse cx="60" cy="62" rx="30" ry="32" fill="#c88d55"/><path d="M32 44 C14 40 12 74 26 82 C32 74 32 56 38 46 Z M88 44 C106 40 108 74 94 82 C88 74 88 56 82 46 Z" fill="#7d4f2a"/><ellipse cx="60" cy="76" rx="16" ry="13" fill="#f1dcc0"/><ellipse cx="60" cy="69" rx="6" ry="4.5" fill="#2b211c"/><path d="M60 73 v6 M52 82 q8 5 16 0" stroke="#2b211c" stroke-width="2" fill="none"/><circle cx="48" cy="56" r="4" fill="#2b211c"/><circle cx="72" cy="56" r="4" fill="#2b211c"/></svg>',
  // The sea in the evening.
  '<svg viewBox="0 0 120 120"><linearGradient id="s" x2="0" y2="1"><stop stop-color="#f6a560"/><stop offset="1" stop-color="#f8d9a0"/></linearGradient><rect width="120" height="120" fill="url(#s)"/><circle cx="76" cy="62" r="17" fill="#fff1c9"/><path d="M0 70 h120 v50 H0z" fill="#2c7f8f"/><path d="M0 84 q15 -6 30 0 t30 0 t30 0 t30 0 v36 H0z" fill="#256c7b"/><path d="M0 104 q20 -10 60 -2 t60 -4 v22 H0z" fill="#eccf98"/></svg>',
  // A sunflower.
  `<svg viewBox="0 0 120 120"><rect width="120" height="120" fill="#8fc0dd"/><path d="M58 66 h5 v60 h-5z" fill="#4b7b3c"/><path d="M62 100 q22 -16 32 -2 q-18 14 -32 2" fill="#5c9449"/>${Array.from({ length: 14 }, (_, i) => `<ellipse cx="60" cy="30" rx="8" ry="20" fill="${i % 2 ? '#f2b632' : '#f6c64d'}" transform="rotate(${(i * 360) / 14} 60 56)"/>`).join('')}<circle cx="60" cy="56" r="18" fill="#6b4423"/><circle cx="60" cy="56" r="12" fill="#4f3119"/></svg>`,
  // A cat.
  '<svg viewBox="0 0 120 120"><rect width="120" height="120" fill="#e5c6b8"/><path d="M22 130 C22 98 42 92 60 92 C78 92 98 98 98 130 Z" fill="#6d6a70"/><path d="M30 56 L32 18 L54 36 H68 L90 18 L92 56 C92 92 30 92 30 56 Z" fill="#7f7c83"/><circle cx="47" cy="58" r="6" fill="#d8e08a"/><circle cx="75" cy="58" r="6" fill="#d8e08a"/><ellipse cx="47" cy="58" rx="2" ry="5" fill="#222"/><ellipse cx="75" cy="58" rx="2" ry="5" fill="#222"/><path d="M57 68 h8 l-4 5z" fill="#d98d8d"/><path d="M61 73 q-6 8 -12 4 M61 73 q6 8 12 4 M34 70 l-16 -3 M34 75 l-15 3 M88 70 l16 -3 M88 75 l15 3" stroke="#333" stroke-width="1.6" fill="none"/></svg>',
]

// ── what is sent ─────────────────────────────────────────────────────────────────────────────

const wood = (base: string, line: string) =>
  `<rect width="800" height="600" fill="${base}"/>${[80, 190, 310, 430, 545].map((y, i) => `<path d="M0 ${y} q200 ${i % 2 ? 14 : -12} 400 0 t400 0" stroke="${line}" stroke-width="3" fill="none" opacity=".5"/>`).join('')}`
const strawberry = (x: number, y: number, r = 1) =>
  `<g transform="translate(${x} ${y}) scale(${r})"><path d="M0 -26 C30 -34 34 4 0 34 C-34 4 -30 -34 0 -26 Z" fill="#cf2f36"/><path d="M0 -26 l-16 -8 l10 -2 l-2 -12 l8 8 l8 -8 l-2 12 l10 2z" fill="#4f8a3d"/>${[-12, 0, 12].map((dx, i) => `<circle cx="${dx}" cy="${i === 1 ? 8 : -8}" r="2" fill="#f6d98a"/>`).join('')}</g>`
const roll = (x: number, y: number, turn = 0, tone = '#d59a4e') =>
  `<g transform="translate(${x} ${y}) rotate(${turn})"><ellipse rx="92" ry="46" fill="${tone}"/><ellipse cy="-8" rx="80" ry="32" fill="#e7b76e"/><path d="M-62 -10 q62 -30 124 0" stroke="#f6ddae" stroke-width="12" fill="none" stroke-linecap="round"/></g>`
const scenes: Record<string, string> = {
  'bolo-morango': `${wood('#8a5d3b', '#6f4729')}<ellipse cx="400" cy="470" rx="270" ry="62" fill="#e9e4da"/><ellipse cx="400" cy="460" rx="236" ry="50" fill="#fbf8f1"/>
    <path d="M200 250 v190 a200 56 0 0 0 400 0 v-190z" fill="#4b2a1b"/><path d="M200 330 a200 56 0 0 0 400 0 v26 a200 56 0 0 1 -400 0z" fill="#f7e6df"/><ellipse cx="400" cy="250" rx="200" ry="62" fill="#5d3623"/>
    <path d="M200 250 q14 60 34 16 q16 80 44 28 q26 66 56 18 q30 78 66 14 q32 60 62 6 q32 62 62 -4 q28 50 44 -26 q22 30 32 -52 a200 62 0 0 1 -400 0z" fill="#35190f"/>
    ${[
      [260, 236],
      [330, 264],
      [400, 272],
      [470, 264],
      [540, 236],
      [330, 216],
      [400, 210],
      [470, 216],
    ]
      .map(([x, y]) => strawberry(x!, y!, 0.95))
      .join('')}`,
  'vitrine-paes': `<rect width="800" height="600" fill="#f1e2c8"/><rect y="0" width="800" height="150" fill="#7d4f2c"/><text x="400" y="98" font-family="Georgia,serif" font-size="62" fill="#f6e3bd" text-anchor="middle">Padaria Balcão</text>
    ${[330, 540].map((y) => `<rect x="30" y="${y}" width="740" height="24" rx="6" fill="#9b6a3f"/>`).join('')}
    ${[110, 250, 390, 530, 670].map((x, i) => roll(x, 292, i % 2 ? -6 : 5)).join('')}${[130, 300, 480, 660].map((x, i) => `<g transform="translate(${x} 486) rotate(${i % 2 ? 4 : -4})"><rect x="-84" y="-48" width="168" height="98" rx="42" fill="#c07f3a"/><rect x="-76" y="-48" width="152" height="60" rx="30" fill="#dca45a"/><path d="M-46 -34 l20 32 M-10 -38 l20 34 M28 -38 l20 34" stroke="#f4dcb0" stroke-width="9" stroke-linecap="round"/></g>`).join('')}`,
  'cesta-cafe': `<rect width="800" height="600" fill="#dfe8df"/><rect y="420" width="800" height="180" fill="#c9b79b"/><path d="M170 300 h460 l-54 220 a40 20 0 0 1 -40 20 h-272 a40 20 0 0 1 -40 -20z" fill="#b07a3f"/>${[330, 372, 414, 456, 498].map((y) => `<path d="M${178 + (y - 330) / 3} ${y} h${444 - (y - 330) / 1.5}" stroke="#8d5c29" stroke-width="10" stroke-dasharray="34 12"/>`).join('')}
    <path d="M190 300 C190 40 610 40 610 300" fill="none" stroke="#8d5c29" stroke-width="18"/><ellipse cx="400" cy="300" rx="232" ry="46" fill="#f6ead2"/>
    ${roll(310, 268, -12)}${roll(470, 258, 14, '#cb8c40')}<g transform="translate(400 214)"><rect x="-42" y="-66" width="84" height="120" rx="14" fill="#c4413b"/><rect x="-46" y="-84" width="92" height="26" rx="8" fill="#f3efe6"/><rect x="-34" y="-36" width="68" height="54" rx="6" fill="#f8f1e2"/><text y="-2" font-family="Georgia,serif" font-size="22" fill="#7a2c28" text-anchor="middle">Geleia</text></g><circle cx="558" cy="268" r="40" fill="#e98a2b"/><circle cx="548" cy="258" r="10" fill="#f4b265"/><path d="M228 250 q20 -70 70 -40 q-4 54 -70 40z" fill="#6f9a4c"/>`,
  comprovante: `<rect width="800" height="600" fill="#2b2f36"/><g transform="rotate(-2 400 300)"><path d="M190 20 h420 v548 l-35 -18 l-35 18 l-35 -18 l-35 18 l-35 -18 l-35 18 l-35 -18 l-35 18 l-35 -18 l-35 18 l-35 -18 l-35 18z" fill="#fbfbf8"/><circle cx="400" cy="96" r="38" fill="#2f9e67"/><path d="M382 96 l13 14 l24 -28" stroke="#fff" stroke-width="8" fill="none" stroke-linecap="round" stroke-linejoin="round"/><g font-family="Helvetica,Arial,sans-serif" fill="#23272e"><text x="400" y="178" font-size="28" font-weight="700" text-anchor="middle">Pix enviado</text><text x="400" y="240" font-size="46" font-weight="700" text-anchor="middle">R$ 105,70</text><g font-size="20" fill="#5c636e"><text x="226" y="306">Para</text><text x="226" y="356">Chave</text><text x="226" y="406">Banco</text><text x="226" y="456">Autenticação</text></g><g font-size="20" text-anchor="end"><text x="574" y="306">Padaria Balcão</text><text x="574" y="356">contato@padaria.test</text><text x="574" y="406">Banco Exemplo</text><text x="574" y="456">E48213 7A9C 02F1</text></g></g></g>`,
  salgados: `${wood('#5c4634', '#493627')}<ellipse cx="400" cy="310" rx="340" ry="230" fill="#d7dbe0"/><ellipse cx="400" cy="300" rx="312" ry="206" fill="#eef0f3"/>
    ${Array.from({ length: 26 }, (_, i) => {
      const ring = i < 8 ? [118, 76, 8] : [234, 150, 18]
      const turn = ((i < 8 ? i : i - 8) / ring[2]!) * Math.PI * 2
      return `<g transform="translate(${400 + Math.cos(turn) * ring[0]!} ${300 + Math.sin(turn) * ring[1]!}) rotate(${(turn * 180) / Math.PI + 90})">${i % 2 ? '<path d="M0 -40 C26 -8 30 26 0 30 C-30 26 -26 -8 0 -40Z" fill="#c8812f"/><path d="M0 -32 C10 -8 12 10 2 18" stroke="#e7b062" stroke-width="7" fill="none" stroke-linecap="round"/>' : '<ellipse rx="32" ry="24" fill="#dba55b"/><ellipse cy="-5" rx="22" ry="13" fill="#efca8c"/>'}</g>`
    }).join(
      '',
    )}<ellipse cx="400" cy="300" rx="52" ry="34" fill="#b93a2c"/><ellipse cx="400" cy="294" rx="40" ry="23" fill="#d0503d"/>`,
  portaria: `<rect width="800" height="600" fill="#a9c6d8"/><rect y="470" width="800" height="130" fill="#8f8f8d"/><rect x="80" y="60" width="640" height="420" fill="#d9cdbb"/>${[150, 290, 510, 650].map((x) => `<rect x="${x - 44}" y="110" width="88" height="110" fill="#6d93a8"/><path d="M${x} 110 v110 M${x - 44} 165 h88" stroke="#f3eee4" stroke-width="6"/>`).join('')}<rect x="318" y="270" width="164" height="210" fill="#5a3b28"/><rect x="334" y="288" width="62" height="192" fill="#86684f"/><rect x="404" y="288" width="62" height="192" fill="#86684f"/><circle cx="390" cy="386" r="6" fill="#e7c25e"/><rect x="524" y="290" width="112" height="76" rx="6" fill="#20415e"/><text x="580" y="346" font-family="Helvetica,Arial" font-size="50" font-weight="700" fill="#fff" text-anchor="middle">120</text><path d="M120 480 c-14 -60 60 -60 46 0z M640 480 c-14 -70 70 -70 54 0z" fill="#5f8f4d"/><text x="400" y="254" font-family="Georgia,serif" font-size="30" fill="#5a3b28" text-anchor="middle">Edifício Acácias</text>`,
}

const browser = await chromium.launch({
  executablePath: await findChromium((sentence) => process.stdout.write(`${sentence}\n`)),
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
})
async function draw(name: string, svg: string, width: number, height: number, quality: number): Promise<void> {
  const page = await browser.newPage({ viewport: { width, height } })
  await page.setContent(`<style>html,body{margin:0}svg{display:block;width:100%;height:100vh}</style>${svg}`)
  await page.screenshot({ path: join(folder, `${name}.jpg`), type: 'jpeg', quality })
  await page.close()
}
const FACES = 20
for (const kind of ['f', 'm'] as const)
  for (let i = 0; i < FACES; i++) await draw(`${kind}${i}`, face(kind, i), 96, 96, 72)
for (const [i, svg] of otherPictures.entries()) await draw(`o${i}`, svg, 96, 96, 72)
for (const [name, drawn] of Object.entries(scenes))
  await draw(name, `<svg viewBox="0 0 800 600">${drawn}</svg>`, 800, 600, 62)
{
  const page = await browser.newPage()
  await page.setContent(`<title>Nota fiscal</title><style>body{font:15px Helvetica,Arial,sans-serif;margin:48px}td{padding:7px 24px 7px 0;border-bottom:1px solid #ddd}td:last-child{text-align:right}</style>
    <h2>Padaria Balcão</h2><p>Nota fiscal de exemplo nº 1.204, sem valor fiscal</p><p>CNPJ do cliente: 12.345.678/0001-90</p>
    <table><tr><td>Pão de queijo congelado, 1 kg<td>3<td>R$ 98,70<tr><td>Entrega<td>1<td>R$ 7,00<tr><td><b>Total</b><td><td><b>R$ 105,70</b></table>`)
  await page.pdf({ path: join(folder, 'nota-fiscal.pdf'), format: 'A5' })
}
await browser.close()

// ── what is spoken ───────────────────────────────────────────────────────────────────────────

const spoken: Record<string, { voice: string; words: string }> = {
  'voz-pedido': {
    voice: 'pt-br+f3',
    words:
      'Oi, bom dia! Eu queria encomendar um bolo de chocolate com morango para sexta feira. São umas vinte pessoas. Vocês conseguem?',
  },
  'voz-entrega': {
    voice: 'pt-br+m3',
    words: 'Boa tarde. O interfone está quebrado, então pede para o entregador ligar quando chegar, por favor.',
  },
  'voz-obrigada': { voice: 'pt-br+f4', words: 'Chegou tudo certinho! Muito obrigada, estava uma delícia.' },
  'voz-balcao': {
    voice: 'pt-br+f2',
    words: 'Oi! Já falei com a cozinha: a gente consegue sim. O bolo fica pronto na sexta, a partir das duas da tarde.',
  },
}

const about: Record<string, { seconds: number; waveform: string }> = {}
for (const [name, { voice, words }] of Object.entries(spoken)) {
  const made = Bun.spawnSync(['espeak-ng', '-v', voice, '-s', '150', '--stdout', words])
  if (made.exitCode !== 0) throw new Error(made.stderr.toString())
  const wav = Buffer.from(made.stdout)
  const rate = wav.readUInt32LE(24)
  const samples = Float32Array.from(
    { length: Math.floor((wav.length - 44) / 2) },
    (_, i) => wav.readInt16LE(44 + i * 2) / 32_768,
  )
  const sound = resampler(rate, OPUS_RATE)(samples)
  const encoder = await createEncoder({
    channels: 1,
    sampleRate: OPUS_RATE,
    frameSize: PACKET_SAMPLES,
    application: Application.Audio,
    bitrate: 20_000,
  })
  const preSkip = encoder.getLookahead()
  const packets: Uint8Array[] = []
  for (let from = 0; packets.length * PACKET_SAMPLES < preSkip + sound.length; from += PACKET_SAMPLES) {
    const packet = new Float32Array(PACKET_SAMPLES)
    packet.set(sound.subarray(from, from + PACKET_SAMPLES))
    packets.push(encoder.encodeFloat(packet))
  }
  encoder.free()
  const ogg = oggOpus({ packets, preSkip, samples: sound.length, recordedAt: rate })
  await Bun.write(join(folder, `${name}.ogg`), ogg)
  const { seconds, waveform } = (await listen(ogg))!
  about[name] = { seconds, waveform: waveformText(waveform)! }
}
await Bun.write(join(folder, 'voices.json'), `${JSON.stringify(about, null, 2)}\n`)
