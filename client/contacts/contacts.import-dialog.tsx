import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Download, FileSpreadsheet, Upload } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import {
  type ImportedRow,
  type ImportProgress,
  MOST_ROWS,
  MOST_SHEET_BYTES,
  type RowOutcome,
} from '../../schema/contacts/contacts.sheet.ts'
import { useCallingCode } from '../session/company-country.ts'
import { ApiError } from '../session/api.ts'
import { errorText } from '../session/error-text.ts'
import { saveBlob } from '../kit/media.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { cn } from '../ui/cn.ts'
import { Dialog, DialogBody, DialogContent, DialogFooter } from '../ui/dialog.tsx'
import { Tabs, TabsList, TabsTrigger } from '../ui/tabs.tsx'
import { VirtualList } from '../ui/virtual-list.tsx'
import { csvFile } from './contacts.csv.ts'
import { countryOf, everyField, firstReading, ImportPreview, type SheetField } from './contacts.import-preview.tsx'
import { contacts, type RunImport } from './contacts.queries.ts'
import { tones, useReportWords } from './contacts.words.ts'

type Stage =
  | { at: 'choose'; error?: unknown }
  | { at: 'preview'; file: File; error?: unknown }
  | { at: 'working'; file: File; done: number; total: number }
  | { at: 'report'; rows: ImportedRow[]; total: number; ended: 'whole' | 'cancelled' | 'broken'; error?: unknown }

/**
 * Brings contacts out of a spreadsheet: choose the file, see how it is read and what it would change, watch (or
 * cancel), and see what became of each row.
 */
export default function ImportDialog({
  title,
  run,
  fields = everyField,
  onClose,
  onImported,
}: {
  /** Where it goes, if not to the contacts. */
  title?: string
  run?: RunImport
  /** What is kept of a row. */
  fields?: readonly SheetField[]
  onClose: () => void
  onImported: () => void
}) {
  const { t, i18n } = useLingui()
  const callingCode = useCallingCode()
  const [stage, setStage] = useState<Stage>({ at: 'choose' })
  const [reading, setReading] = useState(() => firstReading(callingCode))
  const cancel = useRef<AbortController | null>(null)
  useEffect(() => () => cancel.current?.abort(), [])

  const choose = (file: File) => {
    setReading({ ...reading, mapping: null })
    setStage(
      file.size > MOST_SHEET_BYTES
        ? { at: 'choose', error: new ApiError('ERR_FILE_TOO_LARGE', 413, { limit: MOST_SHEET_BYTES }) }
        : { at: 'preview', file },
    )
  }
  const start = async (file: File) => {
    const controller = new AbortController()
    cancel.current = controller
    const rows: ImportedRow[] = []
    let last: ImportProgress | null = null
    setStage({ at: 'working', file, done: 0, total: 0 })
    try {
      const options = { ...reading, country: countryOf(reading), dryRun: false }
      for await (const progress of (run ?? contacts.import)(file, options, controller.signal)) {
        last = progress
        rows.push(...progress.rows)
        setStage({ at: 'working', file, done: progress.done, total: progress.total })
      }
      setStage({ at: 'report', rows, total: last?.total ?? 0, ended: 'whole' })
    } catch (error) {
      // Before the first answer nothing was done.
      if (!last) setStage({ at: 'preview', file, ...(controller.signal.aborted ? {} : { error }) })
      else if (controller.signal.aborted) setStage({ at: 'report', rows, total: last.total, ended: 'cancelled' })
      else setStage({ at: 'report', rows, total: last.total, ended: 'broken', error })
    }
    if (last) onImported()
  }
  const sample = [
    [t`nome`, t`número`, t`e-mail`, t`cidade`],
    ['Ana Souza', '5511999990000', 'ana@exemplo.com', 'São Paulo'],
    ['Bruno Lima', '5521988880000', '', 'Niterói'],
  ]

  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent
        title={title ?? t`Importar contatos`}
        size={stage.at === 'report' || stage.at === 'preview' ? 'lg' : 'md'}
        // While it works, a slip of the hand must not end it: there is a button for that.
        onInteractOutside={(event) => stage.at === 'working' && event.preventDefault()}
        onEscapeKeyDown={(event) => stage.at === 'working' && event.preventDefault()}
      >
        {stage.at === 'choose' && (
          <>
            <DialogBody className="flex flex-col gap-4">
              <FilePicker onFile={choose} />
              {stage.error !== undefined && <ImportProblem error={stage.error} />}
            </DialogBody>
            <DialogFooter className="justify-between">
              <Button variant="ghost" onClick={() => saveBlob(csvFile(sample), t`contatos-exemplo.csv`)}>
                <Download />
                <Trans>Planilha de exemplo</Trans>
              </Button>
              <Button variant="outline" onClick={onClose}>
                <Trans>Fechar</Trans>
              </Button>
            </DialogFooter>
          </>
        )}
        {stage.at === 'preview' && (
          <ImportPreview
            {...{ reading, fields }}
            file={stage.file}
            problem={stage.error === undefined ? null : <ImportProblem error={stage.error} />}
            run={run ?? contacts.import}
            mayChange={!run}
            onReading={setReading}
            onUnreadable={(error) => setStage({ at: 'choose', error })}
            onBack={() => setStage({ at: 'choose' })}
            onImport={() => void start(stage.file)}
          />
        )}
        {stage.at === 'working' && (
          <>
            <DialogBody className="flex flex-col gap-3">
              <p className="truncate text-sm text-muted-foreground">{stage.file.name}</p>
              <Progress done={stage.done} total={stage.total} label={t`Importando contatos`} />
              <p className="text-sm text-muted-foreground tabular-nums" aria-live="polite">
                {stage.total === 0 ? (
                  <Trans>Lendo a planilha…</Trans>
                ) : (
                  <Trans>
                    {i18n.number(stage.done)} de <Plural value={stage.total} one="# linha" other="# linhas" />
                  </Trans>
                )}
              </p>
            </DialogBody>
            <DialogFooter>
              <Button variant="outline" onClick={() => cancel.current?.abort()}>
                <Trans>Cancelar</Trans>
              </Button>
            </DialogFooter>
          </>
        )}
        {stage.at === 'report' && <Report stage={stage} onClose={onClose} />}
      </DialogContent>
    </Dialog>
  )
}

