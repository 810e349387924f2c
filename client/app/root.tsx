import { useLingui } from '@lingui/react/macro'
import { Outlet } from '@tanstack/react-router'
import { prepareToasts, Toaster } from '../ui/toaster.tsx'
import { afterFirstScreen } from './late.tsx'
import { useScreenFocus } from './screen-focus.ts'
import { useTheme } from './theme.ts'

void afterFirstScreen.then(prepareToasts)

export function Root() {
  const { t } = useLingui()
  useScreenFocus()
  return (
    <>
      <Outlet />
      <Toaster theme={useTheme()} label={t`Avisos`} />
    </>
  )
}
