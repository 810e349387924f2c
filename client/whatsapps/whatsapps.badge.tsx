import { useLingui } from '@lingui/react/macro'
import { useEffect } from 'react'
import { setMenuBadge } from '../base/menu-badges.ts'
import { useRows } from '../replica/live-rows.ts'
import { connectionStates } from './whatsapps.rows.ts'
import { needsAttention } from './whatsapps.status.ts'

/** A connection that is only being opened is not an alarm yet. */
const checkMs = 2000

/** Marks the menu's connections with '!' while one of them needs somebody. */
export default function ConnectionsBadge() {
  const { t } = useLingui()
  const { rows } = useRows(connectionStates)
  const troubled = rows !== undefined && rows.some(({ status }) => needsAttention(status))
  const label = t`Há conexão que precisa de atenção`
  useEffect(() => {
    if (!troubled) return
    const timer = setTimeout(() => setMenuBadge('/connections', { mark: '!', label }), checkMs)
    return () => {
      clearTimeout(timer)
      setMenuBadge('/connections', null)
    }
  }, [troubled, label])
  return null
}