function FilePicker({ onFile }: { onFile: (file: File) => void }) {
  const { t } = useLingui()
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const most = MOST_ROWS / 1_000
  return (
    <div
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        const file = event.dataTransfer.files[0]
        if (file) onFile(file)
      }}
      className={cn(
        'flex flex-col items-center gap-1 rounded-xl border border-dashed px-5 py-7 text-center',
        over ? 'border-primary bg-primary-soft' : 'border-input',
      )}
    >
      <FileSpreadsheet aria-hidden="true" className="mb-2 size-8 text-muted-foreground" strokeWidth={1.5} />
      <Button onClick={() => input.current?.click()}>
        <Upload />
        <Trans>Escolher planilha</Trans>
      </Button>
      <p className="mt-2 text-sm text-muted-foreground">
        <Trans>ou solte o arquivo aqui: .xlsx, .xls ou .csv, até 5 MB e {most} mil linhas</Trans>
      </p>
      <p className="text-xs text-muted-foreground">
        <Trans>Nada é gravado antes de você conferir as colunas.</Trans>
      </p>
      <input
        ref={input}
        type="file"
        accept=".xlsx,.xls,.csv,text/csv"
        className="sr-only"
        tabIndex={-1}
        aria-label={t`Planilha de contatos`}
        onChange={(event) => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (file) onFile(file)
        }}
      />
    </div>
  )
}

function ImportProblem({ error }: { error: unknown }) {
  return (
    <p role="alert" className="rounded-lg bg-destructive-soft px-3.5 py-2.5 text-sm text-destructive-soft-foreground">
      <ProblemText error={error} />
    </p>
  )
}

