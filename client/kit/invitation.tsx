import { Plural, Trans } from '@lingui/react/macro'
import { ShownOnce } from './shown-once.tsx'

/** As the server tells it, once. */
export interface Invitation {
  code: string
  days: number
  /** Whether it went to their mailbox, too. */
  mailed: boolean
}
export type Invited = Invitation & { name: string; email: string }

/** The link by which somebody new chooses their password: to be handed on by whoever invited them. */
export function InvitationDialog({ of, onClose }: { of: Invited; onClose: () => void }) {
  const { name, email, code, days, mailed } = of
  const link = `${location.origin}/invitation#${new URLSearchParams({ email: email.trim().toLowerCase(), code })}`
  return (
    <ShownOnce title={<Trans>Convite para {name}</Trans>} text={link} onClose={onClose}>
      {mailed ? (
        <Trans>O convite foi enviado para {email}. Se preferir, envie também este endereço.</Trans>
      ) : (
        <Trans>Envie este endereço à pessoa: nele, ela escolhe a própria senha.</Trans>
      )}{' '}
      <Plural value={days} one="Vale por # dia, uma só vez." other="Vale por # dias, uma só vez." />
    </ShownOnce>
  )
}
