import { Trans, useLingui } from '@lingui/react/macro'
import { useId, useState } from 'react'
import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { changedCloud, cloudPin } from '../../schema/whatsapps/whatsapps.cloud.inputs.ts'
import { MASK } from '../../schema/secrets.ts'
import { CopyButton } from '../kit/copy-button.tsx'
import { FormDialog, Refusal, schemaResolver } from '../kit/form.tsx'
import { errorText } from '../session/error-text.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogBody, DialogContent, DialogFooter } from '../ui/dialog.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Notice } from '../ui/notice.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { toast } from '../ui/toaster.tsx'
import { KeyFields, NumberFields, Steps } from './whatsapps.official-fields.tsx'
import { PhonePast } from './whatsapps.official-past.tsx'
import { type Asked, Outcome, ServiceState, useService } from './whatsapps.official-state.tsx'
import { useFailureText, useRefusalText } from './whatsapps.official-words.ts'
import { type CloudState, official, type Official, useOfficial } from './whatsapps.official.queries.ts'
import { changedIn, formOf, type OfficialForm } from './whatsapps.official.ts'

/**
 * Setting a number of the official API up at its service: how it is there, the webhook, the registration, and the values
 * by which it is reached. `verifyToken`: the connection has just been made with it; nobody can read it later.
 */
export function OfficialDialog({
  connection,
  verifyToken,
  onClose,
}: {
  connection: { id: number; name: string }
  verifyToken?: string | undefined
  onClose: () => void
}) {
  const { t } = useLingui()
  const { id, name } = connection
  const { data, error, loading, reload } = useOfficial(id)
  const asked = useService(id)
  const [isEditing, setEditing] = useState(false)
  if (isEditing && data)
    return (
      <EditForm
        id={id}
        name={name}
        known={data}
        onClose={() => setEditing(false)}
        onSaved={() => {
          reload()
          asked.ask()
        }}
      />
    )
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent
        title={t`API oficial: ${name}`}
        size="lg"
        // The word for the webhook is shown this once: a click beside the dialog must not take it away.
        onInteractOutside={(event) => verifyToken && event.preventDefault()}
      >
        <DialogBody className="flex flex-col gap-6">
          {verifyToken && <Steps now={3} />}
          {data ? (
            <>
              <Part title={<Trans>Como a Meta vê o número</Trans>}>
                <ServiceState asked={asked} />
              </Part>
              <Webhook
                id={id}
                path={data.webhookPath}
                verifyToken={verifyToken}
                coexists={data.coexistence}
                asked={asked}
                onSubscribed={reload}
              />
              {data.history && (
                <Part title={<Trans>Conversas e contatos do celular</Trans>}>
                  <PhonePast id={id} past={data.history} />
                </Part>
              )}
              <Registration id={id} coexists={data.coexistence} onState={asked.told} />
            </>
          ) : error && !loading ? (
            <ErrorState onRetry={reload}>{errorText(error)}</ErrorState>
          ) : (
            <div role="status" aria-busy="true" aria-label={t`Carregando…`} className="flex flex-col gap-4 py-2">
              <Skeleton className="h-16" />
              <Skeleton className="h-24" />
              <Skeleton className="h-16" />
            </div>
          )}
        </DialogBody>
        <DialogFooter>
          <Button variant="outline" disabled={!data} onClick={() => setEditing(true)}>
            <Trans>Editar dados</Trans>
          </Button>
          <Button onClick={onClose}>
            <Trans>Concluir</Trans>
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  )
}

function Part({ title, children }: { title: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3">
      <h3 id={id} className="text-sm font-semibold">
        {title}
      </h3>
      {children}
    </section>
  )
}

/** What is copied into Meta's page. */
function Copied({ label, text }: { label: string; text: string }) {
  return (
    <div className="flex flex-col gap-1.5">
      <span className="text-[0.8125rem] leading-none font-medium">{label}</span>
      <div className="flex items-start gap-2">
        <code className="min-w-0 flex-1 rounded-md bg-muted px-3 py-2 font-mono text-xs break-all select-all">
          {text}
        </code>
        <CopyButton text={text} size="md">
          <Trans>Copiar</Trans>
          <span className="sr-only">{label}</span>
        </CopyButton>
      </div>
    </div>
  )
}

