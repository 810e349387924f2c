import { Trans, useLingui } from '@lingui/react/macro'
import { FileUp, Plus, Trash2 } from 'lucide-react'
import { createContext, use, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { type FlowFileKind, flowFileKinds } from '../../schema/flows/flows.edits.inputs.ts'
import { SECRET } from '../../schema/flows/flows.graph.ts'
import { api } from '../session/api.ts'
import { filled } from '../session/own-file.ts'
import { useConnectionState } from '../session/connection-state.ts'
import { toastError } from '../session/failure.tsx'
import { FileOfListPicker } from '../files/files.picker.tsx'
import { useMedia } from '../kit/media.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Input } from '../ui/input.tsx'
import { useFieldVariables } from '../placeholders/placeholders.text.tsx'
import { InsertMenu } from '../ui/insert-menu.tsx'
import { withInserted } from '../ui/insert-text.ts'
import { Textarea } from '../ui/textarea.tsx'
import { toast } from '../ui/toaster.tsx'
import { useEditor } from './flow.editor.tsx'

const fileLabels: Record<FlowFileKind, ReactNode> = {
  img: <Trans>Imagem</Trans>,
  audio: <Trans>Áudio</Trans>,
  video: <Trans>Vídeo</Trans>,
  document: <Trans>Documento</Trans>,
}

/** @returns the name by which blocks know the file */
async function keep(kind: FlowFileKind, form: FormData): Promise<string> {
  if (kind === 'document') return (await api.post<string[]>('/flowbuilder/content', form))[0]!
  return (await api.post<{ name: string }>(kind === 'img' ? '/flowbuilder/img' : '/flowbuilder/audio', form)).name
}

/** Text to a contact, with variables to put in. */
export function TextField({
  label,
  value,
  onChange,
  hint,
  error,
  required = false,
  rows = 3,
}: {
  label: ReactNode
  value: string
  onChange: (value: string) => void
  hint?: ReactNode
  error?: ReactNode
  required?: boolean
  rows?: number
}) {
  const { draft } = useEditor()
  const field = useRef<HTMLTextAreaElement>(null)
  return (
    <div className="relative">
      <Field label={label} hint={hint} error={error} required={required}>
        <Textarea
          ref={field}
          rows={rows}
          maxRows={12}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onBlur={() => draft.endGesture()}
        />
      </Field>
      <VariablesMenu onPick={(name) => onChange(withInserted(field.current, value, `{{${name}}}`))} field={field} />
    </div>
  )
}

/** The names of the company's keys, for fields in which one may stand; elsewhere a contact could read them. */
export const SecretsContext = createContext<readonly string[]>([])

/** What a text can say of the contact, and what the flow has asked. */
function VariablesMenu({
  onPick,
  field,
}: {
  onPick: (name: string) => void
  field: React.RefObject<HTMLTextAreaElement | HTMLInputElement | null>
}) {
  const { t } = useLingui()
  const { variables } = useEditor()
  const secrets = use(SecretsContext)
  const own = useFieldVariables()
  const known = [
    ['firstName', t`Primeiro nome`],
    ['name', t`Nome`],
    ['number', t`Número`],
    ['email', t`E-mail`],
    ['ms', t`Saudação`],
    ['protocol', t`Número do protocolo`],
    ['queue', t`Fila`],
    ['lastText', t`Última resposta`],
  ] as const
  return (
    <InsertMenu
      label={t`Inserir variável`}
      parts={[
        ...(variables.length > 0
          ? [{ label: <Trans>Deste fluxo</Trans>, names: variables.map((name) => [name] as const) }]
          : []),
        { label: <Trans>Do contato</Trans>, names: known },
        ...(own.length > 0 ? [{ label: <Trans>Campos próprios</Trans>, names: own }] : []),
        ...(secrets.length > 0
          ? [
              {
                label: <Trans>Segredos da empresa</Trans>,
                names: secrets.map((name) => [`${SECRET}${name}`, name] as const),
              },
            ]
          : []),
      ]}
      field={field}
      onPick={onPick}
    />
  )
}

/** A short text. */
export function LineField({
  label,
  value,
  onChange,
  hint,
  error,
  required = false,
  placeholder,
  filled = false,
}: {
  label: ReactNode
  value: string
  onChange: (value: string) => void
  hint?: ReactNode
  error?: ReactNode
  required?: boolean
  placeholder?: string
  /** What stands in braces is filled in: variables are offered. */
  filled?: boolean
}) {
  const { draft } = useEditor()
  const field = useRef<HTMLInputElement>(null)
  return (
    <div className="relative">
      <Field label={label} hint={hint} error={error} required={required}>
        <Input
          ref={field}
          value={value}
          placeholder={placeholder}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onChange(event.target.value)}
          onBlur={() => draft.endGesture()}
        />
      </Field>
      {filled && (
        <VariablesMenu onPick={(name) => onChange(withInserted(field.current, value, `{{${name}}}`))} field={field} />
      )}
    </div>
  )
}

/** A whole number. */
export function NumberField({
  label,
  value,
  onChange,
  after,
  hint,
  error,
}: {
  label: ReactNode
  value: number
  onChange: (value: number) => void
  after?: ReactNode
  hint?: ReactNode
  error?: ReactNode
}) {
  const { draft } = useEditor()
  return (
    <Field label={label} hint={hint} error={error}>
      <Input
        inputMode="numeric"
        autoComplete="off"
        value={String(value)}
        after={after && <span className="pr-2 text-xs text-muted-foreground">{after}</span>}
        onFocus={(event) => event.target.select()}
        onChange={(event) => onChange(Number(event.target.value.replace(/\D/g, '')))}
        onBlur={() => draft.endGesture()}
      />
    </Field>
  )
}

