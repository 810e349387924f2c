import { Trans, useLingui } from '@lingui/react/macro'
import { useId, useRef } from 'react'
import type { ReactNode } from 'react'
import { Field } from '../ui/field.tsx'
import { InsertMenu } from '../ui/insert-menu.tsx'
import { withInserted } from '../ui/insert-text.ts'
import { Textarea } from '../ui/textarea.tsx'
import { useFieldVariables, useVariableNames } from './placeholders.text.tsx'
import { type SampleContact, useSampleFill } from './placeholders.values.ts'

const offered = ['firstName', 'name', 'ms', 'protocol', 'hora', 'user', 'company'] as const

/** A text that is sent later, or again and again: with variables to put in, and how it reads once they are filled in. */
export function TemplateField({
  label,
  value,
  onChange,
  onBlur,
  contact,
  error,
  rows,
  maxRows,
  maxLength,
  autoFocus = false,
  inputRef,
}: {
  label: ReactNode
  value: string
  onChange: (value: string) => void
  onBlur?: () => void
  /** Who gets it, where that is settled; otherwise somebody is made up. */
  contact: SampleContact | null
  error?: ReactNode
  rows: number
  maxRows: number
  maxLength?: number
  autoFocus?: boolean
  inputRef?: (element: HTMLTextAreaElement | null) => void
}) {
  const { t } = useLingui()
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const fill = useSampleFill(contact)
  const names = useVariableNames()
  const own = useFieldVariables()
  return (
    <div className="relative">
      <Field label={label} required error={error}>
        <Textarea
          autoFocus={autoFocus}
          ref={(element) => {
            field.current = element
            inputRef?.(element)
          }}
          rows={rows}
          maxRows={maxRows}
          maxLength={maxLength}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onBlur={onBlur}
        />
      </Field>
      <InsertMenu
        label={t`Inserir variável`}
        parts={[
          { label: <Trans>Preenchida no envio</Trans>, names: offered.map((key) => [key, names[key]] as const) },
          ...(own.length > 0 ? [{ label: <Trans>Campos próprios</Trans>, names: own }] : []),
        ]}
        field={field}
        onPick={(name) => onChange(withInserted(field.current, value, `{{${name}}}`))}
      />
      {value.includes('{{') && (
        <section aria-labelledby={id} className="mt-2">
          <h3 id={id} className="mb-1 text-xs text-muted-foreground">
            <Trans>Como o contato lê</Trans>
          </h3>
          <p
            dir="auto"
            className="max-h-40 overflow-y-auto rounded-xl rounded-br-sm bg-bubble-out px-2.5 py-1.5 text-[0.8125rem] leading-[1.45] wrap-anywhere whitespace-pre-wrap"
          >
            {fill(value)}
          </p>
        </section>
      )}
    </div>
  )
}
