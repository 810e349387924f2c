import { Trans, useLingui } from '@lingui/react/macro'
import { Check, Play, Plus } from 'lucide-react'
import { useState } from 'react'
import type { FlowNodeOf } from '../../schema/flows/flows.graph.ts'
import { errorText } from '../session/error-text.ts'
import { useConnectionState } from '../session/connection-state.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { fieldsOf, namesIn, requestOf } from './flow.call.ts'
import { type CallAnswer, flows } from './flows.queries.ts'

/** Makes the call with values of one's own, shows what came back, and keeps what is chosen of it. */
export default function TryCall({
  node,
  taken,
  onPick,
}: {
  node: FlowNodeOf<'http'>
  /** Paths that are kept already. */
  taken: readonly string[]
  onPick: (path: string, saveAs: string) => void
}) {
  const { t } = useLingui()
  const offline = useConnectionState() === 'offline'
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [busy, setBusy] = useState(false)
  const [answer, setAnswer] = useState<CallAnswer | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const names = namesIn(node.data)
  const run = async () => {
    const request = requestOf(node, values)
    if (!request) return
    setBusy(true)
    setProblem(null)
    setAnswer(null)
    try {
      setAnswer(await flows.call(request))
    } catch (error) {
      setProblem(errorText(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <section aria-label={t`Testar a chamada`} className="flex flex-col gap-2.5 rounded-md border p-2.5">
      <p className="text-sm font-medium">
        <Trans>Testar a chamada</Trans>
      </p>
      {names.map((name) => (
        <Field key={name} label={name}>
          <Input
            autoComplete="off"
            spellCheck={false}
            value={values[name] ?? ''}
            onChange={(event) => setValues({ ...values, [name]: event.target.value })}
          />
        </Field>
      ))}
      {node.data.method !== 'GET' && (
        <p className="text-xs text-muted-foreground">
          <Trans>A chamada é feita de verdade: o que ela muda no outro sistema fica mudado.</Trans>
        </p>
      )}
      <Button
        variant="outline"
        size="sm"
        className="self-start"
        busy={busy}
        disabled={offline || node.data.url.trim() === ''}
        onClick={() => void run()}
      >
        <Play />
        <Trans>Testar</Trans>
      </Button>
      <div role="status" className="flex flex-col gap-2 text-sm">
        {problem && <p className="text-destructive-soft-foreground">{problem}</p>}
        {answer && <Answer answer={answer} taken={taken} onPick={onPick} />}
      </div>
    </section>
  )
}

function Answer({
  answer,
  taken,
  onPick,
}: {
  answer: CallAnswer
  taken: readonly string[]
  onPick: (path: string, saveAs: string) => void
}) {
  const { t } = useLingui()
  const { ok, status, body } = answer
  if (!ok)
    return (
      <p className="text-destructive-soft-foreground">
        <Trans>Não houve resposta: o endereço não existe, demorou demais, respondeu demais ou falta um segredo.</Trans>
      </p>
    )
  const isGood = status >= 200 && status < 300
  const isText = typeof body === 'string'
  return (
    <>
      <p className="flex items-center gap-2">
        <Badge tone={isGood ? 'success' : 'warning'}>{status}</Badge>
        {isGood ? <Trans>segue por “Deu certo”</Trans> : <Trans>segue por “Falhou”</Trans>}
      </p>
      {isText && (
        <>
          <p className="text-xs text-warning-soft-foreground">
            <Trans>A resposta é texto, não JSON: só dá para guardar tudo.</Trans>
          </p>
          <pre className="max-h-40 overflow-auto rounded-md bg-muted p-2 text-xs wrap-anywhere whitespace-pre-wrap">
            {body.slice(0, 2_000)}
          </pre>
        </>
      )}
      <ul aria-label={t`Valores da resposta`} className="flex max-h-64 flex-col overflow-y-auto">
        {fieldsOf(body).map(({ path, value, name }) => {
          const isTaken = taken.includes(path)
          return (
            <li key={path}>
              <button
                type="button"
                disabled={isTaken}
                aria-label={t`Guardar ${path || t`tudo`}`}
                onClick={() => onPick(path, name)}
                className="focus-ring flex w-full items-center gap-2 rounded-md px-1.5 py-1 text-left text-xs hover:bg-accent disabled:opacity-60 touch:min-h-11 [&_svg]:size-3.5 [&_svg]:shrink-0"
              >
                {isTaken ? <Check aria-hidden="true" /> : <Plus aria-hidden="true" />}
                <span className="max-w-[55%] shrink-0 truncate font-mono">{path || t`tudo`}</span>
                <span className="min-w-0 flex-1 truncate text-muted-foreground">{value}</span>
              </button>
            </li>
          )
        })}
      </ul>
    </>
  )
}
