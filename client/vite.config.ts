import babel from '@rolldown/plugin-babel'
import tailwindcss from '@tailwindcss/vite'
import { lingui, linguiTransformerBabelPreset } from '@lingui/vite-plugin'
import react from '@vitejs/plugin-react'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import type { Plugin, ProxyOptions } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import { replicaTemplate } from '../sync/client/template.vite.ts'
import { OUR_NAME } from '../schema/companies/product-name.ts'
import { serverPrefixes } from '../schema/server-paths.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
// The macro looks for its configuration by itself, from the working directory upwards, unless told so.
process.env['LINGUI_CONFIG'] ??= here('./lingui.config.ts')
const api = process.env['API_URL'] ?? 'http://127.0.0.1:3000'

/**
 * `/tickets`, `/users`… are screens when the browser navigates there, API calls when the app fetches them,
 * and (in development only) folders of source files. The request tells which one is meant.
 */
const bypass: ProxyOptions['bypass'] = (req) => {
  const path = (req.url ?? '').split('?')[0] ?? ''
  if (/\.(tsx?|css|po|svg)$/.test(path) && !path.startsWith('/public/')) return req.url
  if (req.headers['sec-fetch-mode'] === 'navigate' && !serverPrefixes.always.some((p) => path.startsWith(p))) {
    return '/index.html'
  }
  return undefined
}

const proxy = Object.fromEntries(
  [...serverPrefixes.always, ...serverPrefixes.shared].map((prefix): [string, ProxyOptions] => [
    `^${prefix}(/|\\?|$)`,
    { target: api, ws: prefix === '/events' || prefix === '/sync', bypass },
  ]),
)

/** Needed by the login and by every screen after it. `bench/bundle.bench.ts` says what a first screen fetches. */
const everywhere = {
  packages: [
    ...['react', 'react-dom', 'scheduler', 'use-sync-external-store', '@lingui'],
    '@tanstack/(history|react-router|react-store|router-core|store)',
    ...['tailwind-merge', 'clsx', 'class-variance-authority'],
  ],
  modules: [
    'client/base/(backoff|due-date|late|local|menu-badges|shortcuts|store|theme|use-viewport)',
    'client/session/(api|connection-state|events|failure|has-unsaved|session|session-store|session-watch|subscription|use-event)',
    'client/replica/(replica|sync-status)',
    'client/kit/(actions|back|brand|menu|screen-pending)',
    'client/account/(install|register-service-worker)',
    'client/shell/(drawer|layout|not-found|root|screen-error|slots|subscription-notice|top-bar)',
    'client/ui/(use-media|avatar|avatar-text|badge|button|cn|empty-state|error-state|kbd|page|skeleton|spinner|tooltip|toaster)',
    'client/(routes/router|i18n/locale)',
    'schema/(permissions|errors|ids)',
    'sync/client/(replica|last-rows|leftovers|disk|outbox\\.state)',
  ],
}

/**
 * What is fetched together is one file: each costs a request, an answer of the service worker and a task of the page's
 * thread. A file takes with it all that it imports, unless one further up has that already.
 */
