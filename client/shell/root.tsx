import { useLingui } from '@lingui/react/macro'
import { Outlet } from '@tanstack/react-router'
import { patient } from '../../sync/client/repeatable.ts'
import { prepareToasts, timeToasts, Toaster } from '../ui/toaster.tsx'
import { afterFirstScreen } from '../base/late.tsx'
import { useScreenFocus } from './screen-focus.ts'
import { useTheme } from '../base/theme.ts'

/** No screen fails for them: without a network they come later. */
const loadToasts = patient(() => import('../ui/toasts.tsx'))
void afterFirstScreen.then(prepareToasts)
// Until they are here, a toast stays as long as on the inbox.
void afterFirstScreen
  .then(patient(() => import('./toast-time.ts')))
  .then(({ toastMsAt }) => timeToasts(() => toastMsAt(location.pathname)))

export function Root() {
  const { t } = useLingui()
  useScreenFocus()
  return (
    <>
      <Outlet />
      <Toaster load={loadToasts} theme={useTheme()} label={t`Avisos`} />
    </>
  )
}
