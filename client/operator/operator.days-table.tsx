import { Trans, useLingui } from '@lingui/react/macro'
import { dueDay } from '../base/due-date.ts'
import { dateText } from '../i18n/dates.ts'
import { cn } from '../ui/cn.ts'
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '../ui/table.tsx'

/** Figures by day, the newest first; what was not counted on a day, which is null, is said to be so and is not a zero. */
export function DaysTable<Figure extends string>({
  rows,
  words,
  textOf,
  className,
}: {
  /** Of each its day, `YYYY-MM-DD`. */
  rows: ({ day: string } & Record<Figure, number | null>)[]
  /** The columns in their order, each with its heading. */
  words: Record<Figure, string>
  textOf: (figure: Figure, value: number) => string
  className: string
}) {
  const { t, i18n } = useLingui()
  const figures = Object.keys(words) as Figure[]
  return (
    <div
      className={cn('overflow-auto [&>div]:overflow-visible', className)}
      tabIndex={0}
      role="group"
      aria-label={t`Uso por dia`}
    >
      <Table aria-label={t`Uso por dia`}>
        <TableHead>
          <TableRow>
            <TableHeader>
              <Trans>Dia</Trans>
            </TableHeader>
            {figures.map((figure) => (
              <TableHeader key={figure} className="text-right">
                {words[figure]}
              </TableHeader>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.toReversed().map((row) => (
            <TableRow key={row.day}>
              <TableCell className="tabular-nums">{dateText(i18n.locale, dueDay(row.day), 'fullDate')}</TableCell>
              {figures.map((figure) => {
                const value: number | null = row[figure]
                return (
                  <TableCell key={figure} className="text-right tabular-nums">
                    {value === null ? (
                      <>
                        <span aria-hidden="true">—</span>
                        <span className="sr-only">{t`não foi contado`}</span>
                      </>
                    ) : (
                      textOf(figure, value)
                    )}
                  </TableCell>
                )
              })}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </div>
  )
}
