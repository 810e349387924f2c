import { Elysia } from 'elysia'
import type { Principal } from '../../schema/permissions.ts'
import { changedWhatsapp, newWhatsapp } from '../../schema/whatsapps/whatsapps.inputs.ts'
import { readNumbers, whatsappWire } from '../../schema/wire.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demand } from '../http/guard.ts'
import { idParams } from '../http/inputs.ts'
import { listWhatsapps, needWhatsapp, shownTo, type WhatsappRow } from './whatsapps.queries.ts'
import { addWhatsapp, changeWhatsapp, deleteWhatsapp, renewToken } from './whatsapps.writes.ts'

const tags = ['connections']
const view = whatsappWire.write

/** Connections. */
export function whatsappRoutes(deps: AppDeps) {
  const { db, events, sessions } = deps

  const need = (who: Principal, id: number): Promise<WhatsappRow> => needWhatsapp(db, who.companyId, id)
  /** Everybody in the company hears of it, so neither token nor QR is in it. */
  const emit = (action: string, row: WhatsappRow) => {
    const { token: _token, qrcode: _qrcode, ...whatsapp } = row
    events.emit({ companyId: row.companyId, name: 'whatsapp', action, payload: { whatsapp: view(whatsapp) } })
  }

  return new Elysia()
    .use(authed(deps))
    .onTransform(readNumbers)
    .get(
      '/whatsapp',
      async ({ who }) => (await listWhatsapps(db, who.companyId)).map((row) => view(shownTo(who, row))),
      { detail: { tags, summary: 'All connections; token and QR only for admins' } },
    )
    .get('/whatsapp/:id', async ({ who, params }) => view(shownTo(who, await need(who, params.id))), {
      params: idParams,
      detail: { tags, summary: 'One connection' },
    })
    .post(
      '/whatsapp',
      async ({ who, body }) => {
        demand(who, 'connections-page:addConnection')
        const id = await addWhatsapp(deps, who.companyId, body)
        await sessions.start(id)
        const row = await need(who, id)
        emit('create', row)
        return view(row)
      },
      { body: newWhatsapp, detail: { tags, summary: 'Make a connection and start its session' } },
    )
    .put(
      '/whatsapp/:id',
      async ({ who, params, body }) => {
        demand(who, 'connections-page:editOrDeleteConnection')
        await changeWhatsapp(deps, who.companyId, params.id, body)
        const row = await need(who, params.id)
        emit('update', row)
        return view(row)
      },
      { params: idParams, body: changedWhatsapp, detail: { tags, summary: 'Change a connection' } },
    )
    .post(
      '/whatsapp/:id/token',
      async ({ who, params }) => {
        demand(who, 'connections:token')
        await need(who, params.id)
        await renewToken(deps, who.companyId, params.id)
        return view(shownTo(who, await need(who, params.id)))
      },
      {
        params: idParams,
        detail: {
          tags,
          summary: 'Another token of the API in place of the one there is, which opens nothing any more',
        },
      },
    )
    .delete(
      '/whatsapp/:id',
      async ({ who, params }) => {
        demand(who, 'connections-page:editOrDeleteConnection')
        const row = await need(who, params.id)
        await sessions.forget(row.id)
        await deleteWhatsapp(deps, who.companyId, row)
        events.emit({
          companyId: who.companyId,
          name: 'whatsapp',
          action: 'delete',
          payload: { whatsappId: row.id },
        })
        return {}
      },
      { params: idParams, detail: { tags, summary: 'Delete a connection; its tickets stay' } },
    )
}