/** Things of a list, each with a button that takes it out, and one more. */
export function ListField<Item>({
  items,
  render,
  onRemove,
  onAdd,
  addLabel,
  removeLabel,
  mayRemove = () => true,
}: {
  items: readonly Item[]
  render: (item: Item, index: number) => ReactNode
  onRemove: (index: number) => void
  onAdd?: () => void
  addLabel?: ReactNode
  removeLabel: (index: number) => string
  mayRemove?: (index: number) => boolean
}) {
  return (
    <div className="flex flex-col gap-2">
      {items.map((item, index) => (
        <div key={index} className="flex items-start gap-1">
          <div className="min-w-0 flex-1">{render(item, index)}</div>
          {mayRemove(index) && (
            <IconButton label={removeLabel(index)} onClick={() => onRemove(index)}>
              <Trash2 />
            </IconButton>
          )}
        </div>
      ))}
      {onAdd && (
        <Button variant="outline" size="sm" className="self-start" onClick={onAdd}>
          <Plus />
          {addLabel}
        </Button>
      )}
    </div>
  )
}

const MB = 1_000_000
/** Photographs lose nothing that a phone would show, and most of their bytes. */
const JPEG_QUALITY = 0.7

async function smaller(file: File): Promise<File> {
  if (file.type !== 'image/jpeg' || typeof OffscreenCanvas === 'undefined') return file
  const picture = await createImageBitmap(file).catch(() => null)
  if (!picture) return file
  const canvas = new OffscreenCanvas(picture.width, picture.height)
  canvas.getContext('2d')?.drawImage(picture, 0, 0)
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: JPEG_QUALITY }).catch(() => null)
  return blob && blob.size < file.size ? new File([blob], file.name, { type: 'image/jpeg' }) : file
}

/** A file that the flow sends: shown, and put in the place of another. */
export function FileField({
  kind,
  file,
  name,
  onChange,
  error,
  isPart = false,
}: {
  kind: FlowFileKind
  /** Name of the stored file; empty while there is none. */
  file: string
  name: string
  onChange: (stored: { file: string; name: string }) => void
  error?: ReactNode
  /** It is one of the contents of a block. */
  isPart?: boolean
}) {
  const { t } = useLingui()
  const offline = useConnectionState() === 'offline'
  const input = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const media = useMedia(file ? { path: file } : null)
  const { types, limit } = flowFileKinds[kind]
  const megabytes = limit / MB

  const take = async (given: File) => {
    setBusy(true)
    setProblem(null)
    try {
      const ready = kind === 'img' ? await smaller(given) : given
      if (ready.size > limit) return setProblem(t`Arquivo é muito grande! ${megabytes}MB máximo`)
      const form = filled({ fromMe: 'true', medias: ready, body: given.name })
      onChange({ file: await keep(kind, form), name: given.name })
      toast.success(
        isPart
          ? t`Conteúdo adicionado com sucesso!`
          : kind === 'img'
            ? t`Imagem adicionada com sucesso!`
            : kind === 'audio'
              ? t`Audio adicionada com sucesso!`
              : kind === 'video'
                ? t`Vídeo adicionado com sucesso!`
                : t`Documento adicionado com sucesso!`,
      )
    } catch (failure) {
      toastError(failure)
    } finally {
      setBusy(false)
    }
  }
  const accept = [...new Set(Object.values<string>(types)), ...Object.keys(types).map((end) => `.${end}`)].join(',')
  return (
    <Field
      label={fileLabels[kind]}
      error={problem ?? error}
      hint={
        <Trans>
          Até {megabytes} MB:{' '}
          {Object.keys(types)
            .slice(0, kind === 'document' ? 12 : 3)
            .join(', ')}
        </Trans>
      }
    >
      {media.url && kind === 'img' && (
        <img src={media.url} alt={name} className="max-h-40 rounded-md border object-contain" />
      )}
      {media.url && kind === 'audio' && <audio controls src={media.url} className="h-10 w-full" />}
      {media.url && kind === 'video' && <video controls src={media.url} className="max-h-40 rounded-md border" />}
      {file && <p className="text-[0.8125rem] wrap-anywhere">{name || file}</p>}
      <input
        ref={input}
        type="file"
        accept={accept}
        className="hidden"
        aria-hidden="true"
        tabIndex={-1}
        onChange={(event) => {
          const [given] = event.target.files ?? []
          event.target.value = ''
          if (given) void take(given)
        }}
      />
      <div className="flex flex-wrap gap-2">
        <Button variant="outline" busy={busy} disabled={offline} onClick={() => input.current?.click()}>
          <FileUp />
          {file ? <Trans>Trocar arquivo</Trans> : <Trans>Escolher arquivo</Trans>}
        </Button>
        {kind === 'document' && !offline && <FileOfListPicker onFile={(given) => void take(given)} />}
      </div>
      {offline && (
        <p className="text-xs text-muted-foreground">
          <Trans>Para enviar um arquivo, é preciso a rede.</Trans>
        </p>
      )}
    </Field>
  )
}
