import { useReplica } from '../replica/replica.tsx'
import { usePrincipal } from '../session/session.tsx'
import { useCompanyEvent, useConnected } from '../session/use-event.ts'
import { forgetErased } from './privacy.forget.ts'

/** This browser forgets whom the company has erased: at once, and after it was away. */
export default function ForgetsTheErased() {
  const replica = useReplica()
  const { userId } = usePrincipal()
  const look = () => void forgetErased(replica, userId).catch(() => undefined)
  useCompanyEvent('erasure', look)
  useConnected(look)
  return null
}
