import { soundOf } from './openai.ts'
import { type FakeService, Troubles } from './serve.ts'

/** Azure's speech service: it takes well-formed SSML with a voice that it has, and nothing else. */
export function fakeAzureSpeech({ key = 'azure-test-key' }: { key?: string } = {}) {
  const spoken: { voice: string; text: string }[] = []
  const troubles = new Troubles()
  return {
    key,
    spoken,
    troubles,
    async handle(request: Request, path: string): Promise<Response> {
      const trouble = await troubles.take()
      if (trouble) return trouble
      if (path !== '/cognitiveservices/v1') return new Response('', { status: 404 })
      if (request.headers.get('ocp-apim-subscription-key') !== key) return new Response('', { status: 401 })
      if (!request.headers.get('user-agent')) return new Response('', { status: 400 })
      if (request.headers.get('content-type') !== 'application/ssml+xml') return new Response('', { status: 415 })
      if (request.headers.get('x-microsoft-outputformat') !== 'ogg-24khz-16bit-mono-opus')
        return new Response('', { status: 400 })
      const read = readSsml(await request.text())
      if (!read) return new Response('', { status: 400 })
      spoken.push(read)
      return new Response(await soundOf(read.text), { headers: { 'content-type': 'audio/ogg; codecs=opus' } })
    },
  } satisfies FakeService & Record<string, unknown>
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** The voice and the text, or undefined where the XML is broken. */
function readSsml(ssml: string): { voice: string; text: string } | undefined {
  const [, voice, inner] =
    /^<speak version="1\.0"[^<>&]*xml:lang="[\w-]+"[^<>&]*><voice name="(pt-BR-[A-Z][a-z]+Neural)">([^<>]*)<\/voice><\/speak>$/.exec(
      ssml,
    ) ?? []
  // XML has no control characters but tab and the ends of lines.
  const isBroken = /&(?!(?:amp|lt|gt|quot|apos);)/.test(inner ?? '') || /[^\t\r\n\P{Cc}]/u.test(inner ?? '')
  if (!voice || inner === undefined || isBroken) return undefined
  return { voice, text: inner.replace(/&(\w+);/g, (_, name: string) => entities[name]!) }
}
