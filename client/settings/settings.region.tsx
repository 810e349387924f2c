import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { CompanyRegion } from '../../schema/companies/companies.inputs.ts'
import { companyLanguages } from '../../schema/companies/companies.table.ts'
import { api } from '../app/api.ts'
import { toastError } from '../app/error-text.ts'
import { useRows } from '../app/live-rows.ts'
import type { Rows } from '../app/rows.ts'
import { useUser } from '../app/session.tsx'
import { ZonePicker } from '../companies/companies.zone-picker.tsx'
import { localeNames } from '../i18n/locale.ts'
import { Select } from '../ui/select.tsx'
import { toast } from '../ui/toaster.tsx'
import { Row } from './settings.row.tsx'
import { useRegionWords } from './settings.words.ts'

const storedRegion = (companyId: number): Rows<CompanyRegion & { id: number }> => ({
  query: {
    sql: 'SELECT id, "timeZone", language FROM companies WHERE id = $1',
    params: [companyId],
    tables: ['companies'],
  },
  keyOf: ({ id }) => id,
})

/** By whose clock the company works, and in which language it is written for; saved as soon as it is chosen. */
export function RegionRows({ wanted, disabled }: { wanted: string | undefined; disabled: boolean }) {
  const { t } = useLingui()
  const { company } = useUser()
  const words = useRegionWords()
  const stored = useRows(storedRegion(company.id)).rows?.[0]
  /** What is on its way, until the row has it: shown at once, taken back when the server refuses it. */
  const [sent, setSent] = useState<{ over: typeof stored; change: Partial<CompanyRegion> }>()
  const shown = { ...stored, ...(sent?.over === stored && sent?.change) }
  const off = disabled || !stored
  const save = async (change: Partial<CompanyRegion>) => {
    setSent({ over: stored, change })
    try {
      await api.put(`/companies/${company.id}/region`, change)
      toast.success(t`Operação atualizada com sucesso.`)
    } catch (error) {
      setSent(undefined)
      toastError(error)
    }
  }
  return (
    <>
      <Row name="timeZone" isWanted={wanted === 'timeZone'} {...words.timeZone}>
        {(ids) => (
          <ZonePicker
            {...ids}
            disabled={off}
            value={shown.timeZone ?? null}
            onChange={(timeZone) => void save({ timeZone })}
          />
        )}
      </Row>
      <Row name="language" isWanted={wanted === 'language'} {...words.language}>
        {(ids) => (
          <Select
            {...ids}
            disabled={off}
            value={shown.language}
            onChange={(language) => void save({ language })}
            options={companyLanguages.map((value) => ({ value, label: localeNames[value] }))}
          />
        )}
      </Row>
    </>
  )
}
