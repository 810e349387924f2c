import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { Elysia } from 'elysia'
import {
  brandParams,
  brandQuery,
  brandTypes,
  brandVersion,
  LARGEST_BRAND,
} from '../../schema/companies/branding.inputs.ts'
import { cleanSvg } from '../../schema/companies/branding.svg.ts'
import { type BrandPlace, branding } from '../../schema/companies/branding.table.ts'
import { DomainError } from '../../schema/errors.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demandSuper } from '../http/guard.ts'
import { fileForm, takeFile } from '../http/upload-one.ts'
import { productName } from '../settings/settings.queries.ts'

const tags = ['server']

/** What is shown where the operator has no picture of their own; elsewhere the app draws its mark. */
const ours: Partial<Record<BrandPlace, string>> = {
  favicon: '/icons/mark.svg',
  'favicon-256x256': '/icons/icon-512.png',
  'apple-touch-icon': '/icons/maskable-512.png',
}

const begins = (bytes: Uint8Array, ...start: number[]) => start.every((byte, i) => bytes[i] === byte)

/** The picture by what it is, not by what it is called; undefined for anything but PNG, ICO and SVG. */
function pictureOf(bytes: Uint8Array): { mime: (typeof brandTypes)[number]; bytes: Uint8Array } | undefined {
  if (begins(bytes, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return { mime: 'image/png', bytes }
  if (begins(bytes, 0, 0, 1, 0)) return { mime: 'image/x-icon', bytes }
  const svg = cleanSvg(new TextDecoder().decode(bytes))
  return svg === undefined ? undefined : { mime: 'image/svg+xml', bytes: new TextEncoder().encode(svg) }
}

/** The operator's name of the product and pictures: shown to everybody, changed by the operator, the name as a setting. */
export function brandingRoutes(deps: AppDeps) {
  const { db, media, now } = deps
  const list = () =>
    db
      .select({ place: branding.place, mime: branding.mime, size: branding.size, updatedAt: branding.updatedAt })
      .from(branding)
      .orderBy(branding.place)

  return new Elysia()
    .get(
      '/branding',
      async () => {
        const [product, pictures] = await Promise.all([productName(db), list()])
        return { product, pictures }
      },
      {
        detail: {
          tags,
          summary: 'What the product is called, and where the operator has pictures of their own; needs no login',
        },
      },
    )
    .get(
      '/branding/:place',
      async ({ params, query, request, set }) => {
        const [row] = await db.select().from(branding).where(eq(branding.place, params.place))
        set.headers['cache-control'] = 'no-cache'
        if (!row) {
          const location = ours[params.place]
          if (!location) throw new DomainError('ERR_NO_FILE_FOUND')
          return new Response(null, { status: 302, headers: { location, 'cache-control': 'no-cache' } })
        }
        const version = row.updatedAt.getTime().toString(36)
        const headers = {
          'content-type': row.mime,
          'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
          'x-content-type-options': 'nosniff',
          // An address that names this version never shows another; any other is asked about each time.
          'cache-control': query.v === version ? 'public, max-age=31536000, immutable' : 'no-cache',
          etag: `"${version}"`,
        }
        if (request.headers.get('if-none-match') === headers.etag) return new Response(null, { status: 304, headers })
        return new Response(Buffer.from(row.content, 'base64'), { headers })
      },
      {
        params: brandParams,
        query: brandVersion,
        detail: { tags, summary: 'A picture of the operator; needs no login' },
      },
    )
    .get(
      '/manifest.webmanifest',
      async () => {
        const built = deps.clientDir === undefined ? undefined : Bun.file(join(deps.clientDir, 'manifest.webmanifest'))
        if (!built || !(await built.exists())) throw new DomainError('ERR_NOT_FOUND')
        const name = await productName(db)
        const manifest = { ...((await built.json()) as Record<string, unknown>), name, short_name: name }
        const [icon] = await db
          .select({ mime: branding.mime, updatedAt: branding.updatedAt })
          .from(branding)
          .where(eq(branding.place, 'favicon-256x256'))
        const src = icon && `/branding/favicon-256x256?v=${icon.updatedAt.getTime().toString(36)}`
        return Response.json(icon ? { ...manifest, icons: [{ src, sizes: '256x256', type: icon.mime }] } : manifest, {
          headers: { 'content-type': 'application/manifest+json', 'cache-control': 'no-cache' },
        })
      },
      {
        detail: {
          tags,
          summary: 'What browsers install the app by, with the operator’s name and icon; needs no login',
        },
      },
    )
    .use(authed(deps))
    .post(
      '/settings/media-upload',
      async ({ who, query, request }) => {
        demandSuper(who)
        const limits = { media, companyId: who.companyId, maxBytes: LARGEST_BRAND }
        return takeFile(request, limits, async (file) => {
          const given = await new Response(await media.read(file.path)).bytes()
          await media.delete(file.path)
          const picture = pictureOf(given)
          if (!picture) throw new DomainError('ERR_FILE_TYPE', { found: file.mimetype, allowed: brandTypes })
          const row = {
            mime: picture.mime,
            content: Buffer.from(picture.bytes).toString('base64'),
            size: picture.bytes.length,
            updatedAt: now(),
          }
          await db
            .insert(branding)
            .values({ place: query.ref, ...row })
            .onConflictDoUpdate({ target: branding.place, set: row })
          return { mensagem: 'Arquivo Anexado', place: query.ref, mime: row.mime, updatedAt: row.updatedAt }
        })
      },
      {
        query: brandQuery,
        detail: {
          tags,
          summary: 'A picture of the operator’s: PNG, ICO or SVG, which is cleaned',
          requestBody: fileForm,
        },
      },
    )
    .delete(
      '/settings/media-upload',
      async ({ who, query }) => {
        demandSuper(who)
        await db.delete(branding).where(eq(branding.place, query.ref))
        return {}
      },
      { query: brandQuery, detail: { tags, summary: 'Take a picture of the operator’s away' } },
    )
}
