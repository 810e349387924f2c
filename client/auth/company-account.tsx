import { Trans } from '@lingui/react/macro'
import { Building2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { api } from '../session/api.ts'
import type { Challenge } from '../session/session.tsx'
import type { SessionUser } from '../session/session-store.ts'
import { session } from '../session/session-store.ts'
import { Button } from '../ui/button.tsx'
import { useOpen } from './open-resource.ts'

/** Where to come back to after the way over the provider; only this tab's. */
const fromKey = 'balcao.sso-from'

/** What the way back from the provider ended in: `/login#entered`, `#challenge=…&methods=…` or `#error=…`. Read once. */
export type Returned = { entered: true } | Challenge | { error: string }

export function takeReturned(): Returned | null {
  const hash = location.hash.slice(1)
  const [word, value = ''] = hash.split(/[=&]/, 2)
  const methods = /&methods=([\w,]+)$/.exec(hash)?.[1]?.split(',') ?? []
  const found =
    word === 'entered'
      ? ({ entered: true } as const)
      : word === 'challenge'
        ? { challenge: value, methods: (['code', 'passkey'] as const).filter((method) => methods.includes(method)) }
        : word === 'error' && /^ERR_\w+$/.test(value)
          ? { error: value }
          : null
  // Neither a reload nor the history has it again.
  if (found) history.replaceState(history.state, '', `${location.pathname}${location.search}`)
  return found
}

/** Where the person wanted to go before they were sent away. */
export function takeFrom(): string | undefined {
  const from = sessionStorage.getItem(fromKey) ?? undefined
  sessionStorage.removeItem(fromKey)
  return from && /^\/(?![/\\])/.test(from) ? from : undefined
}

/** Begins here the session that the way back has begun: its cookie is there, its token is asked for. */
export async function enterReturned(): Promise<void> {
  await session.cleaned()
  const { token, user } = await api.post<{ token: string; user: SessionUser }>('/auth/refresh_token', undefined, {
    auth: false,
  })
  session.begin(token, user)
}

/** To the company's own provider; shown where a company of this installation has one. */
export function CompanyAccount({
  company,
  from,
  emailOf,
  isOnlyWay,
  onFailed,
}: {
  /** Of the address; its people need not say their e-mail first. */
  company: number | undefined
  from: string | undefined
  /** What is typed, or nothing where it is none. */
  emailOf: () => Promise<string | undefined>
  /** The server has just said that nothing else opens this account: it is what to do next. */
  isOnlyWay: boolean
  onFailed: (reason: unknown) => void
}) {
  const { data } = useOpen<{ available: boolean }>(company ? `/auth/oidc?company=${company}` : '/auth/oidc')
  const [busy, setBusy] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isOnlyWay) button.current?.focus()
  }, [isOnlyWay])
  if (!data?.available) return null
  const leave = async () => {
    const email = await emailOf()
    if (!company && !email) return
    setBusy(true)
    try {
      const body = { ...(company ? { company } : {}), ...(email ? { email } : {}) }
      const { url } = await api.post<{ url: string }>('/auth/oidc/begin', body, { auth: false })
      if (from) sessionStorage.setItem(fromKey, from)
      location.assign(url)
    } catch (error) {
      setBusy(false)
      onFailed(error)
    }
  }
  return (
    <Button
      ref={button}
      type="button"
      variant={isOnlyWay ? 'primary' : 'outline'}
      size="lg"
      busy={busy}
      className="w-full"
      onClick={() => void leave()}
    >
      <Building2 />
      <Trans>Entrar com a conta da empresa</Trans>
    </Button>
  )
}
