import { Trans, useLingui } from '@lingui/react/macro'
import { FileText, Plus, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { useFieldArray, useForm } from 'react-hook-form'
import { fileListInput, MOST_FILES } from '../../schema/files/files.inputs.ts'
import type { FileListInput } from '../../schema/files/files.inputs.ts'
import { FormDialog, schemaResolver } from '../kit/form.tsx'
import { fileSize } from '../kit/file-size.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Textarea } from '../ui/textarea.tsx'
import { toast } from '../ui/toaster.tsx'
import { type FileList, fileLists } from './files.queries.ts'

/** Adds (`list` null) or edits a file list. Its files are uploaded one after the other when it is saved. */
export function FileListDialog({
  list,
  onClose,
  onSaved,
}: {
  list: FileList | null
  onClose: () => void
  onSaved: () => void
}) {
  const { t, i18n } = useLingui()
  const picker = useRef<HTMLInputElement>(null)
  /** Chosen here and not stored yet, by the key of their row. */
  const [chosen, setChosen] = useState<ReadonlyMap<string, File>>(new Map())
  const stored = useRef<number | null>(list?.id ?? null)
  const form = useForm<FileListInput>({
    defaultValues: {
      name: list?.name ?? '',
      message: list?.message ?? '',
      options: list?.options.map(({ id, name }) => ({ id, name })) ?? [],
    },
    resolver: schemaResolver(fileListInput, { name: t`nome muito curto` }),
  })
  const {
    register,
    control,
    formState: { errors },
  } = form
  const { fields, append, remove } = useFieldArray({ control, name: 'options', keyName: 'key' })
  const latest = useRef(fields)
  latest.current = fields
  const add = (files: readonly File[]) => {
    const fitting = files.slice(0, MOST_FILES - fields.length)
    if (fitting.length < files.length) toast.error(t`Uma lista tem no máximo ${MOST_FILES} arquivos`)
    append(
      fitting.map((file) => ({ name: file.name.slice(0, 255) })),
      { shouldFocus: false },
    )
    // The rows, and with them their keys, are there in the next drawing.
    setTimeout(() => {
      const rows = latest.current.slice(-fitting.length)
      setChosen((before) => new Map([...before, ...rows.map(({ key }, i) => [key, fitting[i]!] as const)]))
    })
  }
  const kept = new Map(list?.options.map((option) => [option.id, option]))
  return (
    <FormDialog
      onClose={onClose}
      size="lg"
      title={list ? t`Editar lista de arquivos` : t`Adicionar lista de arquivos`}
      form={form}
      onSubmit={async (values) => {
        const rows = latest.current
        const saved =
          stored.current === null ? await fileLists.create(values) : await fileLists.update(stored.current, values)
        stored.current = saved.id
        // From now on each row has its number: another attempt sends only what failed.
        for (const [i, option] of saved.options.entries()) form.setValue(`options.${i}.id`, option.id)
        for (const [i, { key }] of rows.entries()) {
          const file = chosen.get(key)
          const option = saved.options[i]
          if (!file || !option) continue
          await fileLists.upload(saved.id, option, file)
          setChosen((before) => new Map([...before].filter(([other]) => other !== key)))
        }
        toast.success(t`Lista de arquivos salva`)
        onSaved()
      }}
    >
      <Field
        label={<Trans>Nome</Trans>}
        required
        error={errors.name?.type === 'tooShort' ? t`nome muito curto` : errors.name?.message}
      >
        <Input autoFocus autoComplete="off" {...register('name')} />
      </Field>
      <Field
        label={<Trans>Mensagem</Trans>}
        required
        hint={<Trans>Vai com o primeiro arquivo</Trans>}
        error={errors.message?.message}
      >
        <Textarea rows={3} maxRows={8} {...register('message')} />
      </Field>
      <div role="group" aria-label={t`Arquivos`} className="flex flex-col gap-2">
        {fields.map((row, i) => {
          const file = chosen.get(row.key)
          const size = file?.size ?? kept.get(row.id ?? 0)?.mediaSize ?? null
          const missing = !file && kept.get(row.id ?? 0)?.path === null
          const { name } = row
          return (
            <div key={row.key} className="flex items-center gap-2">
              <FileText aria-hidden="true" className="size-4 shrink-0 text-muted-foreground" />
              <div className="min-w-0 flex-1">
                <Input
                  aria-label={t`Nome do arquivo`}
                  aria-invalid={errors.options?.[i]?.name ? true : undefined}
                  autoComplete="off"
                  {...register(`options.${i}.name`)}
                />
              </div>
              <span className="w-20 shrink-0 text-right text-xs text-muted-foreground tabular-nums">
                {missing ? <Trans>sem arquivo</Trans> : size !== null && fileSize(size, i18n.locale)}
              </span>
              <Button variant="ghost" size="icon-sm" aria-label={t`Retirar ${name}`} onClick={() => remove(i)}>
                <X />
              </Button>
            </div>
          )
        })}
        <div>
          <Button variant="outline" disabled={fields.length >= MOST_FILES} onClick={() => picker.current?.click()}>
            <Plus />
            <Trans>Adicionar arquivos</Trans>
          </Button>
        </div>
      </div>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        data-testid="list-files"
        onChange={(event) => {
          const files = [...(event.target.files ?? [])]
          event.target.value = ''
          add(files)
        }}
      />
    </FormDialog>
  )
}
