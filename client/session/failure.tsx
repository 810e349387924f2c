import { t } from '@lingui/core/macro'
import { useLingui } from '@lingui/react'
import { useEffect, useState } from 'react'
import { repeatable } from '../../sync/client/repeatable.ts'
import { toast } from '../ui/toaster.tsx'
import { ApiError } from './api.ts'

/** Of what can fail, most never does: the texts are fetched with the first failure, or with a screen that shows some. */
const errorTexts = repeatable(() => import('./error-text.ts'))

async function textOf(error: unknown): Promise<string> {
  try {
    return (await errorTexts()).errorText(error)
  } catch {
    // The texts do not come either.
    return t`Sem conexão com o servidor`
  }
}

/**
 * Shows a failure as a toast: a rule's refusal, a call's, or a defect's. Silent for a session that ended (the login screen
 * says it) and for calls we aborted.
 * @param title what is said above the reason
 */
export function toastError(error: unknown, title?: string): void {
  if (error instanceof DOMException && error.name === 'AbortError') return
  if (error instanceof ApiError && error.status === 401) return
  void textOf(error).then((text) =>
    title === undefined ? toast.error(text) : toast.error(title, { description: text }),
  )
}

/** Any failure in the person's language, for screens that come before the texts. */
export function FailureText({ error }: { error: unknown }) {
  const { i18n } = useLingui()
  const [text, setText] = useState('')
  useEffect(() => {
    let left = false
    void textOf(error).then((found) => left || setText(found))
    return () => {
      left = true
    }
  }, [error, i18n.locale])
  return text
}
