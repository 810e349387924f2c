import { Trans, useLingui } from '@lingui/react/macro'
import { useId, useRef } from 'react'
import { templateBounds } from '../../schema/templates/templates.inputs.ts'
import {
  fileKindOf,
  isHeaderFile,
  slotsOf,
  type TemplateFileKind,
  type TemplateParts,
  type TemplateValues,
} from '../../schema/templates/templates.parts.ts'
import { stopOf } from '../../schema/templates/templates.state.ts'
import { FileField, type OwnFileState } from '../kit/file-field.tsx'
import { Combobox } from '../ui/combobox.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { InsertMenu } from '../ui/insert-menu.tsx'
import { withInserted } from '../ui/insert-text.ts'
import { Notice } from '../ui/notice.tsx'
import { TemplatePreview } from './templates.preview.tsx'
import type { TemplateRow } from './templates.rows.ts'
import { useTemplateWords } from './templates.words.ts'

/** What can be put into a value: a text, and what it is called. */
export interface Insertable {
  label: string
  names: readonly (readonly [text: string, name: string])[]
}

/** As an input of the browser has it. */
export const headerAccepts: Record<TemplateFileKind, string> = {
  image: '.png,.jpg,.jpeg,image/png,image/jpeg',
  video: '.mp4,.3gp,video/mp4,video/3gpp',
  document: '.pdf,application/pdf',
}

/** Whether a template wants a file that is not there. */
export const lacksFile = (parts: TemplateParts, { chosen, keptName }: OwnFileState): boolean =>
  fileKindOf(parts) !== null && chosen === null && keptName === null

/** One of a connection's templates, what its variables say, and how it reads. */
export function TemplateChoice({
  templates,
  chosen,
  values,
  onChoose,
  onValues,
  shown,
  insertable,
  error,
  missing = [],
  file,
  isTried = false,
  isFixed = false,
  autoFocus = false,
}: {
  templates: readonly TemplateRow[]
  chosen: TemplateRow | undefined
  values: TemplateValues
  onChoose: (template: TemplateRow | undefined) => void
  onValues: (values: TemplateValues) => void
  /** A value as it will be read. */
  shown: (value: string) => string
  insertable: Insertable
  error?: string | undefined
  /** Keys of variables without a value. */
  missing?: readonly string[]
  /** The file of the message, for templates whose header is one; whoever asks for it elsewhere leaves it out. */
  file?: OwnFileState
  /** Somebody tried to save it: what is missing is shown. */
  isTried?: boolean
  /** It can be neither chosen nor taken off. */
  isFixed?: boolean
  autoFocus?: boolean
}) {
  const { t } = useLingui()
  const words = useTemplateWords()
  const heading = useId()
  const slots = chosen ? slotsOf(chosen.parts) : []
  const stop = chosen && stopOf(chosen)
  const wanted = chosen && file ? fileKindOf(chosen.parts) : null
  const missingFile =
    chosen && file && lacksFile(chosen.parts, file) ? t`Escolha o arquivo que o modelo pede` : undefined
  const read = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, shown(value)]))
  return (
    <>
      <Field label={<Trans>Modelo</Trans>} required error={error}>
        <Combobox
          autoFocus={autoFocus}
          value={chosen ? String(chosen.id) : null}
          onChange={(id) => onChoose(templates.find((template) => String(template.id) === id))}
          placeholder={t`Escolha um modelo`}
          searchPlaceholder={t`Buscar pelo nome ou pelo texto`}
          empty={<Trans>Nenhum modelo encontrado</Trans>}
          options={templates.map((template) => ({
            id: String(template.id),
            label: `${template.name} · ${words.language(template.language)}`,
            keywords: template.parts.body,
            line: (
              <span className="truncate">
                {template.name} <span className="text-muted-foreground">· {words.language(template.language)}</span>
              </span>
            ),
            content: (
              <span className="flex min-w-0 flex-col">
                <span className="truncate">
                  {template.name} <span className="text-muted-foreground">· {words.language(template.language)}</span>
                </span>
                <span className="truncate text-xs text-muted-foreground">{template.parts.body}</span>
              </span>
            ),
          }))}
        />
      </Field>
      {stop && <Notice>{words.stop(stop)}</Notice>}
      {wanted && file && (
        <Field
          label={words.header(wanted)}
          required
          error={missing.length > 0 || error !== undefined || isTried ? missingFile : undefined}
        >
          <FileField
            kind={wanted === 'image' ? 'image' : 'file'}
            file={file}
            testId="template-file"
            accept={headerAccepts[wanted]}
            refuse={({ type }) => (isHeaderFile(wanted, type) ? null : words.refused(wanted))}
            disabled={isFixed}
            fixed={isFixed}
            beside={<span className="text-xs text-muted-foreground">{words.refused(wanted)}</span>}
          />
        </Field>
      )}
      {chosen &&
        slots.map((slot) => (
          <SlotField
            key={`${chosen.id} ${slot.key}`}
            label={words.slot(slot, chosen.parts.buttons)}
            value={values[slot.key] ?? ''}
            onChange={(next) => onValues({ ...values, [slot.key]: next })}
            shown={shown}
            insertable={insertable}
            example={slot.key === 'place.point' ? '-8.0578, -34.8829' : (chosen.parts.examples[slot.key] ?? '')}
            unfit={
              slot.key === 'place.point'
                ? t`Cole o link completo do mapa, ou latitude e longitude, como -8.0578, -34.8829`
                : undefined
            }
            isMissing={missing.includes(slot.key)}
          />
        ))}
      {chosen && (
        <section aria-labelledby={heading}>
          <h3 id={heading} className="mb-1.5 text-xs text-muted-foreground">
            <Trans>Como o contato lê</Trans>
          </h3>
          <TemplatePreview parts={chosen.parts} values={read} />
        </section>
      )}
    </>
  )
}

function SlotField({
  label,
  value,
  onChange,
  shown,
  insertable,
  example,
  unfit,
  isMissing,
}: {
  label: string
  value: string
  onChange: (value: string) => void
  shown: (value: string) => string
  insertable: Insertable
  example: string
  /** What is said of a value that cannot be meant. */
  unfit: string | undefined
  isMissing: boolean
}) {
  const { t } = useLingui()
  const field = useRef<HTMLInputElement>(null)
  const read = shown(value)
  return (
    <div className="relative">
      <Field
        label={label}
        required
        error={isMissing ? (value.trim() ? unfit : t`Obrigatório`) : undefined}
        hint={read !== value && read.trim() ? t`Será lido: ${read}` : undefined}
      >
        <Input
          ref={field}
          value={value}
          maxLength={templateBounds.value}
          autoComplete="off"
          placeholder={example && t`Por exemplo: ${example}`}
          onChange={(event) => onChange(event.target.value)}
        />
      </Field>
      <InsertMenu
        label={t`Inserir em ${label}`}
        parts={[{ label: insertable.label, names: insertable.names }]}
        field={field}
        onPick={(name) => onChange(withInserted(field.current, value, name))}
      />
    </div>
  )
}
