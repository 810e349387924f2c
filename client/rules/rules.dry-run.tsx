import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { FlaskConical } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { dateText } from '../i18n/dates.ts'
import { errorText } from '../session/error-text.ts'
import { useConnectionState } from '../session/connection-state.ts'
import { Button } from '../ui/button.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { type DryRunAnswer, type RuleForm, rules } from './rules.queries.ts'
import { useRuleSentences } from './rules.sentences.ts'

/** So many tickets are shown before one asks for the others. */
const AT_FIRST = 8

type Answer = { asked: string; found: DryRunAnswer } | { asked: string; error: unknown }

/**
 * What a rule would have done in the last thirty days. What was asked about stands beside the answer: one to a rule that
 * was changed meanwhile is none any more.
 *
 * @param atOnce it is asked without a word, as before a rule goes live
 */
export function DryRun({ rule, isWhole, atOnce = false }: { rule: RuleForm; isWhole: boolean; atOnce?: boolean }) {
  const offline = useConnectionState() === 'offline'
  const [answer, setAnswer] = useState<Answer | null>(null)
  const [busy, setBusy] = useState(false)
  const running = useRef<AbortController | null>(null)
  const { trigger, minutes, byPeople, match, conditions } = rule
  const asked = JSON.stringify([trigger, minutes, byPeople, match, conditions])
  const run = async () => {
    running.current?.abort()
    const mine = (running.current = new AbortController())
    setBusy(true)
    try {
      const found = await rules.dryRun(rule, mine.signal)
      if (!mine.signal.aborted) setAnswer({ asked, found })
    } catch (error) {
      if (!mine.signal.aborted) setAnswer({ asked, error })
    }
    if (running.current === mine) setBusy(false)
  }
  const begin = useRef(run)
  useEffect(() => {
    if (atOnce) void begin.current()
    // Who leaves lets the server stop.
    return () => running.current?.abort()
  }, [atOnce])
  const isOfToday = answer?.asked === asked
  return (
    <div className="flex flex-col gap-3">
      {!atOnce && (
        <div className="flex flex-wrap items-center gap-3">
          <Button
            type="button"
            variant="outline"
            size="sm"
            disabled={busy || offline || !isWhole}
            onClick={() => void run()}
          >
            <FlaskConical />
            <Trans>Ensaiar com os últimos 30 dias</Trans>
          </Button>
          {!isWhole && (
            <span className="text-xs text-muted-foreground">
              <Trans>Complete a regra para ensaiar.</Trans>
            </span>
          )}
        </div>
      )}
      <div aria-live="polite" aria-busy={busy}>
        {busy ? (
          <p className="flex items-center gap-2 text-sm text-muted-foreground">
            <Spinner />
            <Trans>Procurando nos últimos 30 dias…</Trans>
          </p>
        ) : (
          answer &&
          isOfToday &&
          ('error' in answer ? (
            <p className="text-sm text-destructive">{errorText(answer.error)}</p>
          ) : (
            <Found answer={answer.found} />
          ))
        )}
      </div>
    </div>
  )
}

function Found({ answer }: { answer: DryRunAnswer }) {
  const { t, i18n } = useLingui()
  const { kinds } = useRuleSentences()
  const [all, setAll] = useState(false)
  const { matched, looked, tickets, hidden, isWhole, unknowable, since } = answer
  if (unknowable.includes('trigger'))
    return (
      <p className="text-sm text-muted-foreground">
        <Trans>Ainda não há registro de etiquetas que mudaram: não há com que ensaiar esta regra.</Trans>
      </p>
    )
  const acted = plural(matched, {
    0: 'Ela não teria agido em nenhum atendimento',
    one: 'Ela teria agido em # atendimento',
    other: 'Ela teria agido em # atendimentos',
  })
  const seen = plural(looked, { one: '# olhado', other: '# olhados' })
  const asIfNow = new Intl.ListFormat(i18n.locale).format(
    unknowable.map((kind) => kinds[kind as keyof typeof kinds] ?? kind),
  )
  const shown = all ? tickets : tickets.slice(0, AT_FIRST)
  return (
    <div className="flex flex-col gap-2 rounded-lg bg-muted p-3">
      <p className="text-sm font-medium tabular-nums">
        {acted} <span className="font-normal text-muted-foreground">({seen})</span>
      </p>
      {since !== null && (
        <p className="text-xs text-muted-foreground">
          <Trans>
            Mudanças de etiquetas têm registro desde {dateText(i18n.locale, new Date(since), 'moment')}: o que houve
            antes não foi olhado.
          </Trans>
        </p>
      )}
      {!isWhole && (
        <p className="text-xs text-warning-soft-foreground">
          <Trans>Há atendimentos demais para olhar todos: o número é de uma parte deles.</Trans>
        </p>
      )}
      {unknowable.length > 0 && (
        <p className="text-xs text-muted-foreground">
          <Trans>Sem registro de como era antes, vale como está hoje: {asIfNow}.</Trans>
        </p>
      )}
      {shown.length > 0 && (
        <ul className="flex flex-col" aria-label={t`Atendimentos em que teria agido`}>
          {shown.map(({ id, uuid, name, at }) => (
            <li key={id} className="flex items-baseline gap-2 text-sm">
              <a
                // Beside the form: what is being written stays.
                href={`/tickets/${uuid}`}
                target="_blank"
                rel="noreferrer"
                className="focus-ring min-w-0 truncate rounded-sm text-primary-soft-foreground underline-offset-4 hover:underline touch:min-h-9"
              >
                {t`nº ${id}`} {name}
              </a>
              <time dateTime={at} className="ml-auto shrink-0 text-xs text-muted-foreground tabular-nums">
                {dateText(i18n.locale, new Date(at), 'moment')}
              </time>
            </li>
          ))}
        </ul>
      )}
      {tickets.length > shown.length && (
        <Button type="button" variant="ghost" size="sm" className="self-start" onClick={() => setAll(true)}>
          <Trans>Mostrar todos</Trans>
        </Button>
      )}
      {(hidden > 0 || (all && matched > tickets.length + hidden)) && (
        <p className="text-xs text-muted-foreground tabular-nums">
          <Trans>São listados os mais recentes que você pode ver.</Trans>
        </p>
      )}
    </div>
  )
}