function Webhook({
  id,
  path,
  verifyToken,
  coexists,
  asked,
  onSubscribed,
}: {
  id: number
  path: string
  verifyToken: string | undefined
  coexists: boolean
  asked: Asked
  onSubscribed: () => void
}) {
  const { t } = useLingui()
  const { busy, outcome, run } = useAsking()
  const isSubscribed = asked.state?.isSubscribed === true
  const webhook = asked.state?.webhook ?? null
  const missing = webhook?.missing.join(', ') ?? ''
  const subscribe = (here: boolean) =>
    run(async () => {
      const state = await official.subscribe(id, here)
      asked.told(state)
      onSubscribed()
      return state.failure ? { refused: state } : { done: t`A Meta avisa este servidor das mensagens da conta.` }
    })
  return (
    <Part title={<Trans>Webhook</Trans>}>
      <p className="text-sm text-muted-foreground">
        <Trans>
          No painel da Meta, em WhatsApp, Configuração, informe o endereço e o token de verificação e marque os campos
          “messages”, “calls”, “user_preferences”, “account_update” e os que têm “template” ou “phone_number” no nome.
          Depois ligue os avisos aqui.
        </Trans>{' '}
        {coexists && (
          <Trans>
            Como o celular também usa o número, marque ainda “history”, “smb_app_state_sync” e “smb_message_echoes”.
          </Trans>
        )}
      </p>
      {location.protocol !== 'https:' && (
        <Notice>
          <Trans>A Meta só chama endereços públicos com https. Este começa com http.</Trans>
        </Notice>
      )}
      <Copied label={t`Endereço do webhook`} text={`${location.origin}${path}`} />
      {verifyToken ? (
        <Copied label={t`Token de verificação`} text={verifyToken} />
      ) : (
        <p className="text-xs text-muted-foreground">
          <Trans>
            O token de verificação é o que foi informado com os dados; ele não é mostrado de novo. Em “Editar dados”
            pode ser trocado.
          </Trans>
        </p>
      )}
      <Button
        variant={isSubscribed ? 'outline' : 'primary'}
        className="self-start"
        busy={busy}
        onClick={() => void subscribe(false)}
      >
        {isSubscribed ? <Trans>Ligar os avisos de novo</Trans> : <Trans>Ligar os avisos</Trans>}
      </Button>
      {webhook?.isHere && missing !== '' && (
        <Notice>
          <Trans>
            A Meta ainda não avisa destes campos: {missing}. Marque-os no painel, em WhatsApp, Configuração.
          </Trans>
        </Notice>
      )}
      {webhook?.isHere === false && webhook.address !== null && (
        <>
          <Notice>
            <Trans>
              O aplicativo avisa outro endereço: {webhook.address}. Se é de outro servidor seu, deixe-o assim e traga
              para cá só os avisos desta conta.
            </Trans>
          </Notice>
          <Button variant="outline" className="self-start" busy={busy} onClick={() => void subscribe(true)}>
            <Trans>Trazer os avisos desta conta para cá</Trans>
          </Button>
        </>
      )}
      {outcome}
    </Part>
  )
}

