import { Trans, useLingui } from '@lingui/react/macro'
import { Plus, X } from 'lucide-react'
import { useId, useState } from 'react'
import { Controller, useForm, useWatch } from 'react-hook-form'
import { partsOf, templateFaults } from '../../schema/templates/templates.check.ts'
import {
  newTemplate,
  type NewTemplate,
  templateBounds,
  templateLanguages,
} from '../../schema/templates/templates.inputs.ts'
import {
  fileKindOf,
  isHeaderFile,
  slotsOf,
  type TemplateFileKind,
  templateFileKinds,
  variablesIn,
} from '../../schema/templates/templates.parts.ts'
import { FileField, useOwnFile } from '../kit/file-field.tsx'
import { SelectField } from '../kit/form-fields.tsx'
import { FormDialog, Refusal, schemaResolver } from '../kit/form.tsx'
import { ApiError } from '../session/api.ts'
import { errorText } from '../session/error-text.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Select } from '../ui/select.tsx'
import { Textarea } from '../ui/textarea.tsx'
import { toast } from '../ui/toaster.tsx'
import { TemplatePreview } from './templates.preview.tsx'
import { headerAccepts } from './templates.choice.tsx'
import { templates } from './templates.queries.ts'
import type { TemplateRow } from './templates.rows.ts'
import { useTemplateWords } from './templates.words.ts'

const [one, two] = ['{{1}}', '{{2}}']

type Button_ = NewTemplate['buttons'][number]

/** All of it is a text while it is written. */
interface Form {
  name: string
  language: string
  category: NewTemplate['category']
  /** What the header is. */
  headerKind: 'text' | 'location' | TemplateFileKind
  header: string
  body: string
  footer: string
  buttons: Button_[]
  examples: Record<string, string>
}

/** @param handle of the example of its header, where that is a file */
const asInput = ({ headerKind, ...form }: Form, whatsappId: number, handle: string): NewTemplate => ({
  ...form,
  whatsappId,
  name: form.name.trim(),
  header: headerKind === 'text' ? form.header.trim() || null : null,
  headerFile: headerKind === 'text' ? null : { kind: headerKind, handle },
  body: form.body.trim(),
  footer: form.footer.trim() || null,
  examples: examplesOf(form),
})
/** Keys hold dots, which names of fields may not. */
const examplesOf = ({ examples }: Pick<Form, 'examples'>): Record<string, string> =>
  Object.fromEntries(Object.entries(examples).map(([key, value]) => [key.replace('_', '.'), value]))
const fieldOfKey = (key: string) => key.replace('.', '_')

/** A template in the form. */
const asForm = ({ name, language, category, parts }: TemplateRow): Form => ({
  ...{ name, language, category: category === 'MARKETING' ? 'MARKETING' : 'UTILITY', body: parts.body },
  headerKind: parts.header?.kind ?? 'text',
  header: parts.header?.kind === 'text' ? parts.header.text : '',
  footer: parts.footer ?? '',
  buttons: parts.buttons,
  examples: Object.fromEntries(Object.entries(parts.examples).map(([key, value]) => [fieldOfKey(key), value])),
})
const emptyForm: Form = {
  ...{ name: '', language: 'pt_BR', category: 'UTILITY', headerKind: 'text', header: '', body: '', footer: '' },
  ...{ buttons: [], examples: {} },
}

