import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { CompanyRegion } from '../../schema/companies/companies.inputs.ts'
import { languages } from '../../schema/languages.ts'
import { api } from '../session/api.ts'
import { toastError } from '../session/failure.tsx'
import { refreshUser, useUser } from '../session/session.tsx'
import { ZonePicker } from '../companies/companies.zone-picker.tsx'
import { countryOptions } from '../contacts/contacts.countries.ts'
import { localeNames } from '../i18n/locale.ts'
import { Select } from '../ui/select.tsx'
import { toast } from '../ui/toaster.tsx'
import { Row } from './settings.row.tsx'
import { useRegionWords } from './settings.words.ts'

/** By whose clock the company works, and in which language it is written for; saved as soon as it is chosen. */
export function RegionRows({ wanted, disabled }: { wanted: string | undefined; disabled: boolean }) {
  const { t, i18n } = useLingui()
  const { company } = useUser()
  const words = useRegionWords()
  /** What is on its way: shown at once, taken back when the server refuses it. */
  const [sent, setSent] = useState<Partial<CompanyRegion>>({})
  const shown = { timeZone: company.timeZone, language: company.language, callingCode: company.callingCode, ...sent }
  const save = async (change: Partial<CompanyRegion>) => {
    setSent(change)
    try {
      await api.put(`/companies/${company.id}/region`, change)
      toast.success(t`Operação atualizada com sucesso.`)
      await refreshUser()
    } catch (error) {
      toastError(error)
    }
    setSent({})
  }
  return (
    <>
      <Row name="timeZone" isWanted={wanted === 'timeZone'} {...words.timeZone}>
        {(ids) => (
          <ZonePicker
            {...ids}
            disabled={disabled}
            value={shown.timeZone ?? null}
            onChange={(timeZone) => void save({ timeZone })}
          />
        )}
      </Row>
      <Row name="language" isWanted={wanted === 'language'} {...words.language}>
        {(ids) => (
          <Select
            {...ids}
            disabled={disabled}
            value={shown.language}
            onChange={(language) => void save({ language })}
            options={languages.map((value) => ({ value, label: localeNames[value] }))}
          />
        )}
      </Row>
      <Row name="callingCode" isWanted={wanted === 'callingCode'} {...words.callingCode}>
        {(ids) => (
          <Select
            {...ids}
            disabled={disabled}
            value={shown.callingCode}
            onChange={(callingCode) => void save({ callingCode })}
            options={countryOptions(i18n.locale)}
          />
        )}
      </Row>
    </>
  )
}