function Registration({
  id,
  coexists,
  onState,
}: {
  id: number
  coexists: boolean
  onState: (state: CloudState) => void
}) {
  const { t } = useLingui()
  const form = useForm<{ pin: string }>({
    defaultValues: { pin: '' },
    resolver: schemaResolver(cloudPin),
  })
  const wrong = form.formState.errors.pin
  const { busy, outcome, run } = useAsking()
  if (coexists)
    return (
      <Part title={<Trans>Registro</Trans>}>
        <p className="text-sm text-muted-foreground">
          <Trans>Não é preciso: o número já está registrado pelo aplicativo WhatsApp Business.</Trans>
        </p>
      </Part>
    )
  return (
    <Part title={<Trans>Registro</Trans>}>
      <form
        noValidate
        className="flex flex-col gap-3"
        onSubmit={(event) =>
          void form.handleSubmit(({ pin }) =>
            run(async () => {
              onState(await official.register(id, pin))
              return { done: t`Número registrado. Ele já pode enviar e receber.` }
            }),
          )(event)
        }
      >
        <Field
          label={<Trans>PIN da verificação em duas etapas</Trans>}
          hint={<Trans>Se o número ainda não tem um, estes seis algarismos passam a ser o PIN dele. Guarde-os.</Trans>}
          error={wrong && (wrong.type === 'required' ? wrong.message : t`São seis algarismos.`)}
        >
          <Input className="max-w-40 tabular-nums" inputMode="numeric" autoComplete="off" {...form.register('pin')} />
        </Field>
        <Button type="submit" variant="outline" className="self-start" busy={busy}>
          <Trans>Registrar com o PIN</Trans>
        </Button>
      </form>
      {outcome}
    </Part>
  )
}

/** What was asked for at the lower edge is answered below it. */
const intoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' })

/** One thing at a time is asked of the service, and what came of it is said. */
function useAsking() {
  const refusal = useRefusalText()
  const failureText = useFailureText()
  const [busy, setBusy] = useState(false)
  const [said, setSaid] = useState<{ tone: 'good' | 'bad'; text: string } | null>(null)
  const run = async (work: () => Promise<{ done: string } | { refused: CloudState }>) => {
    setBusy(true)
    setSaid(null)
    try {
      const result = await work()
      setSaid(
        'done' in result ? { tone: 'good', text: result.done } : { tone: 'bad', text: refusal(result.refused) ?? '' },
      )
    } catch (error) {
      setSaid({ tone: 'bad', text: failureText(error) })
    }
    setBusy(false)
  }
  const outcome = said && (
    <div ref={intoView}>
      <Outcome tone={said.tone}>{said.text}</Outcome>
    </div>
  )
  return { busy, run, outcome }
}

/** Other values for a number that is set up; its secrets cannot be read, and stay unless they are replaced. */
function EditForm({
  id,
  name,
  known,
  onClose,
  onSaved,
}: {
  id: number
  name: string
  known: Official
  onClose: () => void
  onSaved: () => void
}) {
  const { t } = useLingui()
  const refusal = useRefusalText()
  const failureText = useFailureText()
  const [before] = useState(() => formOf(known))
  const form = useForm<OfficialForm>({
    defaultValues: before,
    resolver: (values, context, options) => {
      // What is kept is not measured: only its mask is here.
      const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== MASK))
      const measured = schemaResolver<OfficialForm>(changedCloud)(given as OfficialForm, context, options)
      return measured instanceof Promise ? measured : withMasks(values, measured)
    },
  })
  return (
    <FormDialog
      onClose={onClose}
      size="lg"
      title={t`Dados da API oficial: ${name}`}
      form={form}
      save={<Trans>Verificar e salvar</Trans>}
      onSubmit={async (values) => {
        const changed = changedIn(values, before)
        try {
          const state = await official.checkOf(id, changed)
          if (state.failure) throw new Refusal<OfficialForm>(state.refused ?? 'root', refusal(state) ?? '')
          await official.change(id, changed)
        } catch (error) {
          throw error instanceof Refusal ? error : new Refusal<OfficialForm>('root', failureText(error))
        }
        toast.success(t`Dados salvos`)
        onSaved()
      }}
    >
      <NumberFields form={form} isKnown />
      <KeyFields form={form} isKnown />
    </FormDialog>
  )
}

type Measured = Awaited<ReturnType<ReturnType<typeof schemaResolver<OfficialForm>>>>
/** The values of a form that is right, with those that are kept. */
const withMasks = (values: OfficialForm, measured: Measured): Measured =>
  Object.keys(measured.errors).length > 0
    ? measured
    : ({ ...measured, values: { ...values, ...measured.values } } as Measured)
