import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { type FigureKey, figureOf } from '../../schema/reports/reports.figures.ts'
import { Card, CardBody, CardHeader } from '../ui/card.tsx'
import { cn } from '../ui/cn.ts'
import { Select } from '../ui/select.tsx'
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '../ui/table.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import type { Values } from '../../schema/reports/reports.answers.ts'
import type { Report } from './reports.queries.ts'
import { useReportWords } from './reports.words.ts'

/** Opens the tickets that a figure counted: of a row, or of all. */
export type OpenFigure = (figure: FigureKey, row?: string) => void

interface Props {
  report: Report
  open: OpenFigure
}

/** A figure that opens what it counted; nothing to open where nothing was. */
function FigureButton({
  figure,
  values,
  about,
  onOpen,
  className,
}: {
  figure: FigureKey
  values: Values
  /** Of what it is, for screen readers. */
  about: string
  onOpen: () => void
  className?: string | undefined
}) {
  const { t } = useLingui()
  const words = useReportWords()
  const value = values[figure]
  const text = words.value(figureOf(figure).unit, value)
  const label = words.label(figure)
  if (!value) return <span className={cn('text-muted-foreground tabular-nums', className)}>{text}</span>
  return (
    <button
      type="button"
      onClick={onOpen}
      aria-label={t`${label}, ${about}: ${text}. Abrir os atendimentos`}
      className={cn(
        'focus-ring cursor-pointer rounded-sm underline decoration-border decoration-dotted underline-offset-4 tabular-nums hover:decoration-foreground print:no-underline',
        className,
      )}
    >
      {text}
    </button>
  )
}

/** Beside a time by the clock stands the same in business hours. */
const inHours: Partial<Record<FigureKey, FigureKey>> = {
  ...{ answerP50: 'answerOpenP50', answerP90: 'answerOpenP90', closeP50: 'closeOpenP50', closeP90: 'closeOpenP90' },
  ...{ tookClockP50: 'tookP50', tookClockP90: 'tookP90' },
}

/** All rows together, the figure with its meaning beside it. */
export function FigureCards({ report: { figures, total }, open }: Props) {
  const { t } = useLingui()
  const words = useReportWords()
  const beside = new Set(Object.values(inHours))
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-4 2xl:grid-cols-6 print:grid-cols-4">
      {figures
        .filter(({ key }) => !beside.has(key))
        .map(({ key }) => (
          <div
            key={key}
            className="flex flex-col gap-1 rounded-xl border bg-card px-4 py-3 shadow-xs print:break-inside-avoid"
          >
            <dt className="text-xs font-medium text-muted-foreground">
              <Tooltip content={words.means(key)}>
                <span>{words.label(key)}</span>
              </Tooltip>
            </dt>
            <dd className="text-2xl font-semibold tracking-tight">
              <FigureButton figure={key} values={total} about={t`no total`} onOpen={() => open(key)} />
            </dd>
            {inHours[key] && (
              <dd className="text-xs text-muted-foreground">
                <FigureButton
                  figure={inHours[key]}
                  values={total}
                  about={t`no total`}
                  onOpen={() => open(inHours[key]!)}
                  className="font-medium text-foreground"
                />{' '}
                <Trans>no horário de atendimento</Trans>
              </dd>
            )}
          </div>
        ))}
    </dl>
  )
}

/** Each row with all figures. On a small screen it is wider than that, and is moved by keys, too. */
export function ReportTable({ report: { report, figures, rows, total, hasMore }, open }: Props) {
  const { t } = useLingui()
  const words = useReportWords()
  const label = words.reports[report]
  return (
    <>
      <div
        className="overflow-x-auto print:overflow-visible [&>div]:overflow-visible"
        tabIndex={0}
        role="group"
        aria-label={label}
      >
        <Table aria-label={label} className="print:text-[8pt]">
          <TableHead>
            <TableRow>
              <TableHeader className="sticky left-0 bg-card align-bottom">{words.rows[report]}</TableHeader>
              {figures.map(({ key }) => (
                <TableHeader key={key} className="text-right align-bottom whitespace-normal">
                  <Tooltip content={words.means(key)}>
                    <span>{words.label(key)}</span>
                  </Tooltip>
                </TableHeader>
              ))}
            </TableRow>
          </TableHead>
          <TableBody>
            {rows.map((row) => {
              const name = words.row(report, row)
              return (
                <TableRow key={row.key}>
                  <TableHeader
                    scope="row"
                    className="sticky left-0 h-11 max-w-52 truncate bg-card text-left text-sm font-medium"
                  >
                    {name}
                  </TableHeader>
                  {figures.map(({ key }) => (
                    <TableCell key={key} className="text-right">
                      <FigureButton figure={key} values={row.values} about={name} onOpen={() => open(key, row.key)} />
                    </TableCell>
                  ))}
                </TableRow>
              )
            })}
            <TableRow>
              <TableHeader scope="row" className="sticky left-0 h-11 bg-card text-left text-sm font-semibold">
                <Trans>Total</Trans>
              </TableHeader>
              {figures.map(({ key }) => (
                <TableCell key={key} className="text-right font-semibold">
                  <FigureButton figure={key} values={total} about={t`no total`} onOpen={() => open(key)} />
                </TableCell>
              ))}
            </TableRow>
          </TableBody>
        </Table>
      </div>
      {hasMore && (
        <p className="px-5 py-3 text-xs text-muted-foreground">
          <Trans>Só as primeiras linhas são mostradas; o total é de todas.</Trans>
        </p>
      )}
    </>
  )
}

/** So many bars are drawn. */
const MOST_BARS = 12

