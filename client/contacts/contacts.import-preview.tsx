import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { ChevronDown, FileSpreadsheet } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import {
  columnLetter,
  type ImportedRow,
  type ImportMode,
  type ImportProgress,
  mappedColumns,
  readRow,
  rowOutcomes,
  type SheetMapping,
  type SheetPreview,
} from '../../schema/contacts/contacts.sheet.ts'
import { ApiError } from '../session/api.ts'
import { errorText } from '../session/error-text.ts'
import { phoneText } from '../kit/phone-text.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { DialogBody, DialogFooter } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Select } from '../ui/select.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { countryOptions } from './contacts.countries.ts'
import type { RunImport } from './contacts.queries.ts'
import { tones, useReportWords } from './contacts.words.ts'

/** What a column may be kept as. */
export type SheetField = 'name' | 'number' | 'email' | 'extra'
export const everyField: readonly SheetField[] = ['name', 'number', 'email', 'extra']

/** How the person wants the file read. */
interface Choices {
  /** Null until the file told how it seems to be meant. */
  mapping: SheetMapping | null
  /** A calling code, or `none`. */
  country: string
  mode: ImportMode
}
/** @param country of the company, by its calling code */
export const firstReading = (country: string): Choices => ({ mapping: null, country, mode: 'fill' })
export const countryOf = ({ country }: Choices): string => (country === 'none' ? '' : country)

/** So many people are shown as they will be. */
const SHOWN = 4
/** A change of mind may be followed by another. */
const PAUSE_MS = 300
const BUSY_MS = 1_000

interface DryRun {
  sheet: SheetPreview | null
  total: number
  counts: NonNullable<ImportProgress['counts']> | null
  problems: ImportedRow[]
  isCounting: boolean
  error: unknown
}

