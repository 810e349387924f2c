import { Elysia } from 'elysia'
import { DomainError } from '../../schema/errors.ts'
import { type SettingRule, settingRules } from '../../schema/settings/settings.keys.ts'
import { settingInput, settingParams } from '../../schema/settings/settings.inputs.ts'
import { MASK } from '../../schema/secrets.ts'
import { OPERATOR_COMPANY_ID } from '../../schema/companies/companies.subscription.ts'
import { emitSessionEnd } from '../auth/entering.ts'
import { endActing } from '../auth/impersonation.ts'
import { withScheme } from '../bots/bots.billing.ixc.ts'
import { networksOf } from '../../schema/settings/settings.networks.ts'
import { callerAddress } from '../http/caller.ts'
import { isNetwork, liesIn } from '../outside/addresses.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demand } from '../http/guard.ts'
import { isSettingKey, listSettings, readSetting } from './settings.queries.ts'
import { writeSetting } from './settings.changes.ts'

const tags = ['settings']

/**
 * Who writes a list of networks must be inside, or they would have locked themselves out.
 * @throws DomainError `ERR_VALIDATION`, `ERR_IP_LOCKOUT`
 */
function demandInside(text: string, address: string | null): void {
  const networks = networksOf(text)
  const wrong = networks.find((one) => !isNetwork(one))
  if (wrong !== undefined)
    throw new DomainError('ERR_VALIDATION', { fields: [{ path: 'body/value', message: 'a network' }] })
  if (networks.length > 0 && (address === null || !liesIn(networks, address))) throw new DomainError('ERR_IP_LOCKOUT')
}

/** A company's settings, the operator's, and the three that the screens before the login need. */
export function settingRoutes(deps: AppDeps) {
  const { auth, config, db, sealer, outside, events, now } = deps
  const publicSetting = (key: 'trial' | 'allowregister' | 'viewregister') => async () => ({
    key,
    value: await readSetting(db, OPERATOR_COMPANY_ID, key),
  })
  const open = { detail: { tags, summary: 'A public setting; needs no login' } }

  return new Elysia({ prefix: '/settings' })
    .get('/trial', publicSetting('trial'), open)
    .get('/allowregister', publicSetting('allowregister'), open)
    .get('/viewregister', publicSetting('viewregister'), open)
    .use(authed(deps))
    .get(
      '/',
      async ({ who }) => {
        const own = await listSettings(db, who.companyId, { global: false })
        return who.super ? [...own, ...(await listSettings(db, OPERATOR_COMPANY_ID, { global: true }))] : own
      },
      { detail: { tags, summary: 'Settings with their defaults; secrets are masked' } },
    )
    .put(
      '/:key',
      async ({ who, params: { key }, body: { value }, request, server }) => {
        const rule: SettingRule | undefined = isSettingKey(key) ? settingRules[key] : undefined
        demand(who, rule?.security ? 'security:write' : rule?.privacy ? 'privacy:write' : 'settings:write')
        if (!rule || !isSettingKey(key)) throw new DomainError('ERR_NO_SETTING_FOUND')
        if ((rule.global || rule.operators) && !who.super) throw new DomainError('ERR_NO_SUPER')
        const companyId = rule.global ? OPERATOR_COMPANY_ID : who.companyId
        if (rule.guards && value !== '' && value !== MASK && !outside.accepts(withScheme(value)))
          throw new DomainError('ERR_ADDRESS_REFUSED', { field: 'value' })
        if (key === 'ipAllowList') demandInside(value, callerAddress(request, server, config.trustProxy))
        const ended = await db.transaction(async (tx) => {
          await writeSetting(tx, sealer, companyId, key, value, now())
          return key === 'supportAccess' && value === 'disabled' ? endActing(tx, companyId, now()) : []
        })
        for (const { userId, tokenVersion } of ended)
          emitSessionEnd(deps, { only: tokenVersion }, { id: userId, companyId })
        const setting = (await listSettings(db, companyId, { global: Boolean(rule.global) })).find(
          (candidate) => candidate.key === key,
        )!
        // Whoever is here is held against it at once.
        if (/^(?:ipAllowList|require(?:Operator)?2fa|maskNumbers)$/.test(key)) auth.forget()
        if (!rule.global) events.emit({ companyId, name: 'settings', action: 'update', payload: { setting } })
        return setting
      },
      {
        params: settingParams,
        body: settingInput,
        detail: { tags, summary: 'Change a setting' },
      },
    )
}
