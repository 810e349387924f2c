import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { RouterProvider } from '@tanstack/react-router'
import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { watchInstall } from './account/install.ts'
import { registerServiceWorker } from './account/register-service-worker.ts'
import { startTheme } from './base/theme.ts'
import { activateLocale, storedLocale } from './i18n/locale.ts'
import { router } from './routes/router.tsx'
import './shell/styles.css'

const container = document.getElementById('root')
if (!container) throw new Error('index.html lacks #root')

// What the replica kept of the last time is read first; where nobody is logged in, nothing of it may be left.
void import('./replica/replica.tsx').then(({ startReplica }) => startReplica())
startTheme()
await activateLocale(storedLocale())

// A transition is drawn in small pieces, between which the page answers.
startTransition(() =>
  createRoot(container).render(
    <StrictMode>
      <I18nProvider i18n={i18n}>
        <RouterProvider router={router} />
      </I18nProvider>
    </StrictMode>,
  ),
)

void registerServiceWorker()
watchInstall()
// Somebody pressed a notification.
navigator.serviceWorker?.addEventListener('message', (event) => {
  const { type, path } = (event.data ?? {}) as { type?: unknown; path?: unknown }
  if (type === 'OPEN' && typeof path === 'string' && path.startsWith('/')) router.history.push(path)
})
