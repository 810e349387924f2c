import { Trans, useLingui } from '@lingui/react/macro'
import { Bookmark, Download, Mail } from 'lucide-react'
import { Suspense, useState } from 'react'
import { type ReportFormat, reportFormats } from '../../schema/reports/reports.table.ts'
import { late } from '../base/late.tsx'
import { saveBlob } from '../kit/media.ts'
import { toastError } from '../session/failure.tsx'
import { useCan, useUser } from '../session/session.tsx'
import { Button } from '../ui/button.tsx'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '../ui/dropdown-menu.tsx'
import { reports, type ReportViewRow, useReportViews } from './reports.queries.ts'
import { queryOf, type ReportSearch } from './reports.search.ts'

const ViewDialog = late(() => import('./reports.view-dialog.tsx'))
const SchedulesDialog = late(() => import('./reports.schedules.tsx'))

const formatNames: Record<ReportFormat, string> = { csv: 'CSV', xlsx: 'Excel (XLSX)', pdf: 'PDF' }

/** Views, files and mails of the report that is shown. */
export function ReportMenus({
  search,
  asked,
  offline,
  onView,
}: {
  search: ReportSearch
  asked: Record<string, string>
  offline: boolean
  onView: (view: ReportViewRow) => void
}) {
  const { t } = useLingui()
  const mayExport = useCan('reports:export')
  const [open, setOpen] = useState<'view' | 'mail'>()
  return (
    <>
      <ViewsMenu offline={offline} onView={onView} onKeep={() => setOpen('view')} />
      {mayExport && (
        <>
          <ExportMenu search={search} asked={asked} offline={offline} />
          <Button
            variant="outline"
            size="icon"
            aria-label={t`Relatórios por e-mail`}
            disabled={offline}
            onClick={() => setOpen('mail')}
          >
            <Mail />
          </Button>
        </>
      )}
      <Suspense fallback={null}>
        {open === 'view' && (
          <ViewDialog report={search.report} query={queryOf(search)} onClose={() => setOpen(undefined)} />
        )}
        {open === 'mail' && (
          <SchedulesDialog report={search.report} query={queryOf(search)} onClose={() => setOpen(undefined)} />
        )}
      </Suspense>
    </>
  )
}

function ViewsMenu({
  offline,
  onView,
  onKeep,
}: {
  offline: boolean
  onView: (view: ReportViewRow) => void
  onKeep: () => void
}) {
  const { t } = useLingui()
  const user = useUser()
  const mayShare = useCan('reports:export')
  const { data } = useReportViews()
  const remove = async (view: ReportViewRow) => {
    try {
      await reports.removeView(view.id)
    } catch (error) {
      toastError(error)
    }
  }
  const views = data?.records ?? []
  const mine = views.filter((view) => (view.isShared ? mayShare : view.userId === user.id))
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="outline">
          <Bookmark />
          <Trans>Visões</Trans>
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        {views.map((view) => (
          <DropdownMenuItem key={view.id} onSelect={() => onView(view)}>
            {view.isShared ? t`${view.name} (de todos)` : view.name}
          </DropdownMenuItem>
        ))}
        {views.length > 0 && <DropdownMenuSeparator />}
        <DropdownMenuItem disabled={offline} onSelect={onKeep}>
          <Trans>Salvar esta visão</Trans>
        </DropdownMenuItem>
        {mine.length > 0 && (
          <>
            <DropdownMenuSeparator />
            <DropdownMenuLabel>
              <Trans>Excluir</Trans>
            </DropdownMenuLabel>
            {mine.map((view) => (
              <DropdownMenuItem
                key={view.id}
                disabled={offline}
                aria-label={t`Excluir a visão ${view.name}`}
                onSelect={() => void remove(view)}
              >
                {view.name}
              </DropdownMenuItem>
            ))}
          </>
        )}
      </DropdownMenuContent>
    </DropdownMenu>
  )
}

function ExportMenu({
  search: { report },
  asked,
  offline,
}: {
  search: ReportSearch
  asked: Record<string, string>
  offline: boolean
}) {
  const { i18n } = useLingui()
  const [busy, setBusy] = useState(false)
  const save = async (format: ReportFormat) => {
    setBusy(true)
    try {
      const file = await reports.file(report, asked, format, i18n.locale)
      saveBlob(file, `${report}-${asked['from']}-${asked['to']}.${format}`)
    } catch (error) {
      toastError(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="outline" busy={busy} disabled={offline}>
          <Download />
          <Trans>Exportar</Trans>
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        {reportFormats.map((format) => (
          <DropdownMenuItem key={format} onSelect={() => void save(format)}>
            {formatNames[format]}
          </DropdownMenuItem>
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  )
}