/** Reads the file without writing anything, again whenever it is to be read differently. */
function useDryRun(run: RunImport, file: File, choices: Choices, onUnreadable: (error: unknown) => void): DryRun {
  const [state, setState] = useState<DryRun>({
    ...{ sheet: null, total: 0, counts: null, problems: [] },
    ...{ isCounting: true, error: null },
  })
  const isUnsaid = choices.mapping !== null && choices.mapping.number === null
  const unreadable = useEffectEvent(onUnreadable)
  const read = useEffectEvent(async (signal: AbortSignal) => {
    const options = { ...choices, country: countryOf(choices), dryRun: true }
    const problems: ImportedRow[] = []
    let isKnown = state.sheet !== null
    for (let tries = 0; ; tries++) {
      try {
        for await (const { sheet, total, counts, rows } of run(file, options, signal)) {
          if (signal.aborted) return
          problems.push(...rows)
          isKnown = true
          setState((now) => ({
            ...{ sheet: sheet ?? now.sheet, total, counts: counts ?? now.counts, problems: [...problems] },
            ...{ isCounting: true, error: null },
          }))
        }
        setState((now) => ({ ...now, isCounting: false }))
        return
      } catch (error) {
        if (signal.aborted) return
        // What was asked before is still being read.
        if (error instanceof ApiError && error.code === 'ERR_TOO_MANY_REQUESTS' && tries < 8) {
          await new Promise((done) => setTimeout(done, BUSY_MS))
          if (signal.aborted) return
          continue
        }
        if (isKnown) setState((now) => ({ ...now, counts: null, isCounting: false, error }))
        else unreadable(error)
        return
      }
    }
  })
  const wish = JSON.stringify(choices)
  const begin = useEffectEvent((signal: AbortSignal) => setTimeout(() => void read(signal), state.sheet ? PAUSE_MS : 0))
  useEffect(() => {
    if (isUnsaid) {
      setState((now) => ({ ...now, counts: null, problems: [], isCounting: false, error: null }))
      return
    }
    const controller = new AbortController()
    setState((now) => ({ ...now, isCounting: true }))
    const timer = begin(controller.signal)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [file, wish, isUnsaid])
  return state
}

/** How the file is read, to look at and to change, and what would become of its rows. Nothing is written here. */
export function ImportPreview({
  file,
  run,
  reading,
  fields,
  mayChange,
  problem,
  onReading,
  onUnreadable,
  onBack,
  onImport,
}: {
  file: File
  run: RunImport
  reading: Choices
  fields: readonly SheetField[]
  /** Whether it is asked what happens to who is there already. */
  mayChange: boolean
  /** Why the import could not begin. */
  problem: ReactNode
  onReading: (reading: Choices) => void
  onUnreadable: (error: unknown) => void
  onBack: () => void
  onImport: () => void
}) {
  const { t, i18n } = useLingui()
  const dry = useDryRun(run, file, reading, onUnreadable)
  const { sheet, total, counts } = dry
  const mapping = reading.mapping ?? (sheet && fitting(sheet.mapping, fields))
  const change = (patch: Partial<Choices>) => onReading({ ...reading, ...patch })
  const toDo = counts && counts.created + counts.updated
  const lineCount = mapping ? Math.max(0, total + (sheet?.mapping.headerLine ?? 0) - mapping.headerLine) : total

  return (
    <>
      <DialogBody className="flex flex-col gap-5">
        <p className="flex items-center gap-2 text-sm text-muted-foreground">
          <FileSpreadsheet aria-hidden="true" className="size-4 shrink-0" />
          <span className="min-w-0 truncate">{file.name}</span>
          {sheet && (
            <span className="shrink-0 tabular-nums">
              · <Plural value={lineCount} one="# linha" other="# linhas" />
            </span>
          )}
        </p>
        {!sheet || !mapping ? (
          <Loading />
        ) : (
          <>
            <Columns {...{ sheet, mapping, fields }} onChange={(next) => change({ mapping: next })} />
            <People {...{ sheet, mapping }} country={countryOf(reading)} />
            <div className="grid gap-4 sm:grid-cols-2">
              <Field
                label={t`Números sem código do país`}
                hint={t`Um número com + na frente fica como está.`}
                className={mayChange ? '' : 'sm:col-span-2'}
              >
                <Select
                  value={reading.country}
                  onChange={(country) => change({ country })}
                  options={[...countryOptions(i18n.locale), { value: 'none', label: t`Manter como estão` }]}
                />
              </Field>
              {mayChange && (
                <Field label={t`Quando o número já está cadastrado`}>
                  <Select
                    value={reading.mode}
                    onChange={(mode) => change({ mode })}
                    options={[
                      { value: 'fill', label: t`Completar só o que está vazio` },
                      { value: 'replace', label: t`Usar os dados da planilha` },
                      { value: 'keep', label: t`Não alterar` },
                    ]}
                  />
                </Field>
              )}
            </div>
            <Outcome {...{ dry, mapping }} />
          </>
        )}
        {problem}
      </DialogBody>
      <DialogFooter className="justify-between">
        <Button variant="outline" onClick={onBack}>
          <Trans>Trocar arquivo</Trans>
        </Button>
        <Button disabled={!mapping || mapping.number === null || toDo === 0 || dry.error !== null} onClick={onImport}>
          {toDo === null || dry.isCounting ? (
            <Trans>Importar</Trans>
          ) : toDo === 0 ? (
            <Trans>Nada a importar</Trans>
          ) : (
            <Plural value={toDo} one="Importar # linha" other="Importar # linhas" />
          )}
        </Button>
      </DialogFooter>
    </>
  )
}

/** Without what is not kept of a row. */
const fitting = (mapping: SheetMapping, fields: readonly SheetField[]): SheetMapping => ({
  ...mapping,
  name: fields.includes('name') ? mapping.name : null,
  moreNames: fields.includes('name') ? (mapping.moreNames ?? []) : [],
  email: fields.includes('email') ? mapping.email : null,
  extra: fields.includes('extra') ? mapping.extra : [],
})

function Loading() {
  const { t } = useLingui()
  return (
    <div role="status" aria-label={t`Lendo a planilha…`} className="flex flex-col gap-3">
      {[0, 1, 2, 3].map((line) => (
        <Skeleton key={line} className="h-9 w-full" />
      ))}
    </div>
  )
}

/** The people at the top of the sheet as they will be. */
function People({ sheet, mapping, country }: { sheet: SheetPreview; mapping: SheetMapping; country: string }) {
  const { t } = useLingui()
  const { explain } = useReportWords()
  const columns = mappedColumns(sheet.lines[mapping.headerLine - 1] ?? [], mapping)
  if (!columns) return null
  const people = sheet.lines
    .flatMap((cells, index) =>
      index < mapping.headerLine || cells.every((cell) => !cell.trim())
        ? []
        : [{ line: index + 1, read: readRow(cells, columns, country) }],
    )
    .slice(0, SHOWN)
  return (
    <section aria-label={t`Como vai ficar`}>
      <h3 className="mb-1.5 text-sm font-medium">
        <Trans>Como vai ficar</Trans>
      </h3>
      {people.length === 0 ? (
        <p className="text-sm text-muted-foreground">
          <Trans>Não há nada abaixo dos nomes das colunas.</Trans>
        </p>
      ) : (
        <ul className="divide-y rounded-lg border">
          {people.map(({ line, read }) => (
            <li key={line} className="flex items-center gap-3 px-3 py-2 text-sm">
              <span className="w-6 shrink-0 text-right text-xs text-muted-foreground tabular-nums">{line}</span>
              {'contact' in read ? (
                <span className="min-w-0 flex-1">
                  <span className="block truncate font-medium" dir="auto">
                    {read.contact.name || read.contact.number}
                  </span>
                  <span className="block truncate text-xs text-muted-foreground tabular-nums">
                    {[
                      phoneText(read.contact.number),
                      read.contact.email,
                      ...read.contact.extra.map(({ name, value }) => `${name}: ${value}`),
                    ]
                      .filter(Boolean)
                      .join(' · ')}
                  </span>
                </span>
              ) : (
                <span className="min-w-0 flex-1 text-destructive-soft-foreground">
                  <span className="block truncate">{[read.name, read.number].filter(Boolean).join(' · ')}</span>
                  <span className="block text-xs">{explain(read)}</span>
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** What each column is kept as, and which line names them. */
function Columns({
  sheet,
  mapping,
  fields,
  onChange,
}: {
  sheet: SheetPreview
  mapping: SheetMapping
  fields: readonly SheetField[]
  onChange: (mapping: SheetMapping) => void
}) {
  const { t } = useLingui()
  const { lines } = sheet
  const header = lines[mapping.headerLine - 1] ?? []
  const people = lines.slice(mapping.headerLine)
  const width = Math.max(0, ...lines.map((cells) => cells.length))
  const labels: Record<SheetField | 'none', string> = {
    name: t`Nome`,
    number: t`Número`,
    email: t`E-mail`,
    extra: t`Informação adicional`,
    none: t`Não importar`,
  }
  const fieldOf = (column: number): SheetField | 'none' => {
    if (mapping.number === column || mapping.moreNumbers?.includes(column)) return 'number'
    if (mapping.name === column || mapping.moreNames?.includes(column)) return 'name'
    if (mapping.email === column) return 'email'
    return mapping.extra.includes(column) ? 'extra' : 'none'
  }
  const set = (column: number, field: SheetField | 'none') => {
    const without = (at: number | null) => (at === column ? null : at)
    // A column that is chosen is the only one; so the parts of an address book's name are not joined to another.
    const rest = (more: number[] | undefined, isChosen: boolean) =>
      isChosen ? [] : (more ?? []).filter((each) => each !== column)
    const moreNames = rest(mapping.moreNames, field === 'name')
    const moreNumbers = rest(mapping.moreNumbers, field === 'number')
    const isFirstName = mapping.name === column
    const isFirstNumber = mapping.number === column
    const next: SheetMapping = {
      ...mapping,
      name: isFirstName ? (moreNames.shift() ?? null) : mapping.name,
      moreNames,
      number: isFirstNumber ? (moreNumbers.shift() ?? null) : mapping.number,
      moreNumbers,
      email: without(mapping.email),
      extra: mapping.extra.filter((each) => each !== column),
    }
    if (field === 'extra') next.extra = [...next.extra, column].toSorted((a, b) => a - b)
    else if (field !== 'none') next[field] = column
    onChange(next)
  }
  const columns = Array.from({ length: width }, (_, column) => {
    const values = people.map((cells) => (cells[column] ?? '').trim()).filter(Boolean)
    return { column, name: (header[column] ?? '').trim(), values: values.slice(0, 3) }
  }).filter(({ name, values }) => name || values.length > 0)
  const short = (cells: readonly string[]) =>
    cells
      .map((cell) => cell.trim())
      .filter(Boolean)
      .join(' · ')
      .slice(0, 60)
  return (
    <section aria-label={t`Colunas da planilha`} className="flex flex-col gap-3">
      <Field label={t`Linha com os nomes das colunas`} hint={t`O que está acima dela fica de fora.`}>
        <Select
          value={String(mapping.headerLine)}
          onChange={(line) => onChange({ ...mapping, headerLine: Number(line) })}
          options={[
            { value: '0', label: t`Nenhuma: a primeira linha já é um contato` },
            ...lines.flatMap((cells, index) =>
              short(cells) ? [{ value: String(index + 1), label: `${index + 1}: ${short(cells)}` }] : [],
            ),
          ]}
        />
      </Field>
      <ul className="divide-y rounded-lg border">
        {columns.map(({ column, name, values }) => {
          const label = name || t`Coluna ${columnLetter(column)}`
          return (
            <li key={column} className="flex items-center gap-3 px-3 py-1.5">
              <div className="min-w-0 flex-1">
                <p className="truncate text-sm font-medium">{label}</p>
                <p className="truncate text-xs text-muted-foreground">{values.join(' · ') || t`Vazia`}</p>
              </div>
              <Select
                className="w-40 shrink-0 sm:w-52"
                aria-label={t`${label} é lida como`}
                value={fieldOf(column)}
                onChange={(field) => set(column, field)}
                options={([...fields, 'none'] as const).map((field) => ({ value: field, label: labels[field] }))}
              />
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** What would become of the rows. */
function Outcome({ dry, mapping }: { dry: DryRun; mapping: SheetMapping }) {
  const { t, i18n } = useLingui()
  const { outcomes, explain } = useReportWords()
  const { counts, problems, isCounting, error } = dry
  const words = { ...outcomes, created: t`Novos`, updated: t`Atualizados` }
  const shown = counts ? rowOutcomes.filter((outcome) => counts[outcome] > 0) : []
  const bad = counts ? counts.invalid + counts.duplicate : 0
  return (
    <section aria-label={t`O que será importado`} className="flex flex-col gap-2">
      <div role="status" aria-busy={isCounting} className="flex min-h-6 flex-wrap items-center gap-2 text-sm">
        {mapping.number === null ? (
          <span className="text-destructive-soft-foreground">
            <Trans>Diga qual coluna tem o número.</Trans>
          </span>
        ) : error ? (
          <span className="text-destructive-soft-foreground">{errorText(error)}</span>
        ) : (
          shown.map((outcome) => (
            <Badge key={outcome} tone={tones[outcome]} size="md">
              {words[outcome]} <span className="tabular-nums">{i18n.number(counts![outcome])}</span>
            </Badge>
          ))
        )}
        {isCounting && (
          <span className="flex items-center gap-2 text-muted-foreground">
            <Spinner className="size-4" />
            <Trans>Conferindo as linhas…</Trans>
          </span>
        )}
      </div>
      {problems.length > 0 && (
        <details className="group rounded-lg border text-sm">
          <summary className="flex cursor-pointer list-none items-center gap-2 px-3 py-2 focus-ring">
            <ChevronDown className="size-4 text-muted-foreground transition-transform group-open:rotate-180" />
            <Plural value={bad} one="# linha fica de fora" other="# linhas ficam de fora" />
          </summary>
          <ul className="max-h-48 divide-y overflow-y-auto border-t">
            {problems.map((row) => (
              <li key={row.line} className="flex gap-3 px-3 py-1.5">
                <span className="w-9 shrink-0 text-right text-xs leading-5 text-muted-foreground tabular-nums">
                  {row.line}
                </span>
                <span className="min-w-0 flex-1">
                  <span className="block truncate">{[row.name, row.number].filter(Boolean).join(' · ') || '—'}</span>
                  <span className="block text-xs text-muted-foreground">{explain(row)}</span>
                </span>
              </li>
            ))}
            {bad > problems.length && (
              <li className="px-3 py-1.5 text-xs text-muted-foreground">
                <Trans>E outras: o relatório da importação traz todas.</Trans>
              </li>
            )}
          </ul>
        </details>
      )}
    </section>
  )
}
