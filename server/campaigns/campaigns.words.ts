import type { Words } from '../../schema/languages.ts'
import type { ShippingState, SkipReason } from '../../schema/campaigns/campaigns.state.ts'

/** How far a message is, as the screen of the report says it. */
export const stateWords: Record<ShippingState, Words> = {
  planned: ['Planejada', 'Planificado', 'Planned'],
  skipped: ['Ficou de fora', 'Quedó fuera', 'Left out'],
  sent: ['Enviada', 'Enviado', 'Sent'],
  delivered: ['Entregue', 'Entregado', 'Delivered'],
  read: ['Lida', 'Leído', 'Read'],
  replied: ['Respondida', 'Respondido', 'Replied'],
  failed: ['Falhou', 'Falló', 'Failed'],
  cancelled: ['Cancelada', 'Cancelado', 'Cancelled'],
}

const skipped: Record<SkipReason, Words> = {
  opted_out: ['Pediu para não receber', 'Pidió no recibir mensajes', 'Asked not to receive messages'],
  not_on_whatsapp: ['Sem WhatsApp', 'Sin WhatsApp', 'Without WhatsApp'],
  no_number: ['Sem número', 'Sin número', 'No number'],
  not_confirmed: ['Não respondeu à confirmação', 'No respondió a la confirmación', 'Did not reply to the confirmation'],
  declined: ['Respondeu que não', 'Respondió que no', 'Answered no'],
  no_values: ['Falta algo para o modelo', 'Falta algo para la plantilla', 'Something for the template is missing'],
  too_many: ['Além do limite da campanha', 'Más allá del límite de la campaña', 'Beyond the campaign’s limit'],
}

/** What WhatsApp, or the way there, said besides. */
const failed: Record<string, Words> = {
  duplicate: ['Repetido', 'Repetido', 'Repeated'],
  no_server_ack: ['O WhatsApp não confirmou', 'WhatsApp no confirmó', 'WhatsApp did not confirm'],
  463: [
    'O WhatsApp recusou novas conversas',
    'WhatsApp rechazó nuevas conversaciones',
    'WhatsApp refused new conversations',
  ],
  not_sent: ['Não foi possível enviar', 'No se pudo enviar', 'Could not be sent'],
  unlinked: ['O celular foi desconectado', 'El teléfono se desvinculó', 'The phone was unlinked'],
  no_connection: [
    'A campanha terminou sem conexão',
    'La campaña terminó sin conexión',
    'The campaign ended without a connection',
  ],
}

const reasons: Record<string, Words> = { ...skipped, ...failed }

/** Why somebody got no message; codes of WhatsApp that have no words stay beside what they are. */
export const reasonWords = (reason: string): Words =>
  reasons[reason] ?? [
    `Recusado pelo WhatsApp (${reason})`,
    `Rechazado por WhatsApp (${reason})`,
    `Refused by WhatsApp (${reason})`,
  ]