/** What is wrong with the file, in words. */
function ProblemText({ error }: { error: unknown }) {
  if (error instanceof ApiError) {
    if (error.code === 'ERR_FILE_TOO_LARGE')
      return <Trans>A planilha é grande demais: use até 5 MB e 50 mil linhas.</Trans>
    if (error.code === 'ERR_FILE_TYPE')
      return <Trans>Este arquivo não é uma planilha .xlsx, .xls ou .csv legível.</Trans>
    if (error.code === 'ERR_VALIDATION') return <Trans>Não há contatos nesta planilha.</Trans>
  }
  return <>{errorText(error)}</>
}

function Progress({ done, total, label }: { done: number; total: number; label: string }) {
  const share = total === 0 ? 0 : Math.round((done / total) * 100)
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={share}
      className="h-2 overflow-hidden rounded-full bg-secondary"
    >
      <div className="h-full rounded-full bg-primary transition-[width] duration-200" style={{ width: `${share}%` }} />
    </div>
  )
}

function Report({ stage, onClose }: { stage: Extract<Stage, { at: 'report' }>; onClose: () => void }) {
  const { t, i18n } = useLingui()
  const { outcomes, explain } = useReportWords()
  const { rows, ended, error } = stage
  const counts = Map.groupBy(rows, ({ outcome }) => outcome)
  const [filter, setFilter] = useState<RowOutcome | 'all'>('all')
  const shown = filter === 'all' ? rows : (counts.get(filter) ?? [])
  const save = () =>
    saveBlob(
      csvFile([
        [t`Linha`, t`Nome`, t`Número`, t`Resultado`, t`Detalhe`],
        ...rows.map((row) => [String(row.line), row.name, row.number, outcomes[row.outcome], explain(row)]),
      ]),
      'importacao-contatos.csv',
    )
  return (
    <>
      <DialogBody className="flex flex-col gap-3 overflow-hidden">
        <p role="status" className="text-sm">
          {ended === 'whole' && <Plural value={rows.length} one="# linha lida." other="# linhas lidas." />}
          {ended === 'cancelled' && (
            <Trans>Importação cancelada: o que já foi gravado permanece, o restante não foi lido.</Trans>
          )}
          {ended === 'broken' && (
            <span className="text-destructive-soft-foreground">
              <Trans>
                A importação parou no meio: {errorText(error)}. Importe o mesmo arquivo de novo para continuar.
              </Trans>
            </span>
          )}
        </p>
        <Tabs value={filter} onValueChange={(value) => setFilter(value as RowOutcome | 'all')}>
          <TabsList aria-label={t`Resultado`}>
            <TabsTrigger value="all">
              <Trans>Todas</Trans> <span className="tabular-nums">{i18n.number(rows.length)}</span>
            </TabsTrigger>
            {[...counts].map(([outcome, list]) => (
              <TabsTrigger key={outcome} value={outcome}>
                {outcomes[outcome]} <span className="tabular-nums">{i18n.number(list.length)}</span>
              </TabsTrigger>
            ))}
          </TabsList>
        </Tabs>
        <div className="h-[44dvh]">
          <VirtualList key={filter} focusable items={shown} itemKey={({ line }) => line} label={t`Linhas da planilha`}>
            {(row) => (
              <div className="flex items-center gap-3 border-b py-2 text-sm">
                <span className="w-9 shrink-0 text-right text-xs text-muted-foreground tabular-nums">{row.line}</span>
                <div className="min-w-0 flex-1">
                  <p className="truncate">{row.name || <span className="text-muted-foreground">{t`Sem nome`}</span>}</p>
                  <p className="text-xs text-muted-foreground tabular-nums">
                    {[row.number, explain(row)].filter(Boolean).join(' · ')}
                  </p>
                </div>
                <Badge tone={tones[row.outcome]} size="md">
                  {outcomes[row.outcome]}
                </Badge>
              </div>
            )}
          </VirtualList>
        </div>
      </DialogBody>
      <DialogFooter className="justify-between">
        <Button variant="outline" disabled={rows.length === 0} onClick={save}>
          <Download />
          <Trans>Baixar relatório</Trans>
        </Button>
        <Button onClick={onClose}>
          <Trans>Concluir</Trans>
        </Button>
      </DialogFooter>
    </>
  )
}
