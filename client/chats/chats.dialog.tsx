import { Trans, useLingui } from '@lingui/react/macro'
import type { Static } from '@sinclair/typebox'
import { Controller, useForm } from 'react-hook-form'
import { chatInput } from '../../schema/chats/chats.inputs.ts'
import { api } from '../session/api.ts'
import { FormDialog, schemaResolver } from '../kit/form.tsx'
import { usePrincipal } from '../session/session.tsx'
import { useUsers } from '../replica/directory.ts'
import { MultiCombobox } from '../ui/combobox.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import type { ChatRow } from './chats.rows.ts'

/** Makes (`chat` null) or changes a chat. */
export function ChatDialog({
  chat,
  onClose,
  onSaved,
}: {
  chat: ChatRow | null
  onClose: () => void
  onSaved: (chat: Pick<ChatRow, 'id' | 'uuid'>) => void
}) {
  const { t } = useLingui()
  const { userId } = usePrincipal()
  const colleagues = useUsers().list.filter((user) => user.id !== userId)
  const form = useForm<Static<typeof chatInput>>({
    defaultValues: { title: chat?.title ?? '', users: chat?.memberIds.filter((id) => id !== userId) ?? [] },
    resolver: schemaResolver(chatInput, { users: t`Por favor, selecione pelo menos um usuário.` }),
  })
  const {
    register,
    control,
    formState: { errors },
  } = form
  return (
    <FormDialog
      onClose={onClose}
      title={chat ? t`Editar conversa` : t`Nova conversa`}
      form={form}
      fieldOf={{ ERR_NO_USER_FOUND: 'users' }}
      onSubmit={async (values) =>
        onSaved(
          await (chat
            ? api.put<{ id: number; uuid: string }>(`/chats/${chat.id}`, values)
            : api.post<{ id: number; uuid: string }>('/chats', values)),
        )
      }
    >
      <Field
        label={<Trans>Título</Trans>}
        required
        error={errors.title?.type === 'required' ? t`Por favor, preencha o título da conversa.` : errors.title?.message}
      >
        <Input autoFocus autoComplete="off" maxLength={chatInput.properties.title.maxLength} {...register('title')} />
      </Field>
      <Field label={<Trans>Usuários</Trans>} required error={errors.users?.message}>
        <Controller
          control={control}
          name="users"
          render={({ field }) => (
            <MultiCombobox
              values={field.value.map(String)}
              onChange={(ids) => field.onChange(ids.map(Number))}
              options={colleagues.map(({ id, name }) => ({ id: String(id), label: name }))}
              placeholder={t`Escolher usuários`}
              searchPlaceholder={t`Buscar usuário…`}
              empty={t`Nenhum usuário encontrado`}
            />
          )}
        />
      </Field>
    </FormDialog>
  )
}