/** One figure of each row as a bar with its value beside it; the same stands in the table below. */
export function RowBars({ report: { report, figures, rows }, open }: Props) {
  const { t } = useLingui()
  const words = useReportWords()
  const [chosen, setChosen] = useState<FigureKey>()
  const figure = figures.find(({ key }) => key === chosen)?.key ?? figures[0]!.key
  const shown = rows
    .filter(({ values }) => (values[figure] ?? 0) > 0)
    .toSorted((a, b) => (b.values[figure] ?? 0) - (a.values[figure] ?? 0))
    .slice(0, MOST_BARS)
  const most = Math.max(...shown.map(({ values }) => values[figure] ?? 0), 1)
  return (
    <Card className="min-w-0 print:break-inside-avoid">
      <CardHeader
        title={words.label(figure)}
        description={words.means(figure)}
        actions={<FigureSelect figures={figures} value={figure} onChange={setChosen} />}
        className="max-sm:flex-col max-sm:items-stretch"
      />
      <CardBody>
        {shown.length === 0 ? (
          <p className="text-sm text-muted-foreground">
            <Trans>Nada foi contado.</Trans>
          </p>
        ) : (
          <ul className="flex flex-col gap-1.5" aria-label={t`${words.label(figure)} por linha`}>
            {shown.map((row) => {
              const name = words.row(report, row)
              return (
                <li
                  key={row.key}
                  className="grid grid-cols-[minmax(0,8rem)_1fr_auto] items-center gap-3 text-sm sm:grid-cols-[minmax(0,14rem)_1fr_auto]"
                >
                  <span className="truncate">{name}</span>
                  <span aria-hidden="true" className="h-5 overflow-hidden rounded-sm bg-muted print:border">
                    <span
                      className="block h-full rounded-sm bg-primary print:bg-foreground"
                      style={{ width: `${Math.max(1, ((row.values[figure] ?? 0) / most) * 100)}%` }}
                    />
                  </span>
                  <FigureButton
                    figure={figure}
                    values={row.values}
                    about={name}
                    onOpen={() => open(figure, row.key)}
                    className="min-w-12 text-right"
                  />
                </li>
              )
            })}
          </ul>
        )}
      </CardBody>
    </Card>
  )
}

function FigureSelect({
  figures,
  value,
  onChange,
}: {
  figures: Report['figures']
  value: FigureKey
  onChange: (figure: FigureKey) => void
}) {
  const { t } = useLingui()
  const words = useReportWords()
  return (
    <Select
      aria-label={t`Número mostrado`}
      className="w-full sm:w-56 print:hidden"
      value={value}
      onChange={onChange}
      options={figures.map(({ key }) => ({ value: key, label: words.label(key) }))}
    />
  )
}

const days = [0, 1, 2, 3, 4, 5, 6]
const hours = Array.from({ length: 24 }, (_, hour) => hour)

/** The week by its hours: each cell says its number, and is the darker the more there is. */
export function HeatMap({ report: { figures, rows }, open }: Props) {
  const { t } = useLingui()
  const words = useReportWords()
  const [chosen, setChosen] = useState<FigureKey>()
  const figure = figures.find(({ key }) => key === chosen)?.key ?? figures[0]!.key
  const byKey = new Map(rows.map(({ key, values }) => [Number(key), values]))
  const most = Math.max(...rows.map(({ values }) => values[figure] ?? 0), 1)
  const label = words.label(figure)
  return (
    <Card className="min-w-0">
      <CardHeader
        title={label}
        description={words.means(figure)}
        actions={<FigureSelect figures={figures} value={figure} onChange={setChosen} />}
        className="max-sm:flex-col max-sm:items-stretch"
      />
      <div className="overflow-x-auto px-5 pb-5 print:overflow-visible" tabIndex={0} role="group" aria-label={label}>
        <table
          aria-label={label}
          className="w-full min-w-3xl table-fixed border-separate border-spacing-0.5 text-xs print:min-w-0 print:text-[7pt]"
        >
          <thead>
            <tr>
              <th scope="col" className="w-10 text-left font-normal text-muted-foreground">
                {t`Dia`}
              </th>
              {hours.map((hour) => (
                <th key={hour} scope="col" className="font-normal text-muted-foreground tabular-nums">
                  <span aria-hidden="true">{hour}</span>
                  <span className="sr-only">{words.hour(hour)}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map((day) => (
              <tr key={day}>
                <th scope="row" className="pr-2 text-left font-medium whitespace-nowrap">
                  {words.weekday(day)}
                </th>
                {hours.map((hour) => {
                  const key = day * 24 + hour
                  const values = byKey.get(key) ?? { [figure]: 0 }
                  const share = (values[figure] ?? 0) / most
                  return (
                    <td
                      key={hour}
                      className="h-8 rounded-sm p-0 text-center"
                      style={{
                        background: `color-mix(in oklab, var(--primary) ${Math.round(share * 45)}%, var(--muted))`,
                      }}
                    >
                      <FigureButton
                        figure={figure}
                        values={values}
                        about={words.row('hours', { key: String(key), name: null })}
                        onOpen={() => open(figure, String(key))}
                        className="block size-full leading-8 no-underline"
                      />
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  )
}

/** What each figure counts, in words. */
export function Meanings({ report: { figures } }: { report: Report }) {
  const words = useReportWords()
  return (
    <Card className="min-w-0">
      <CardHeader title={<Trans>O que cada número conta</Trans>} />
      <CardBody>
        <dl className="grid gap-x-8 gap-y-3 text-sm sm:grid-cols-2">
          {figures.map(({ key }) => (
            <div key={key} className="print:break-inside-avoid">
              <dt className="font-medium">{words.label(key)}</dt>
              <dd className="text-muted-foreground">{words.means(key)}</dd>
            </div>
          ))}
        </dl>
      </CardBody>
    </Card>
  )
}
