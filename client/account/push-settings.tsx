import { Trans, useLingui } from '@lingui/react/macro'
import { BellOff, BellRing } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { TimeInput } from '../ui/date-input.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Switch } from '../ui/switch.tsx'
import { api } from '../session/api.ts'
import { errorText } from '../session/error-text.ts'
import { toastError } from '../session/failure.tsx'
import { usePush } from './push.ts'
import type { PushPreferences } from './push.ts'
import { useFetched } from '../session/fetched.ts'

/** Hours that most people sleep, proposed when quiet hours are switched on. */
const night = { quietFrom: '22:00', quietTo: '07:00' }

/** Whether this browser tells of messages while the app is closed, and when it must not. Each change counts at once. */
export function PushSettings() {
  const { t } = useLingui()
  const { state, busy, turn } = usePush()
  const preferences = useFetched<PushPreferences>('/push/preferences')
  const quiet = preferences.data && preferences.data.quietFrom !== preferences.data.quietTo

  const save = async (change: Partial<PushPreferences>) => {
    const { data } = preferences
    if (!data) return
    const next = { ...data, ...change }
    try {
      await preferences.patchWhile(
        api.put('/push/preferences', next),
        () => next,
        () => data,
      )
    } catch (error) {
      toastError(error)
    }
  }

  return (
    <section aria-label={t`Avisos com o aplicativo fechado`} className="flex flex-col gap-3 border-t pt-4">
      <h3 className="text-sm font-semibold">
        <Trans>Avisos com o aplicativo fechado</Trans>
      </h3>
      {state === 'checking' && <Skeleton className="h-8" />}
      {state === 'unavailable' && (
        <Notice>
          <Trans>
            Este navegador não oferece avisos aqui. Use o endereço com https; no iPhone, adicione antes o aplicativo à
            tela de início.
          </Trans>
        </Notice>
      )}
      {state === 'unavailable' && <WhileOpen />}
      {state === 'denied' && (
        <Notice>
          <Trans>
            Os avisos foram bloqueados neste navegador. Para recebê-los, permita notificações deste site nas
            configurações do navegador e abra esta janela de novo.
          </Trans>
        </Notice>
      )}
      {(state === 'off' || state === 'on') && (
        <Field
          inline
          label={t`Avisar neste navegador`}
          hint={
            state === 'on' ? (
              <span className="inline-flex items-center gap-1">
                <BellRing aria-hidden="true" className="size-3.5" />
                <Trans>Novas mensagens dos seus atendimentos, das suas filas e dos seus colegas avisam você.</Trans>
              </span>
            ) : (
              <Trans>O navegador vai pedir a sua permissão.</Trans>
            )
          }
        >
          <Switch
            checked={state === 'on'}
            disabled={busy}
            onCheckedChange={(on) => void turn(on).catch((error: unknown) => toastError(error))}
          />
        </Field>
      )}
      {preferences.error && !preferences.data && (
        <p role="alert" className="text-xs text-destructive-soft-foreground">
          {errorText(preferences.error)}
        </p>
      )}
      {state !== 'unavailable' && preferences.data && (
        <>
          <Field inline label={t`Receber avisos em qualquer dos meus navegadores`}>
            <Switch checked={preferences.data.enabled} onCheckedChange={(enabled) => void save({ enabled })} />
          </Field>
          <Field inline label={t`Horário de silêncio`}>
            <Switch
              checked={quiet === true}
              disabled={!preferences.data.enabled}
              onCheckedChange={(on) => void save(on ? night : { quietFrom: '00:00', quietTo: '00:00' })}
            />
          </Field>
          {quiet && preferences.data.enabled && (
            <div className="grid grid-cols-2 gap-3">
              <Hour
                label={t`Das`}
                value={preferences.data.quietFrom}
                other={preferences.data.quietTo}
                onSave={(quietFrom) => void save({ quietFrom })}
              />
              <Hour
                label={t`Até as`}
                value={preferences.data.quietTo}
                other={preferences.data.quietFrom}
                onSave={(quietTo) => void save({ quietTo })}
              />
              <p className="col-span-2 -mt-1 text-xs text-muted-foreground">
                <Trans>No fuso horário da empresa.</Trans>
              </p>
            </div>
          )}
        </>
      )}
    </section>
  )
}

/** Without push a browser still tells of messages while the app is open in another tab, if it is allowed to. */
function WhileOpen() {
  const [permission, setPermission] = useState(() =>
    typeof Notification === 'undefined' ? 'denied' : Notification.permission,
  )
  if (permission !== 'default') return null
  return (
    <Button
      variant="outline"
      size="sm"
      className="self-start"
      onClick={() => void Notification.requestPermission().then(setPermission)}
    >
      <BellRing />
      <Trans>Avisar-me também fora desta aba</Trans>
    </Button>
  )
}

/** Saved when it is left, since a time is typed in parts. Both ends alike would mean no silence at all. */
function Hour({
  label,
  value,
  other,
  onSave,
}: {
  label: string
  value: string
  other: string
  onSave: (value: string) => void
}) {
  const { t } = useLingui()
  const [typed, setTyped] = useState(value)
  // What is left short is read as the person goes: that is not drawn yet when they have gone.
  const latest = useRef(value)
  const same = typed === other
  return (
    <Field label={label} error={same ? t`Início e fim são iguais` : undefined}>
      <TimeInput
        value={typed}
        onChange={(time) => {
          latest.current = time
          setTyped(time)
        }}
        // Enter would save the form around it, and this not.
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          event.currentTarget.blur()
        }}
        onBlur={() => {
          const time = latest.current
          if (!time) setTyped((latest.current = value))
          else if (time !== other && time !== value) onSave(time)
        }}
      />
    </Field>
  )
}

function Notice({ children }: { children: React.ReactNode }) {
  return (
    <p className="flex items-start gap-2 rounded-lg bg-warning-soft px-3.5 py-2.5 text-sm text-warning-soft-foreground">
      <BellOff aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span>{children}</span>
    </p>
  )
}
