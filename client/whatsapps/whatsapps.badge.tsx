import { useLingui } from '@lingui/react/macro'
import { useEffect } from 'react'
import type { ConnectionStatus } from '../../schema/whatsapps/whatsapps.table.ts'
import { setMenuBadge } from '../base/menu-badges.ts'
import { useRows } from '../replica/live-rows.ts'
import type { Rows } from '../replica/rows.ts'
import { needsAttention } from './whatsapps.status.ts'

/** A connection that is only being opened is not an alarm yet. */
const checkMs = 2000

const connections: Rows<{ id: number; status: ConnectionStatus }> = {
  query: { sql: 'SELECT id, status FROM whatsapps', tables: ['whatsapps'] },
  keyOf: ({ id }) => id,
}

/** Marks the menu's connections with '!' while one of them needs somebody. */
export default function ConnectionsBadge() {
  const { t } = useLingui()
  const { rows } = useRows(connections)
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
