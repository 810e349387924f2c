import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { CommandName } from '../../schema/catalog.ts'

/** What each command is called where it waits or was refused. Does not compile while one has no name. */
export const commandNames: Record<CommandName, MessageDescriptor> = {
  'messages.send': msg`Enviar mensagem`,
  'messages.sendTemplate': msg`Enviar modelo`,
  'messages.edit': msg`Editar mensagem`,
  'messages.delete': msg`Apagar mensagem`,
  'messages.undelete': msg`Desfazer`,
  'messages.react': msg`Reagir`,
  'messages.retry': msg`Reenviar mensagem`,
  'notes.create': msg`Adicionar observação`,
  'notes.delete': msg`Excluir observação`,
  'mentions.read': msg`Marcar menções como lidas`,
  'tickets.accept': msg`Aceitar`,
  'tickets.return': msg`Devolver à fila`,
  'tickets.resolve': msg`Resolver`,
  'tickets.reopen': msg`Reabrir`,
  'tickets.undo': msg`Desfazer`,
  'tickets.transfer': msg`Transferir`,
  'tickets.read': msg`Marcar como lida`,
  'tickets.setTags': msg`Mudar etiquetas`,
  'tickets.setFields': msg`Preencher campos`,
  'contacts.setFields': msg`Preencher campos do contato`,
  'tickets.setLane': msg`Mover no kanban`,
  'schedules.create': msg`Agendar mensagem`,
  'schedules.update': msg`Mudar agendamento`,
  'schedules.delete': msg`Excluir agendamento`,
  'drafts.set': msg`Guardar rascunho`,
  'filters.save': msg`Guardar filtro`,
  'filters.delete': msg`Excluir filtro`,
  'chats.send': msg`Enviar mensagem no chat interno`,
  'chats.read': msg`Marcar chat como lido`,
  'flows.edit': msg`Editar fluxo`,
  'optOuts.note': msg`Registrar descadastro`,
}
