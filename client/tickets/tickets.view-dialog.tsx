import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { filterName } from '../../schema/filters/filters.inputs.ts'
import type { Sharing } from '../../schema/sharing.ts'
import { newId } from '../../schema/ids.ts'
import type { ViewFilter, ViewStatus } from '../../schema/tickets/tickets.list.ts'
import { useDirectory } from '../replica/directory.ts'
import { useReplica } from '../replica/replica.tsx'
import { perform } from '../session/perform.ts'
import { useCan } from '../session/session.tsx'
import { ColorTag } from '../ui/badge.tsx'
import { ColorSwatch } from '../ui/color-swatch.tsx'
import { MultiCombobox } from '../ui/combobox.tsx'
import { Dialog, DialogBody, DialogButtons, DialogContent, DialogForm } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Select } from '../ui/select.tsx'
import { Choices } from './tickets.filter-choices.tsx'
import { normalView, storedFilter, type ViewRow } from './tickets.views.ts'

/** Adds a view (`view` null), of what the lists are narrowed to, or changes one. */
export default function ViewDialog({
  view,
  filter: given,
  onClose,
  onSaved,
}: {
  view: ViewRow | null
  filter: ViewFilter
  onClose: () => void
  onSaved?: (id: string) => void
}) {
  const { t } = useLingui()
  const replica = useReplica()
  const mayShare = useCan('views:share')
  const managesAll = useCan('tickets-manager:showall')
  const { queues } = useDirectory()
  const [name, setName] = useState(view?.name ?? '')
  const [color, setColor] = useState(view?.color ?? null)
  const [filter, setFilter] = useState(given)
  const [sharing, setSharing] = useState<Sharing>(view?.sharing ?? 'own')
  const [queueIds, setQueueIds] = useState<readonly number[]>(view?.queueIds ?? [])
  const [tried, setTried] = useState(false)
  const change = (part: Partial<ViewFilter>) => setFilter(normalView({ ...filter, ...part }))
  const isNameless = name.trim() === ''
  const isForNobody = sharing === 'queues' && queueIds.length === 0

  const save = async () => {
    setTried(true)
    if (isNameless || isForNobody) return
    const id = view?.id ?? newId()
    const shared = mayShare ? { sharing, queueIds: sharing === 'queues' ? [...queueIds] : [] } : {}
    const values = { name: name.trim(), filter: storedFilter(filter), color, ...shared }
    if (!(await perform(replica, 'filters.save', { id, ...values }))) return
    onClose()
    onSaved?.(id)
  }
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title={view ? t`Editar visão` : t`Nova visão`}>
        <DialogForm onSubmit={() => void save()}>
          <DialogBody className="flex flex-col gap-4">
            <Field label={t`Nome`} required error={tried && isNameless && t`Obrigatório`}>
              <Input
                autoFocus
                autoComplete="off"
                value={name}
                maxLength={filterName.maxLength}
                onChange={(event) => setName(event.target.value)}
              />
            </Field>
            <Field label={t`Situação`}>
              <Select<ViewStatus | 'both'>
                value={filter.statuses?.[0] ?? 'both'}
                onChange={(status) => change({ statuses: status === 'both' ? [] : [status] })}
                options={[
                  { value: 'both', label: t`Aguardando e em atendimento` },
                  { value: 'pending', label: t`Aguardando` },
                  { value: 'open', label: t`Em atendimento` },
                ]}
              />
            </Field>
            <Field label={t`Ordem`}>
              <Select<'newest' | 'due'>
                value={filter.order ?? 'newest'}
                onChange={(order) => change({ order: order === 'due' ? order : undefined })}
                options={[
                  { value: 'newest', label: t`Mais recentes primeiro` },
                  { value: 'due', label: t`Próximo prazo primeiro` },
                ]}
              />
            </Field>
            {managesAll && (
              <Field label={t`De quem`} hint={t`Cada pessoa vê só o que pode ver.`}>
                <Select<'mine' | 'all'>
                  value={filter.mine ? 'mine' : 'all'}
                  onChange={(whose) => change({ mine: whose === 'mine' })}
                  options={[
                    { value: 'all', label: t`De todos` },
                    { value: 'mine', label: t`De quem olha, e das filas dessa pessoa` },
                  ]}
                />
              </Field>
            )}
            <Choices value={filter} onChange={change} all={managesAll} />
            {mayShare && (
              <Field label={t`Quem tem esta visão`}>
                <Select<Sharing>
                  value={sharing}
                  onChange={setSharing}
                  options={[
                    { value: 'own', label: t`Só eu` },
                    { value: 'company', label: t`Toda a empresa` },
                    { value: 'queues', label: t`Pessoas de algumas filas` },
                  ]}
                />
              </Field>
            )}
            {mayShare && sharing === 'queues' && (
              <Field label={t`Filas que têm a visão`} required error={tried && isForNobody && t`Obrigatório`}>
                <MultiCombobox
                  placeholder={t`Escolha as filas`}
                  options={queues.list.map((queue) => ({
                    id: String(queue.id),
                    label: queue.name,
                    content: <ColorTag color={queue.color}>{queue.name}</ColorTag>,
                  }))}
                  values={queueIds.map(String)}
                  onChange={(ids) => setQueueIds(ids.map(Number))}
                />
              </Field>
            )}
            <Field label={t`Cor`}>
              <ColorSwatch value={color} onChange={setColor} />
            </Field>
          </DialogBody>
          <DialogButtons>
            <Trans>Salvar</Trans>
          </DialogButtons>
        </DialogForm>
      </DialogContent>
    </Dialog>
  )
}
