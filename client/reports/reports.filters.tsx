import { Trans, useLingui } from '@lingui/react/macro'
import { ListFilter as FilterIcon } from 'lucide-react'
import { type ReportQuery, reportRanges } from '../../schema/reports/reports.inputs.ts'
import { daysOfRange } from '../../schema/reports/reports.range.ts'
import { fieldsOn, useFields } from '../custom-fields/custom-fields.rows.ts'
import { FieldTests } from '../custom-fields/custom-fields.tests.tsx'
import { useDirectory } from '../replica/directory.ts'
import { useToday } from '../session/company-day.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { MultiCombobox } from '../ui/combobox.tsx'
import { DateInput } from '../ui/date-input.tsx'
import { Field } from '../ui/field.tsx'
import { Popover, PopoverContent, PopoverTrigger } from '../ui/popover.tsx'
import { Select } from '../ui/select.tsx'
import { narrowingOf, queryOf, type ReportSearch } from './reports.search.ts'
import { useReportWords } from './reports.words.ts'

/** The period, and what a report is narrowed to. All of it stands in the address. */
export function ReportFilters({ search, onChange }: { search: ReportSearch; onChange: (query: ReportQuery) => void }) {
  const { t } = useLingui()
  const words = useReportWords()
  const today = useToday()
  const query = queryOf(search)
  const { from, to } = daysOfRange(query, today)
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Select
        aria-label={t`Período`}
        className="w-44"
        value={query.range}
        onChange={(range) => {
          const { from: _from, to: _to, ...rest } = query
          // Between two dates begins with the days that are shown.
          onChange({ ...rest, range, ...(range === 'custom' && { from, to }) })
        }}
        options={reportRanges.map((value) => ({ value, label: words.ranges[value] }))}
      />
      {query.range === 'custom' && (
        <div className="flex items-center gap-2 text-sm text-muted-foreground">
          <DateInput
            aria-label={t`Data inicial`}
            className="w-38"
            value={from}
            max={to}
            onChange={(day) => day && onChange({ ...query, from: day, to: day > to ? day : to })}
          />
          <Trans context="intervalo de datas">a</Trans>
          <DateInput
            aria-label={t`Data final`}
            className="w-38"
            value={to}
            min={from}
            onChange={(day) => day && onChange({ ...query, to: day, from: day < from ? day : from })}
          />
        </div>
      )}
      <Narrowing query={query} onChange={onChange} isOfCampaigns={search.report === 'campaigns'} />
    </div>
  )
}

function Narrowing({
  query,
  onChange,
  isOfCampaigns,
}: {
  query: ReportQuery
  onChange: (query: ReportQuery) => void
  /** Most people of a campaign have no ticket: only the connection is asked. */
  isOfCampaigns: boolean
}) {
  const { t } = useLingui()
  const { queues, tags, users, connections } = useDirectory()
  const fields = useFields()
  const count = narrowingOf(query)
  const options = (rows: readonly { id: number; name: string }[], none?: string) => [
    ...rows.map(({ id, name }) => ({ id: String(id), label: name })),
    ...(none ? [{ id: '0', label: none }] : []),
  ]
  const choose = (name: 'queueIds' | 'userIds' | 'tagIds' | 'whatsappIds') => (ids: string[]) => {
    const { [name]: _before, ...rest } = query
    onChange(ids.length > 0 ? { ...rest, [name]: ids.map(Number) } : rest)
  }
  const values = (ids: readonly number[] | undefined) => (ids ?? []).map(String)
  return (
    <Popover>
      <PopoverTrigger asChild>
        <Button variant="outline">
          <FilterIcon />
          <Trans>Filtros</Trans>
          {count > 0 && <Badge tone="solid">{count}</Badge>}
        </Button>
      </PopoverTrigger>
      <PopoverContent
        align="start"
        aria-label={t`Filtrar o relatório`}
        className="flex max-h-[min(36rem,85dvh)] w-80 flex-col gap-3 overflow-y-auto"
      >
        <Field label={t`Conexões`}>
          <MultiCombobox
            placeholder={t`Todas`}
            options={options(connections.list)}
            values={values(query.whatsappIds)}
            onChange={choose('whatsappIds')}
          />
        </Field>
        {!isOfCampaigns && (
          <>
            <Field label={t`Filas`}>
              <MultiCombobox
                placeholder={t`Todas`}
                options={options(queues.list, t`Sem fila`)}
                values={values(query.queueIds)}
                onChange={choose('queueIds')}
              />
            </Field>
            <Field label={t`Atendentes`}>
              <MultiCombobox
                placeholder={t`Todos`}
                options={options(users.list, t`Sem atendente`)}
                values={values(query.userIds)}
                onChange={choose('userIds')}
              />
            </Field>
            <Field label={t`Etiquetas`}>
              <MultiCombobox
                placeholder={t`Todas`}
                options={options(tags.list)}
                values={values(query.tagIds)}
                onChange={choose('tagIds')}
              />
            </Field>
            <FieldTests
              fields={[...fieldsOn(fields, 'ticket'), ...fieldsOn(fields, 'contact')]}
              value={query.fields ?? []}
              onChange={(tests) => {
                const { fields: _before, ...rest } = query
                onChange(tests.length > 0 ? { ...rest, fields: [...tests] } : rest)
              }}
            />
          </>
        )}
        <Button
          variant="outline"
          size="sm"
          className="self-start"
          disabled={count === 0}
          onClick={() => {
            const { range, from, to } = query
            onChange({ range, ...(from && { from }), ...(to && { to }) })
          }}
        >
          <Trans>Limpar</Trans>
        </Button>
      </PopoverContent>
    </Popover>
  )
}
