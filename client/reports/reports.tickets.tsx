import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { ListX } from 'lucide-react'
import { type FigureKey, figureOf } from '../../schema/reports/reports.figures.ts'
import type { ReportName } from '../../schema/reports/reports.inputs.ts'
import { dateText } from '../i18n/dates.ts'
import { useDirectory } from '../replica/directory.ts'
import { errorText } from '../session/error-text.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Sheet, SheetContent } from '../ui/sheet.tsx'
import { LoadingBlock } from '../ui/skeleton.tsx'
import type { Behind } from '../../schema/reports/reports.answers.ts'
import { type Report, useBehind } from './reports.queries.ts'
import { duration, useReportWords } from './reports.words.ts'

/** What a figure counted, beside the report: each opens its conversation. */
export default function TicketsPanel({
  report,
  asked,
  figure,
  row,
  shown,
  onClose,
}: {
  report: ReportName
  asked: Record<string, string>
  figure: FigureKey
  row: string | undefined
  /** The report as it is shown. */
  shown: Report | undefined
  onClose: () => void
}) {
  const words = useReportWords()
  const { data, error, loading, hasMore, loadMore, reload } = useBehind(report, asked, figure, row)
  const of = row === undefined ? undefined : (shown?.rows.find(({ key }) => key === row) ?? { key: row, name: null })
  const values = row === undefined ? shown?.total : shown?.rows.find(({ key }) => key === row)?.values
  const title = [words.label(figure), ...(of ? [words.row(report, of)] : [])].join(' · ')
  return (
    <Sheet open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <SheetContent title={title} className="w-[28rem]">
        <div className="flex flex-col gap-1 border-b px-4 py-3">
          <p className="text-2xl font-semibold tracking-tight tabular-nums">
            {words.value(figureOf(figure).unit, values?.[figure])}
          </p>
          <p className="text-sm text-muted-foreground">{words.means(figure)}</p>
        </div>
        <div className="min-h-0 flex-1 overflow-y-auto">
          {!data && error && !loading ? (
            <ErrorState onRetry={reload}>{errorText(error)}</ErrorState>
          ) : !data ? (
            <LoadingBlock />
          ) : data.length === 0 ? (
            <EmptyState icon={ListX} title={<Trans>Nenhum atendimento</Trans>} />
          ) : (
            <ul className="divide-y">
              {data.map((one) => (
                <li key={one.id}>
                  <Line one={one} figure={figure} />
                </li>
              ))}
            </ul>
          )}
          {hasMore && (
            <div className="flex justify-center p-3">
              <Button variant="outline" busy={loading} onClick={loadMore}>
                <Trans>Mostrar mais</Trans>
              </Button>
            </div>
          )}
        </div>
      </SheetContent>
    </Sheet>
  )
}

function Line({ one, figure }: { one: Behind; figure: FigureKey }) {
  const { i18n, t } = useLingui()
  const { users, queues } = useDirectory()
  const nameIn = (list: readonly { id: number; name: string }[], id: number | null) =>
    list.find((row) => row.id === id)?.name
  const { counting } = figureOf(figure)
  const { value } = one
  const places = [nameIn(queues.list, one.queueId), nameIn(users.list, one.userId)].filter(Boolean).join(' · ')
  const content = (
    <>
      <span className="flex items-baseline justify-between gap-3">
        <span className="min-w-0 truncate font-medium">{one.contact.name || t`Sem nome`}</span>
        <span className="shrink-0 text-xs text-muted-foreground tabular-nums">
          {one.at && dateText(i18n.locale, new Date(one.at), 'date', 'time')}
        </span>
      </span>
      <span className="flex items-baseline justify-between gap-3 text-xs text-muted-foreground">
        <span className="min-w-0 truncate">{places}</span>
        {value !== null && (
          <span className="shrink-0 tabular-nums">
            {'measure' in counting && counting.measure ? (
              duration(value)
            ) : counting.of === 'messages' ? (
              <Plural value={value} one="# mensagem" other="# mensagens" />
            ) : counting.of === 'services' && counting.at === 'ratedAt' ? (
              t`Nota ${value}`
            ) : null}
          </span>
        )}
      </span>
      {one.comment && <span className="text-sm wrap-anywhere">“{one.comment}”</span>}
    </>
  )
  return one.uuid ? (
    <Link
      to="/tickets/$uuid"
      params={{ uuid: one.uuid }}
      className="focus-ring flex flex-col gap-0.5 px-4 py-2.5 outline-offset-[-2px] hover:bg-accent/50"
    >
      {content}
    </Link>
  ) : (
    <div className="flex flex-col gap-0.5 px-4 py-2.5">{content}</div>
  )
}
