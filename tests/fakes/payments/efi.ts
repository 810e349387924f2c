import { Troubles } from '../bots/serve.ts'

interface Cob {
  txid: string
  status: 'ATIVA' | 'CONCLUIDA' | 'REMOVIDA_PELO_USUARIO_RECEBEDOR'
  valor: string
  chave: string
  criacao: string
  expiracao: number
  pix: { endToEndId: string; txid: string; valor: string; devolucoes?: { valor: string; status: string }[] }[]
}

/**
 * Efí as far as we speak to it: nobody without the certificate gets in, tokens come first, a txid is used once.
 * @param certificate of the only caller, and of the server itself: PEM
 */
export function fakeEfi({
  certificate,
  now,
  clientId = 'Client_Id_test',
  clientSecret = 'Client_Secret_test',
}: {
  certificate: { cert: string; key: string }
  now(): Date
  clientId?: string
  clientSecret?: string
}) {
  const cobs = new Map<string, Cob>()
  const tokens = new Set<string>()
  const hooks: { chave: string; webhookUrl: string }[] = []
  const calls: string[] = []
  const troubles = new Troubles()
  const problem = (nome: string, status: number) => Response.json({ nome, mensagem: nome }, { status })
  const shown = (cob: Cob) => ({
    txid: cob.txid,
    calendario: { criacao: cob.criacao, expiracao: cob.expiracao },
    loc: { id: 1 },
    status: cob.status,
    valor: { original: cob.valor },
    chave: cob.chave,
    pixCopiaECola: `00020101021226830014BR.GOV.BCB.PIX2561qrcodespix.test/${cob.txid}5204000053039865802BR6304ABCD`,
    ...(cob.pix.length > 0 && { pix: cob.pix }),
  })

  async function handle(request: Request): Promise<Response> {
    const path = new URL(request.url).pathname
    calls.push(`${request.method} ${path}`)
    const trouble = await troubles.take()
    if (trouble) return trouble
    if (path === '/oauth/token') {
      const right = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
      const { grant_type } = (await request.json()) as { grant_type?: string }
      if (request.headers.get('authorization') !== right || grant_type !== 'client_credentials')
        return Response.json(
          { error: 'invalid_client', error_description: 'Invalid or inactive credentials' },
          { status: 401 },
        )
      const token = crypto.randomUUID()
      tokens.add(token)
      return Response.json({ access_token: token, token_type: 'Bearer', expires_in: 3600, scope: 'cob.write cob.read' })
    }
    const bearer = request.headers.get('authorization')?.replace('Bearer ', '') ?? ''
    if (!tokens.has(bearer)) return problem('invalid_token', 401)
    const [, what, id = ''] = /^\/v2\/(cob|webhook)\/([^/]+)$/.exec(path) ?? []
    if (what === 'webhook' && request.method === 'PUT') {
      const { webhookUrl } = (await request.json()) as { webhookUrl: string }
      if (request.headers.get('x-skip-mtls-checking') !== 'true') return problem('webhook_invalido', 400)
      hooks.push({ chave: decodeURIComponent(id), webhookUrl })
      return Response.json({ webhookUrl }, { status: 201 })
    }
    if (what !== 'cob') return problem('nao_encontrado', 404)
    if (!/^[a-zA-Z0-9]{26,35}$/.test(id)) return problem('txid_invalido', 400)
    const known = cobs.get(id)
    if (request.method === 'GET') return known ? Response.json(shown(known)) : problem('cobranca_nao_encontrada', 404)
    if (request.method === 'PATCH') {
      if (!known) return problem('cobranca_nao_encontrada', 404)
      const { status } = (await request.json()) as { status?: string }
      if (status !== 'REMOVIDA_PELO_USUARIO_RECEBEDOR' || known.status !== 'ATIVA')
        return problem('status_cobranca_invalido', 400)
      known.status = status
      return Response.json(shown(known))
    }
    if (known) return problem('txid_duplicado', 409)
    const body = (await request.json()) as {
      calendario: { expiracao: number }
      valor: { original: string }
      chave: string
    }
    if (!/^\d{1,10}\.\d{2}$/.test(body.valor?.original) || !body.chave) return problem('valor_invalido', 400)
    const cob: Cob = {
      ...{ txid: id, status: 'ATIVA', valor: body.valor.original, chave: body.chave, pix: [] },
      ...{ criacao: now().toISOString(), expiracao: body.calendario.expiracao },
    }
    cobs.set(id, cob)
    return Response.json(shown(cob), { status: 201 })
  }

  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    tls: { ...certificate, ca: certificate.cert, requestCert: true, rejectUnauthorized: true },
    fetch: handle,
  })
  return {
    url: `https://127.0.0.1:${server.port}`,
    clientId,
    clientSecret,
    cobs,
    hooks,
    calls,
    troubles,
    /** Tokens are forgotten before their time. */
    forgetTokens: () => tokens.clear(),
    /** Somebody pays; what a webhook would then tell. */
    paid(txid: string, valor = cobs.get(txid)!.valor) {
      const cob = cobs.get(txid)!
      const pix = { endToEndId: `E${cobs.size}${cob.pix.length}`, txid, valor }
      cob.pix.push(pix)
      cob.status = 'CONCLUIDA'
      return { pix: [{ ...pix, chave: cob.chave, horario: now().toISOString() }] }
    },
    /** What was paid goes back, or was to; what a webhook would then tell. */
    returned(txid: string, status = 'DEVOLVIDO', valor?: string) {
      const { pix } = cobs.get(txid)!
      for (const one of pix) one.devolucoes = [{ valor: valor ?? one.valor, status }]
      return { pix }
    },
    stop: () => server.stop(true),
  }
}