const together: [name: string, parts: RegExp][] = [
  ['base', new RegExp(`/node_modules/(${everywhere.packages.join('|')})/`)],
  // With the icons that public screens and the inbox share: beside the fields, they brought those to the inbox.
  ['shell', new RegExp(`/(${everywhere.modules.join('|')})\\.tsx?$|/lucide-react/.*/icons/(cloud-off|eye)\\.`)],
  // Small things of radix that nearly every component stands on.
  ['parts', /\/@radix-ui\/(primitive|react-(primitive|compose-refs|context|slot|id|presence|use-[a-z-]+))\//],
  // What public screens share with others, so that it brings nothing else along.
  ['fields', /\/client\/ui\/(field|label|input|password-input)\.tsx$/],
  ['failures', /\/client\/(session\/error-text|i18n\/error-messages)\.ts$/],
  ['forms', /\/node_modules\/(react-hook-form|@hookform)\//],
  ['schemas', /\/node_modules\/@sinclair\//],
  ['inbox', /\/client\/inbox\/inbox\.screen\.tsx$/],
  ['dialog', /\/client\/(ui\/dialog|kit\/form)\.tsx$/],
  // What is fetched outside of the replica: not of the first screen, but of the bar and of every list of the administration.
  ['fetched', /\/node_modules\/@tanstack\/(query-core|react-query)\/|\/client\/session\/fetched(-cache)?\.ts$/],
  // Of every screen, a moment after it.
  [
    'bar',
    /\/client\/(shell\/(status-indicator|volume-control)|account\/profile-menu|palette\/palette\.button|whatsapps\/whatsapps\.badge|(notifications|announcements|chats)\/[a-z]+\.popover|ui\/toasts)\.tsx$/,
  ],
  ['lists', /\/client\/inbox\/inbox\.(search-fields|search-list|closed-list)\.tsx$/],
  ['conversation', /\/client\/(inbox\/inbox\.pane|tickets\/tickets\.filter)\.tsx$/],
]

/**
 * Portuguese stands in the code already. Of its catalogue only what must come compiled is fetched: plurals with more in
 * them than a number. What has only names and plain plurals to fill in, the page does itself: `client/i18n/with-names.ts`.
 */
const sourceTexts: Plugin = {
  name: 'source-texts',
  transform: {
    filter: { id: /\/pt\.po$/ },
    handler(code) {
      const catalog = /JSON\.parse\(("(?:[^"\\]|\\.)*")\)/.exec(code)
      if (!catalog) throw new Error('the compiled catalogue of Portuguese looks otherwise than expected')
      const texts = JSON.parse(JSON.parse(catalog[1]!) as string) as Record<string, unknown[]>
      // An apostrophe or a brace may be ICU's.
      const isWords = (part: unknown) => typeof part === 'string' && !/['{}]/.test(part)
      const isPlain = (part: unknown) => {
        if (!Array.isArray(part)) return isWords(part)
        const [, kind, forms] = part as unknown[]
        return (
          part.length === 1 ||
          (kind === 'plural' &&
            Object.keys(forms as object).join() === 'one,other' &&
            Object.values(forms as object).every((form) => Array.isArray(form) && form.every(isWords)))
        )
      }
      const needed = Object.fromEntries(Object.entries(texts).filter(([, parts]) => !parts.every(isPlain)))
      return { code: `export const messages = ${JSON.stringify(needed)}`, map: null }
    },
  },
}

/**
 * The letters that every screen shows are asked for with its scripts: found only in the styles, they came after the first
 * drawing, and all of it was laid out again.
 */
const fontFirst: Plugin = {
  name: 'font-first',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle }) {
      if (!bundle) return
      const font = Object.keys(bundle).find((file) => file.includes('inter-latin-wght-normal'))
      if (!font) throw new Error('the build has no Inter')
      const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${font}`, crossorigin: true }
      return [{ tag: 'link', attrs, injectTo: 'head' }]
    },
  },
}

export default defineConfig({
  root: here('.'),
  plugins: [
    react(),
    lingui(),
    sourceTexts,
    fontFirst,
    // Source texts stay in the bundle (a few kB): a text that is newer than the catalogs shows in Portuguese, never as an id.
    babel({ presets: [linguiTransformerBabelPreset({ descriptorFields: 'message' })] }),
    tailwindcss(),
    replicaTemplate(),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'shell',
      filename: 'service-worker.ts',
      injectRegister: false,
      manifest: {
        id: '/',
        name: OUR_NAME,
        short_name: OUR_NAME,
        description: 'Atendimento pelo WhatsApp para a equipe inteira',
        lang: 'pt-BR',
        start_url: '/',
        scope: '/',
        display: 'standalone',
        theme_color: '#0d6e74',
        background_color: '#f7f9fa',
        categories: ['business', 'productivity'],
        icons: [
          { src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png' },
          { src: '/icons/icon-512.png', sizes: '512x512', type: 'image/png' },
          { src: '/icons/maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
        ],
      },
      injectManifest: {
        // PGlite's engine and its empty data directory are what make an offline first paint possible.
        globPatterns: ['**/*.{js,css,html,svg,png,woff2,wasm,data,json,webmanifest}'],
        maximumFileSizeToCacheInBytes: 32 * 1024 * 1024,
      },
    }),
  ],
  // Pre-bundling would separate PGlite's script from the wasm it loads by relative address.
  optimizeDeps: { exclude: ['@electric-sql/pglite'] },
  worker: { format: 'es' },
  build: {
    outDir: here('./dist'),
    emptyOutDir: true,
    target: 'es2023',
    sourcemap: false,
    // Vite lists for each screen what is fetched beside it, and all those lists come with the first one. What is asked for
    // right then, and what the page itself has named already, need not stand there.
    modulePreload: {
      resolveDependencies: (file, needed, { hostType }) =>
        hostType === 'html'
          ? needed
          : needed.filter((one) => one !== file && !/\/(?:rolldown-runtime|base|shell)-[\w-]+\.js$/.test(one)),
    },
    // The replica's worker carries the database engine; it is one file by nature and loads apart from the page.
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: together.map(([name, test], index) => ({ name, test, priority: together.length - index })),
        },
      },
    },
  },
  server: { port: 5173, proxy, fs: { allow: [here('..')] } },
})