/** A new template, or one that is changed, beside what its reader will see. */
export function TemplateDialog({
  whatsappId,
  template,
  onClose,
  onSaved,
}: {
  whatsappId: number
  /** The one that is changed; the service looks at it anew. */
  template?: TemplateRow
  onClose: () => void
  onSaved: () => void
}) {
  const { t } = useLingui()
  const words = useTemplateWords()
  const heading = useId()
  const file = useOwnFile(null)
  const form = useForm<Form>({
    defaultValues: template ? asForm(template) : emptyForm,
    resolver: (values, context, options) => {
      // What is chosen is brought to the service when all the rest is right.
      const input = asInput(values, whatsappId, file.chosen ? '-' : '')
      const checked = schemaResolver<NewTemplate>(newTemplate, {
        name: t`Use letras minúsculas sem acento, números e _`,
      })(input, context, options as never) as { errors: object; values: object }
      if (Object.keys(checked.errors).length > 0) return { values: {}, errors: checked.errors as never }
      const faults = templateFaults(input)
      if (faults.length === 0) return { values, errors: {} }
      const errors: Record<string, unknown> = {}
      for (const { path, code } of faults) place(errors, path, { type: code, message: words.fault(code) })
      return { values: {}, errors: errors as never }
    },
  })
  const {
    register,
    control,
    setValue,
    getValues,
    formState: { errors },
  } = form
  const written = useWatch({ control }) as Form
  const parts = partsOf(asInput(written, whatsappId, '-'))
  // Whoever looks at it there is shown no place.
  const slots = slotsOf(parts).filter(({ part }) => part !== 'place')
  const examples = examplesOf(written)
  const addVariable = () => {
    const { body } = getValues()
    const next = variablesIn(body).filter((name) => /^\d+$/.test(name)).length + 1
    setValue('body', `${body}${body && !/\s$/.test(body) ? ' ' : ''}{{${next}}} `, { shouldDirty: true })
    form.setFocus('body')
  }

  return (
    <FormDialog
      onClose={onClose}
      title={template ? t`Editar ${template.name}` : t`Novo modelo de mensagem`}
      size="xl"
      form={form}
      save={<Trans>Enviar para análise</Trans>}
      onSubmit={async (values) => {
        try {
          const handle =
            parts.header && fileKindOf(parts) && file.chosen ? await templates.sample(whatsappId, file.chosen) : ''
          const { whatsappId: _line, name: _name, language: _language, ...input } = asInput(values, whatsappId, handle)
          const made = template
            ? await templates.change(template.id, input)
            : await templates.create(asInput(values, whatsappId, handle))
          toast.success(made.status === 'APPROVED' ? t`Modelo aprovado` : t`Modelo enviado ao WhatsApp para análise`)
          onSaved()
        } catch (error) {
          throw refusalOf(error, words.fault)
        }
      }}
    >
      <div className="grid gap-5 lg:grid-cols-[minmax(0,1fr)_18rem]">
        <div className="flex min-w-0 flex-col gap-4">
          <Field
            label={<Trans>Nome</Trans>}
            required
            hint={<Trans>Só para a equipe. Letras minúsculas, números e _</Trans>}
            error={errors.name?.message}
          >
            <Input
              autoFocus={!template}
              readOnly={template !== undefined}
              autoComplete="off"
              spellCheck={false}
              placeholder="pedido_pronto"
              {...register('name', {
                setValueAs: (text: string) =>
                  text
                    .trim()
                    .toLowerCase()
                    .replaceAll(/[\s-]+/g, '_'),
              })}
            />
          </Field>
          <div className="grid gap-4 sm:grid-cols-2">
            <Field
              label={<Trans>Categoria</Trans>}
              required
              hint={<Trans>Marketing é tudo que oferece ou anuncia, e custa mais</Trans>}
              error={errors.category?.message}
            >
              <SelectField
                control={control}
                name="category"
                disabled={template?.status === 'APPROVED'}
                options={[
                  { value: 'UTILITY', label: words.category('UTILITY') },
                  { value: 'MARKETING', label: words.category('MARKETING') },
                ]}
              />
            </Field>
            <Field label={<Trans>Idioma</Trans>} required error={errors.language?.message}>
              <SelectField
                control={control}
                name="language"
                disabled={template !== undefined}
                options={(template ? [template.language] : templateLanguages).map((value) => ({
                  ...{ value, label: words.language(value) },
                }))}
              />
            </Field>
          </div>
          <Field label={<Trans>Cabeçalho</Trans>}>
            <SelectField
              control={control}
              name="headerKind"
              options={[
                { value: 'text', label: t`Um título, ou nada` },
                ...([...templateFileKinds, 'location'] as const).map((value) => ({
                  value,
                  label: words.header(value),
                })),
              ]}
            />
          </Field>
          {written.headerKind === 'text' ? (
            <Field label={<Trans>Título</Trans>} error={errors.header?.message}>
              <Input autoComplete="off" maxLength={templateBounds.header} {...register('header')} />
            </Field>
          ) : written.headerKind === 'location' ? (
            <p className="text-xs text-muted-foreground">
              <Trans>O lugar é preenchido em cada mensagem: ponto no mapa, nome e endereço.</Trans>
            </p>
          ) : (
            <Field
              label={<Trans>Arquivo de exemplo</Trans>}
              required
              hint={<Trans>Só quem analisa o modelo o vê: o arquivo de verdade vai com cada mensagem</Trans>}
              error={file.chosen ? undefined : errors.header?.message}
            >
              <FileField
                kind={written.headerKind === 'image' ? 'image' : 'file'}
                file={file}
                testId="template-sample"
                accept={headerAccepts[written.headerKind]}
                refuse={({ type }) =>
                  isHeaderFile(written.headerKind as TemplateFileKind, type)
                    ? null
                    : words.refused(written.headerKind as TemplateFileKind)
                }
                beside={<span className="text-xs text-muted-foreground">{words.refused(written.headerKind)}</span>}
              />
            </Field>
          )}
          <div className="relative">
            <Field
              label={<Trans>Texto</Trans>}
              required
              hint={
                <Trans>
                  O que muda em cada mensagem é uma variável: {one}, {two}…
                </Trans>
              }
              error={errors.body?.message}
            >
              <Textarea rows={5} maxRows={12} maxLength={templateBounds.body} {...register('body')} />
            </Field>
            <Button variant="ghost" size="sm" className="absolute -top-2 right-0 touch:-top-3" onClick={addVariable}>
              <Plus />
              <Trans>Variável</Trans>
            </Button>
          </div>
          <Field label={<Trans>Rodapé</Trans>} error={errors.footer?.message}>
            <Input autoComplete="off" maxLength={templateBounds.footer} {...register('footer')} />
          </Field>
          <Controller
            control={control}
            name="buttons"
            render={({ field: { value, onChange } }) => (
              <Buttons buttons={value} onChange={onChange} errorOf={(i) => messageIn(errors.buttons, i)} />
            )}
          />
          {slots.length > 0 && (
            <fieldset className="flex flex-col gap-3 rounded-lg border p-3">
              <legend className="px-1 text-sm font-medium">
                <Trans>Exemplos das variáveis</Trans>
              </legend>
              <p className="text-xs text-muted-foreground">
                <Trans>Quem analisa o modelo lê o texto com eles. Não use dados de um cliente de verdade.</Trans>
              </p>
              {slots.map((slot) => (
                <Field
                  key={slot.key}
                  label={words.slot(slot, parts.buttons)}
                  required
                  error={messageIn(errors.examples, fieldOfKey(slot.key))}
                >
                  <Input
                    autoComplete="off"
                    maxLength={slot.part === 'code' ? templateBounds.code : 200}
                    {...register(`examples.${fieldOfKey(slot.key)}`)}
                  />
                </Field>
              ))}
            </fieldset>
          )}
        </div>
        <section aria-labelledby={heading} className="min-w-0 lg:sticky lg:top-0 lg:self-start">
          <h3 id={heading} className="mb-1.5 text-xs text-muted-foreground">
            <Trans>Como o contato lê</Trans>
          </h3>
          <div className="rounded-xl bg-muted p-3">
            <TemplatePreview parts={parts} values={examples} />
          </div>
        </section>
      </div>
    </FormDialog>
  )
}

