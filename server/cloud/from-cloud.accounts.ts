/** What webhooks tell of accounts and numbers themselves, and not of messages. Pure. */
import { isRecord } from '../outside/outside.call.ts'
import { idOf } from './from-cloud.content.ts'

/**
 * - `limited`: the account is limited, switched off, or will be
 * - `reinstated`: that is over
 * - `withdrawn`: the account is gone, or its owner has taken it from this app, as who ends coexistence on the phone does
 * - `look`: something of a number is another than it was, and is asked for
 * - `name_refused`: the same; and people do not see the name that was asked for
 */
export type AccountNews = 'limited' | 'reinstated' | 'withdrawn' | 'look' | 'name_refused'

/** Undefined for what is nothing to anybody here: it is counted. @param entry the account that the webhook names */
export function newsOfAccount(
  entry: string,
  field: string,
  value: unknown,
): { account: string; news: AccountNews; number: string | null } | undefined {
  if (!isRecord(value)) return undefined
  const news = newsIn(field, value)
  if (!news) return undefined
  // What is told of a partner stands below the partner's own id.
  const info = isRecord(value['waba_info']) ? idOf(value['waba_info']['waba_id']) : undefined
  const digits = field === 'account_update' ? '' : (idOf(value['display_phone_number']) ?? '').replaceAll(/\D/g, '')
  return { account: info ?? entry, news, number: digits || null }
}

function newsIn(field: string, value: Record<string, unknown>): AccountNews | undefined {
  if (field === 'phone_number_quality_update') return 'look'
  if (field === 'phone_number_name_update') return value['decision'] === 'REJECTED' ? 'name_refused' : 'look'
  if (field !== 'account_update') return undefined
  switch (value['event']) {
    case 'ACCOUNT_RESTRICTION':
    case 'ACCOUNT_VIOLATION':
      return 'limited'
    case 'ACCOUNT_DELETED':
    case 'PARTNER_REMOVED':
      return 'withdrawn'
    case 'DISABLED_UPDATE': {
      const state = isRecord(value['ban_info']) ? value['ban_info']['waba_ban_state'] : undefined
      if (state === 'REINSTATE') return 'reinstated'
      return state === 'DISABLE' || state === 'SCHEDULE_FOR_DISABLE' ? 'limited' : undefined
    }
    default:
      return undefined
  }
}
