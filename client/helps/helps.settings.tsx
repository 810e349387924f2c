import { Trans, useLingui } from '@lingui/react/macro'
import { CircleQuestionMark, Plus } from 'lucide-react'
import { useForm } from 'react-hook-form'
import { helpForm } from '../../schema/helps/helps.inputs.ts'
import type { HelpInput } from '../../schema/helps/helps.inputs.ts'
import { videoCode } from '../../schema/helps/helps.video.ts'
import { DataList, useReadOnly } from '../kit/data-list.tsx'
import { FormDialog, Refusal, schemaResolver } from '../kit/form.tsx'
import { RemoveDialog, RowActions, useRowOverlay } from '../kit/row-actions.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Textarea } from '../ui/textarea.tsx'
import { toast } from '../ui/toaster.tsx'
import { helps, useHelps } from './helps.queries.ts'
import type { Help } from './helps.queries.ts'

/** The operator's list of helps, a part of the settings. */
export function HelpSettings() {
  const { t } = useLingui()
  const source = useHelps()
  const offline = useReadOnly({})
  const { edited, removed, create, edit, remove, close } = useRowOverlay<Help>(source.data)
  const add = (
    <Button disabled={offline} onClick={create}>
      <Plus />
      <Trans>Adicionar ajuda</Trans>
    </Button>
  )
  const actions = (help: Help) => (
    <RowActions name={help.title} disabled={offline} onEdit={() => edit(help)} onRemove={() => remove(help)} />
  )
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <p className="min-w-0 flex-1 text-sm text-muted-foreground">
          <Trans>Vídeos que todas as empresas veem em Ajuda.</Trans>
        </p>
        {add}
      </div>
      <DataList
        label={t`Ajuda`}
        source={source}
        empty={
          <EmptyState icon={CircleQuestionMark} title={<Trans>Nenhum vídeo de ajuda</Trans>} action={add}>
            <Trans>Um vídeo do YouTube, com um título e algumas palavras.</Trans>
          </EmptyState>
        }
        columns={[
          {
            id: 'title',
            header: <Trans>Título</Trans>,
            cell: (help) => <span className="font-medium">{help.title}</span>,
            className: 'wrap-anywhere',
          },
          {
            id: 'description',
            header: <Trans>Descrição</Trans>,
            cell: (help) => <span className="line-clamp-1">{help.description}</span>,
            className: 'text-muted-foreground',
          },
          {
            id: 'video',
            header: <Trans>Vídeo</Trans>,
            cell: (help) => help.video,
            className: 'w-40 text-muted-foreground',
          },
          { id: 'actions', header: <span className="sr-only">{t`Ações`}</span>, cell: actions, className: 'w-28' },
        ]}
        card={(help) => (
          <div className="flex items-center gap-3">
            <div className="flex min-w-0 flex-1 flex-col gap-0.5">
              <span className="truncate text-sm font-medium">{help.title}</span>
              <span className="truncate text-xs text-muted-foreground">{help.description || help.video}</span>
            </div>
            <div className="-mr-2">{actions(help)}</div>
          </div>
        )}
      />
      {edited !== undefined && <HelpDialog help={edited} onClose={close} onSaved={source.reload} />}
      {removed && (
        <RemoveDialog
          name={removed.title}
          remove={() => helps.remove(removed.id)}
          onRemoved={source.reload}
          onClose={close}
        >
          <Trans>Ninguém mais o vê.</Trans>
        </RemoveDialog>
      )}
    </div>
  )
}

function HelpDialog({ help, onClose, onSaved }: { help: Help | null; onClose: () => void; onSaved: () => void }) {
  const { t } = useLingui()
  const form = useForm<HelpInput>({
    defaultValues: { title: help?.title ?? '', description: help?.description ?? '', video: help?.video ?? '' },
    resolver: schemaResolver(helpForm),
  })
  const {
    register,
    formState: { errors },
  } = form
  return (
    <FormDialog
      onClose={onClose}
      title={help ? t`Editar ajuda` : t`Adicionar ajuda`}
      form={form}
      failed={t`Não foi possível realizar a operação. Verifique se já existe uma ajuda com o mesmo nome ou se os campos foram preenchidos corretamente`}
      onSubmit={async (values) => {
        const video = videoCode(values.video)
        if (video === null) throw new Refusal<HelpInput>('video', t`Cole o endereço ou o código de um vídeo do YouTube`)
        await (help ? helps.update(help.id, { ...values, video }) : helps.create({ ...values, video }))
        toast.success(t`Operação realizada com sucesso!`)
        onSaved()
      }}
    >
      <Field label={<Trans>Título</Trans>} required error={errors.title?.message}>
        <Input autoFocus autoComplete="off" {...register('title')} />
      </Field>
      <Field
        label={<Trans>Vídeo</Trans>}
        required
        hint={<Trans>Endereço ou código de um vídeo do YouTube</Trans>}
        error={errors.video?.message}
      >
        <Input autoComplete="off" spellCheck={false} {...register('video')} />
      </Field>
      <Field label={<Trans>Descrição</Trans>} error={errors.description?.message}>
        <Textarea rows={3} maxRows={8} {...register('description')} />
      </Field>
    </FormDialog>
  )
}