/** Puts an error where its path says; keys of examples are names of fields. */
function place(errors: Record<string, unknown>, path: string, error: object): void {
  const [first = '', ...rest] = path.split('.')
  if (rest.length === 0) errors[first] ??= error
  else {
    const inner = (errors[first] ??= first === 'buttons' ? [] : {}) as Record<string, unknown>
    inner[rest.join('_')] ??= error
  }
}

function messageIn(errors: unknown, key: string | number): string | undefined {
  const one = (errors as Record<string | number, { message?: string; text?: { message?: string } }> | undefined)?.[key]
  if (!one) return undefined
  const deeper = Object.values(one as Record<string, { message?: string } | undefined>)
  return one.message ?? deeper.find((inner) => inner?.message)?.message
}

/** What the service refuses is said at the field that it is about, in its own words. */
function refusalOf(error: unknown, faultText: (code: string) => string): unknown {
  if (!(error instanceof ApiError)) return error
  const { code, params } = error
  if (code === 'ERR_TEMPLATE_ALREADY_EXISTS') return new Refusal<Form>('name', errorText(error))
  if (code === 'ERR_TEMPLATE_REFUSED') {
    const field = typeof params['field'] === 'string' ? (params['field'] as keyof Form) : 'root'
    const details = typeof params['details'] === 'string' ? params['details'] : ''
    return new Refusal<Form>(field, details ? `${errorText(error)}: ${details}` : errorText(error))
  }
  if (code !== 'ERR_VALIDATION' || !Array.isArray(params['fields'])) return error
  const [first] = params['fields'] as { path: string; message: string }[]
  const path = first?.path.replace(/^body\//, '') ?? 'root'
  return new Refusal<Form>(path.split('.')[0] as keyof Form, faultText(first?.message ?? ''))
}

function Buttons({
  buttons,
  onChange,
  errorOf,
}: {
  buttons: readonly Button_[]
  onChange: (buttons: Button_[]) => void
  errorOf: (i: number) => string | undefined
}) {
  const { t } = useLingui()
  // So that a row that is taken away takes its own fields along.
  const [keys, setKeys] = useState<number[]>(() => buttons.map((_, i) => i))
  const kinds: { value: Button_['kind']; label: string }[] = [
    { value: 'reply', label: t`Resposta` },
    { value: 'url', label: t`Abrir endereço` },
    { value: 'phone', label: t`Ligar` },
    { value: 'code', label: t`Copiar código` },
  ]
  const set = (i: number, next: Button_) => onChange(buttons.map((one, at) => (at === i ? next : one)))
  const made = (kind: Button_['kind'], text: string): Button_ =>
    kind === 'url' ? { kind, text, url: '' } : kind === 'phone' ? { kind, text, number: '' } : { kind, text }
  return (
    <div className="flex flex-col gap-2">
      {buttons.map((button, i) => {
        const n = i + 1
        return (
          <div key={keys[i]} className="flex flex-col gap-2 rounded-lg border p-3">
            <div className="flex items-end gap-2">
              <Field label={<Trans>Botão {n}</Trans>} className="w-36 shrink-0">
                <Select
                  value={button.kind}
                  onChange={(kind) => set(i, made(kind, button.text))}
                  options={kinds}
                  aria-label={t`Tipo do botão ${n}`}
                />
              </Field>
              <Field label={<Trans>Texto do botão</Trans>} className="min-w-0 flex-1">
                <Input
                  autoComplete="off"
                  maxLength={templateBounds.buttonText}
                  value={button.text}
                  onChange={(event) => set(i, { ...button, text: event.target.value })}
                />
              </Field>
              <Button
                variant="ghost"
                size="icon"
                aria-label={t`Retirar o botão ${n}`}
                onClick={() => {
                  setKeys((known) => known.filter((_, at) => at !== i))
                  onChange(buttons.filter((_, at) => at !== i))
                }}
              >
                <X />
              </Button>
            </div>
            {button.kind === 'url' && (
              <Field label={<Trans>Endereço</Trans>} hint={<Trans>Pode terminar em {one}</Trans>}>
                <Input
                  inputMode="url"
                  autoComplete="off"
                  placeholder="https://"
                  maxLength={templateBounds.url}
                  value={button.url}
                  onChange={(event) => set(i, { ...button, url: event.target.value })}
                />
              </Field>
            )}
            {button.kind === 'phone' && (
              <Field label={<Trans>Telefone</Trans>}>
                <Input
                  inputMode="tel"
                  autoComplete="off"
                  placeholder="+55 11 4000-1835"
                  maxLength={templateBounds.phone}
                  value={button.number}
                  onChange={(event) => set(i, { ...button, number: event.target.value })}
                />
              </Field>
            )}
            {errorOf(i) && (
              <p role="alert" className="text-xs text-destructive-soft-foreground">
                {errorOf(i)}
              </p>
            )}
          </div>
        )
      })}
      {buttons.length < templateBounds.buttons && (
        <Button
          variant="outline"
          className="self-start"
          onClick={() => {
            setKeys((known) => [...known, Math.max(0, ...known) + 1])
            onChange([...buttons, { kind: 'reply', text: '' }])
          }}
        >
          <Plus />
          <Trans>Adicionar botão</Trans>
        </Button>
      )}
    </div>
  )
}
