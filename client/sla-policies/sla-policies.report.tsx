import { Trans, useLingui } from '@lingui/react/macro'
import { hoursAndMinutes } from '../dashboard/dashboard.filter.queries.ts'
import { errorText } from '../session/error-text.ts'
import { Card, CardBody, CardHeader } from '../ui/card.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '../ui/table.tsx'
import { useKeptReport } from './sla-policies.queries.ts'
import { keptOf } from './sla-policies.kept.ts'
import { useSlaWords } from './sla-policies.words.ts'

/**
 * How many promises were kept in some days, by policy and promise. Nothing where none ended: a company that promises
 * nothing sees nothing.
 * @param days `YYYY-MM-DD`, both included
 */
export function SlaReport({ from, to }: { from: string; to: string }) {
  const { t, i18n } = useLingui()
  const { metrics } = useSlaWords()
  const { data, error, loading, reload } = useKeptReport({ from, to })
  const rows = data
  if (rows ? rows.length === 0 : !error || loading) return null
  const { met, all, share } = keptOf(rows ?? [])
  const percent = (part: number) => i18n.number(part, { style: 'percent', maximumFractionDigits: 1 })
  const time = (seconds: number | null) => hoursAndMinutes(seconds === null ? null : seconds / 60)
  const label = t`Prazos de atendimento`
  return (
    <Card className="min-w-0">
      <CardHeader
        title={label}
        description={
          <Trans>
            Prazos que terminaram nestes dias, ou venceram e ainda correm. O tempo conta só o horário de atendimento da
            política, até a resposta ou a resolução.
          </Trans>
        }
      />
      <CardBody className="flex flex-col gap-4">
        {!rows ? (
          <ErrorState onRetry={reload}>{error && errorText(error)}</ErrorState>
        ) : (
          <>
            <p className="flex flex-wrap items-baseline gap-x-2">
              <span className="text-2xl font-semibold tracking-tight tabular-nums">{percent(share)}</span>
              <span className="text-sm text-muted-foreground tabular-nums">
                <Trans>
                  no prazo, {met} de {all}
                </Trans>
              </span>
            </p>
            <div className="overflow-x-auto" tabIndex={0} role="group" aria-label={label}>
              <Table
                aria-label={label}
                className="max-sm:[&_td]:px-1.5 max-sm:[&_th]:px-1.5 max-sm:[&_th]:whitespace-normal"
              >
                <TableHead>
                  <TableRow>
                    <TableHeader>
                      <Trans>Política</Trans>
                    </TableHeader>
                    <TableHeader className="text-right">
                      <Trans>No prazo</Trans>
                    </TableHeader>
                    <TableHeader className="text-right">
                      <Trans>Fora do prazo</Trans>
                    </TableHeader>
                    <TableHeader className="text-right max-sm:hidden">
                      <Trans>Metade em até</Trans>
                    </TableHeader>
                    <TableHeader className="text-right max-sm:hidden">
                      <Trans>90% em até</Trans>
                    </TableHeader>
                  </TableRow>
                </TableHead>
                <TableBody>
                  {rows.map((row) => (
                    <TableRow key={`${row.policyId} ${row.metric}`}>
                      <TableCell className="wrap-anywhere">
                        <span className="font-medium">{row.name ?? t`Política excluída`}</span>
                        <span className="block text-xs text-muted-foreground">{metrics[row.metric]}</span>
                      </TableCell>
                      <TableCell className="text-right tabular-nums">
                        {i18n.number(row.met)}
                        <span className="block text-xs text-muted-foreground">{percent(keptOf([row]).share)}</span>
                      </TableCell>
                      <TableCell className="text-right tabular-nums">{i18n.number(row.breached)}</TableCell>
                      <TableCell className="text-right tabular-nums max-sm:hidden">{time(row.p50)}</TableCell>
                      <TableCell className="text-right tabular-nums max-sm:hidden">{time(row.p90)}</TableCell>
                    </TableRow>
                  ))}
                </TableBody>
              </Table>
            </div>
          </>
        )}
      </CardBody>
    </Card>
  )
}
