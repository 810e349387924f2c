import { plural } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { FileSpreadsheet, Tag, Trash2, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTags } from '../replica/directory.ts'
import { toastError } from '../session/failure.tsx'
import { isFocusLost } from '../base/focus-lost.ts'
import { MoreActions } from '../kit/more-actions.tsx'
import { perform } from '../session/perform.ts'
import { useReplica } from '../replica/replica.tsx'
import { useCan } from '../session/session.tsx'
import { offerUndo } from '../session/undo.ts'
import { useActions } from '../kit/actions.ts'
import { narrowQuery, useMedia } from '../ui/use-media.ts'
import { ConfirmDialog } from '../ui/alert-dialog.tsx'
import { Button } from '../ui/button.tsx'
import { Command } from '../ui/command.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Popover, PopoverContent, PopoverTrigger } from '../ui/popover.tsx'
import { toast } from '../ui/toaster.tsx'
import { saveBlob } from '../kit/media.ts'
import { contacts } from './contacts.queries.ts'
import { activeTicketsOf } from './contacts.rows.ts'

/** So many go into one file when they are named one by one; the menu exports all. */
const MOST_EXPORTED = 300

/** What is done with several contacts at once. */
export function BulkBar({
  ids,
  disabled,
  onDone,
  onChanged,
}: {
  ids: readonly number[]
  disabled: boolean
  onDone: () => void
  onChanged: () => void
}) {
  const { t, i18n } = useLingui()
  const mayRemove = useCan('contacts-page:deleteContact')
  const mayExport = useCan('contacts:export')
  const [saving, setSaving] = useState(false)
  const [removing, setRemoving] = useState(false)
  const narrow = useMedia(narrowQuery)
  const count = ids.length
  const isTooMany = count > MOST_EXPORTED
  const remove = async () => {
    let gone = 0
    try {
      // One after the other: each takes its tickets, messages and files along.
      for (const id of ids) {
        await contacts.remove(id)
        gone++
      }
      onDone()
    } catch (error) {
      toastError(error)
    }
    if (gone > 0) toast.success(plural(gone, { one: '# contato excluído', other: '# contatos excluídos' }))
    onChanged()
  }
  const save = async () => {
    setSaving(true)
    try {
      saveBlob(await contacts.export('xlsx', i18n.locale, ids), `${t`contatos`}.xlsx`)
    } catch (error) {
      toastError(error)
    } finally {
      setSaving(false)
    }
  }
  // The buttons go with the choice.
  useEffect(
    () => () =>
      void setTimeout(
        () => isFocusLost() && document.querySelector<HTMLElement>('#content [role="checkbox"]')?.focus(),
      ),
    [],
  )
  return (
    <div
      role="toolbar"
      aria-label={t`Contatos escolhidos`}
      // At the lower edge of what is in sight: no row moves when it comes, and it is there however far one scrolls.
      className="sticky bottom-[max(0.75rem,env(safe-area-inset-bottom))] z-10 order-last mx-auto mt-3 flex w-full max-w-3xl items-center gap-2 rounded-lg border bg-primary-soft py-2 pr-2 pl-3.5 text-sm shadow-overlay sm:pr-3.5"
    >
      <p role="status" className="mr-auto min-w-0 truncate font-medium tabular-nums">
        <Plural value={count} one="# escolhido" other="# escolhidos" />
      </p>
      <TagButton ids={ids} disabled={disabled} />
      <MoreActions
        size="sm"
        actions={[
          mayExport && {
            icon: FileSpreadsheet,
            label: isTooMany && narrow ? t`Exportar (até 300)` : t`Exportar`,
            busy: saving,
            disabled: disabled || isTooMany,
            hint: isTooMany ? t`Até 300 contatos escolhidos. Para todos, use o menu acima.` : undefined,
            run: () => void save(),
          },
          mayRemove && {
            icon: Trash2,
            label: t`Excluir`,
            destructive: true,
            disabled,
            run: () => setRemoving(true),
          },
        ]}
      />
      {narrow ? (
        <IconButton label={t`Desmarcar`} onClick={onDone}>
          <X />
        </IconButton>
      ) : (
        <Button variant="ghost" size="sm" onClick={onDone}>
          <X />
          <Trans>Desmarcar</Trans>
        </Button>
      )}
      <ConfirmDialog
        open={removing}
        onOpenChange={setRemoving}
        title={plural(count, { one: 'Excluir # contato?', other: 'Excluir # contatos?' })}
        confirmLabel={t`Excluir`}
        destructive
        onConfirm={remove}
      >
        <Trans>Os atendimentos e as mensagens destes contatos também são excluídos.</Trans>
      </ConfirmDialog>
    </div>
  )
}

/** Puts a tag on the tickets in progress of these contacts: tags belong to tickets. */
function TagButton({ ids, disabled }: { ids: readonly number[]; disabled: boolean }) {
  const { t } = useLingui()
  const replica = useReplica()
  const tags = useTags()
  const narrow = useMedia(narrowQuery)
  const label = t`Etiquetar atendimentos`
  const [open, setOpen] = useState(false)
  useActions([
    {
      id: 'contacts.tag',
      label,
      group: t`Contatos escolhidos`,
      shortcut: 'l',
      when: !disabled && tags.list.length > 0,
      run: () => setOpen(true),
    },
  ])
  const put = async (tagId: number) => {
    setOpen(false)
    const tickets = await activeTicketsOf(replica, ids)
    const without = tickets.filter(({ tagIds }) => !tagIds.includes(tagId))
    if (without.length === 0) return void toast.info(t`Nenhum atendimento em andamento está sem esta etiqueta`)
    for (const ticket of without)
      await perform(replica, 'tickets.setTags', { ticketId: ticket.id, tagIds: [...ticket.tagIds, tagId] })
    offerUndo(plural(without.length, { one: '# atendimento etiquetado', other: '# atendimentos etiquetados' }), () => {
      for (const { id, tagIds } of without) void perform(replica, 'tickets.setTags', { ticketId: id, tagIds })
    })
  }
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>
        <Button
          variant="outline"
          size="sm"
          disabled={disabled || tags.list.length === 0}
          aria-label={narrow ? label : undefined}
        >
          <Tag />
          {narrow ? <Trans>Etiquetar</Trans> : label}
        </Button>
      </PopoverTrigger>
      <PopoverContent align="end" className="w-60 p-1">
        <Command
          label={t`Buscar etiqueta`}
          placeholder={t`Buscar etiqueta`}
          items={tags.list.map((tag) => ({ id: String(tag.id), label: tag.name }))}
          selected={[]}
          onSelect={(id) => void put(Number(id)).catch(toastError)}
        />
      </PopoverContent>
    </Popover>
  )
}
