import { Type } from '@sinclair/typebox'
import { command } from '../command.ts'
import { DomainError } from '../errors.ts'
import { clientId, optionalRowId, rowId } from '../inputs.ts'
import { can, type Principal } from '../permissions.ts'
import type { Schedule } from './schedules.table.ts'

const body = Type.String({ minLength: 5, maxLength: 65_536, pattern: '\\S' })
/** ISO 8601 with zone, such as `2026-11-20T12:00:00.000Z`. */
const moment = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,6})?(Z|[+-]\\d{2}:\\d{2})$',
})

/** Files travel by their own route (`POST /schedules/:id/media-upload`). */
function mine(schedule: Schedule, who: Principal): Schedule {
  if (schedule.userId !== who.userId && !can(who, 'tickets-manager:showall'))
    throw new DomainError('ERR_NO_SCHEDULE_FOUND')
  return schedule
}

function time(text: string): Date {
  const at = new Date(text)
  if (Number.isNaN(at.getTime()))
    throw new DomainError('ERR_VALIDATION', { fields: [{ path: '/sendAt', message: 'not a time' }] })
  return at
}

export const scheduleCommands = {
  'schedules.create': command({
    name: 'schedules.create',
    needs: null,
    feature: 'useSchedules',
    input: Type.Object(
      { id: clientId, contactId: rowId, body, sendAt: moment, whatsappId: Type.Optional(optionalRowId) },
      { additionalProperties: false },
    ),
    facts: async (input, read) => ({
      contact: await read.need('contacts', input.contactId),
      whatsapp: input.whatsappId == null ? null : await read.need('whatsapps', input.whatsappId),
    }),
    decide: (input, { contact, whatsapp }, { who, now }) => ({
      rows: [
        {
          table: 'schedules',
          op: 'insert',
          values: {
            id: input.id,
            companyId: who.companyId,
            contactId: contact.id,
            userId: who.userId,
            whatsappId: whatsapp?.id ?? null,
            body: input.body,
            sendAt: time(input.sendAt),
            sentAt: null,
            status: 'PENDENTE',
            error: null,
            mediaPath: null,
            mediaName: null,
            mediaMime: null,
            mediaSize: null,
            createdAt: now,
            updatedAt: now,
          },
        },
      ],
      effects: [],
      result: { id: input.id },
    }),
  }),

  /** What was sent stays as it is; what failed may be set to another time and is then due again. */
  'schedules.update': command({
    name: 'schedules.update',
    needs: null,
    feature: 'useSchedules',
    input: Type.Object(
      {
        id: clientId,
        contactId: Type.Optional(rowId),
        body: Type.Optional(body),
        sendAt: Type.Optional(moment),
        whatsappId: Type.Optional(optionalRowId),
      },
      { additionalProperties: false },
    ),
    facts: async (input, read, who) => {
      const schedule = mine(await read.need('schedules', input.id), who)
      if (input.contactId !== undefined) await read.need('contacts', input.contactId)
      if (input.whatsappId != null) await read.need('whatsapps', input.whatsappId)
      return schedule
    },
    decide: (input, schedule, { now }) => {
      if (schedule.status === 'ENVIADA') throw new DomainError('ERR_SCHEDULE_SENT')
      const { id: _id, sendAt, ...values } = input
      return {
        rows: [
          {
            table: 'schedules',
            op: 'update',
            ids: [schedule.id],
            values: {
              ...values,
              ...(sendAt ? { sendAt: time(sendAt) } : {}),
              status: 'PENDENTE',
              error: null,
              updatedAt: now,
            },
          },
        ],
        effects: [],
        result: { id: schedule.id },
      }
    },
  }),

  'schedules.delete': command({
    name: 'schedules.delete',
    needs: null,
    feature: 'useSchedules',
    input: Type.Object({ id: clientId }, { additionalProperties: false }),
    facts: async (input, read, who) => mine(await read.need('schedules', input.id), who),
    decide: (_input, schedule) => ({
      rows: [{ table: 'schedules', op: 'delete', ids: [schedule.id] }],
      effects: schedule.mediaPath ? [{ kind: 'media.release', path: schedule.mediaPath }] : [],
    }),
  }),
}
