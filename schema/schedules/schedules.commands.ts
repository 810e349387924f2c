import { Type } from '@sinclair/typebox'
import { command } from '../command.ts'
import { DomainError } from '../errors.ts'
import { clientId } from '../inputs.ts'
import type { Principal } from '../permissions.ts'
import { mayGrowTooLong } from '../placeholders/placeholders.ts'
import { missingValues, templateText, type TemplateValues } from '../templates/templates.parts.ts'
import type { Template } from '../templates/templates.table.ts'
import { changedSchedule, newSchedule } from './schedules.inputs.ts'
import { mayChangeSchedule } from './schedules.rights.ts'
import type { Schedule } from './schedules.table.ts'
import { removeSchedules, scheduleAfter } from './schedules.transition.ts'

/** Files travel by their own route (`POST /schedules/:id/media-upload`). */
function mine(schedule: Schedule, who: Principal): Schedule {
  if (!mayChangeSchedule(who, schedule)) throw new DomainError('ERR_NO_SCHEDULE_FOUND')
  return schedule
}

/** Nobody who may send it stands behind it. */
const hasNoAuthor = ({ userId, status, error }: Schedule): boolean =>
  userId === null || (status === 'ERRO' && (error === 'ERR_SCHEDULE_AUTHOR' || error === 'ERR_TICKET_TAKEN'))

/** @throws DomainError `ERR_TEXT_LONG` where it might not fit a message once its variables are known */
function text(body: string): string {
  if (mayGrowTooLong(body)) throw new DomainError('ERR_TEXT_LONG')
  return body
}

/**
 * What a schedule says: its own words, or those of a template, which also binds it to the template's connection.
 * @throws DomainError `ERR_NO_TEMPLATE_FOUND` for a template of another connection, `ERR_TEMPLATE_VALUES`, `ERR_VALIDATION`
 */
function sayingOf(
  body: string | undefined,
  template: Template | null,
  { values, whatsappId }: { values: TemplateValues; whatsappId: number | null },
): Pick<Schedule, 'body' | 'whatsappId' | 'templateId' | 'templateValues'> {
  if (!template) {
    if (body === undefined)
      throw new DomainError('ERR_VALIDATION', { fields: [{ path: '/body', message: 'body or templateId' }] })
    return { body: text(body), whatsappId, templateId: null, templateValues: {} }
  }
  if (whatsappId !== null && whatsappId !== template.whatsappId) throw new DomainError('ERR_NO_TEMPLATE_FOUND')
  const missing = missingValues(template.parts, values).map(({ key }) => key)
  if (missing.length > 0) throw new DomainError('ERR_TEMPLATE_VALUES', { missing })
  return {
    body: text(templateText(template.parts, values)),
    ...{ whatsappId: template.whatsappId, templateId: template.id, templateValues: values },
  }
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
    input: newSchedule,
    facts: async (input, read) => ({
      contact: await read.need('contacts', input.contactId),
      whatsapp: input.whatsappId == null ? null : await read.need('whatsapps', input.whatsappId),
      template: input.templateId == null ? null : await read.need('templates', input.templateId),
    }),
    decide: (input, { contact, whatsapp, template }, { who, now }) => ({
      rows: [
        {
          table: 'schedules',
          op: 'insert',
          values: {
            id: input.id,
            companyId: who.companyId,
            contactId: contact.id,
            userId: who.userId,
            ...sayingOf(input.body, template, {
              ...{ values: input.templateValues ?? {}, whatsappId: whatsapp?.id ?? null },
            }),
            bulk: input.bulk ?? false,
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

  /**
   * What was sent stays as it is; what failed may be set to another time and is then due again. What its author may
   * not send any more becomes whoever's sets it anew.
   */
  'schedules.update': command({
    name: 'schedules.update',
    needs: null,
    feature: 'useSchedules',
    input: changedSchedule,
    facts: async (input, read, who) => {
      const schedule = mine(await read.need('schedules', input.id), who)
      if (input.contactId !== undefined) await read.need('contacts', input.contactId)
      if (input.whatsappId != null) await read.need('whatsapps', input.whatsappId)
      const { templateId = schedule.templateId } = input
      return { schedule, template: templateId === null ? null : await read.need('templates', templateId) }
    },
    decide: (input, { schedule, template }, { who, now }) => {
      const { id: _id, sendAt, ...rest } = input
      const saying = sayingOf(rest.body ?? schedule.body, template, {
        values: rest.templateValues ?? schedule.templateValues,
        whatsappId: rest.whatsappId === undefined ? schedule.whatsappId : rest.whatsappId,
      })
      const values = { ...rest, ...saying, ...(sendAt ? { sendAt: time(sendAt) } : {}) }
      const heir = hasNoAuthor(schedule) ? { heir: who.userId } : {}
      const patch = scheduleAfter(schedule, { type: 'set', values, ...heir }, now)
      if (!patch) throw new DomainError('ERR_SCHEDULE_SENT')
      return {
        rows: [{ table: 'schedules', op: 'update', ids: [schedule.id], values: patch }],
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
    decide: (_input, schedule) => removeSchedules([schedule]),
  }),
}
