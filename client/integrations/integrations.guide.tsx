import { Trans } from '@lingui/react/macro'
import { ChevronRight } from 'lucide-react'

const event = `{
  "type": "message.received",
  "timestamp": "2026-11-22T12:00:00.000Z",
  "data": {
    "ticket": { "id": 7, "uuid": "0193b4a0-…" },
    "contact": { "id": 3, "name": "Maria", "number": "5511999990001", "email": "" },
    "message": { "id": "0193b4a1-…", "type": "text", "text": "Oi!", "mediaUrl": null },
    "connection": { "id": 1, "name": "Loja" },
    "queue": { "id": 2, "name": "Vendas" }
  }
}`
const answer = `{
  "messages": [
    { "text": "Olá! Em que posso ajudar?" },
    { "mediaUrl": "https://exemplo.com/cardapio.pdf" }
  ],
  "transferTo": { "queueId": 2, "userId": 5 },
  "stopBot": true,
  "variables": { "pedido": "123" }
}`

/** What a program is sent, and what it may answer. */
export function WebhookGuide() {
  return (
    <details className="group rounded-lg border">
      <summary className="focus-ring flex cursor-pointer items-center gap-2 rounded-lg px-3 py-2 text-sm font-medium select-none [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden="true" className="size-4 transition-transform group-open:rotate-90" />
        <Trans>O que é enviado e o que pode ser respondido</Trans>
      </summary>
      <div className="flex flex-col gap-3 px-3 pb-3 text-sm text-muted-foreground">
        <p>
          <Trans>
            Um POST com este JSON. Com um segredo, os cabeçalhos webhook-id, webhook-timestamp e webhook-signature
            seguem o padrão Standard Webhooks.
          </Trans>
        </p>
        <Code text={event} />
        <p>
          <Trans>
            Responda com status 2xx em até 15 segundos. Tudo na resposta é opcional; sem nada disso, nada é enviado.
          </Trans>
        </p>
        <Code text={answer} />
        <p>
          <Trans>
            Se falhar, o evento é enviado outra vez após 5 segundos, 5 e 30 minutos, 2, 5 e 10 horas; então a resposta
            já não vale. O status 410 diz que o programa não quer mais eventos.
          </Trans>
        </p>
      </div>
    </details>
  )
}

const Code = ({ text }: { text: string }) => (
  <pre className="overflow-x-auto rounded-md bg-muted px-3 py-2 font-mono text-xs text-foreground" tabIndex={0}>
    {text}
  </pre>
)
