import { Trans, useLingui } from '@lingui/react/macro'
import { CircleCheck, KeyRound, QrCode, ShieldAlert, TimerOff, TriangleAlert } from 'lucide-react'
import { useEffect, useReducer, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { pairingInput } from '../../schema/whatsapps/whatsapps.inputs.ts'
import { useProductName } from '../session/branding.ts'
import { CopyButton } from '../kit/copy-button.tsx'
import { errorText } from '../session/error-text.ts'
import { schemaResolver } from '../kit/form.tsx'
import { useCompanyEvent, useConnected } from '../session/use-event.ts'
import { phoneText } from '../kit/phone-text.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogBody, DialogContent } from '../ui/dialog.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { QrImage } from '../ui/qr-image.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '../ui/tabs.tsx'
import { groupedCode, linkAfter, linkAtStart } from './whatsapps.link.ts'
import type { Link } from './whatsapps.link.ts'
import { connections, sessionNews } from './whatsapps.queries.ts'
import type { Connection } from './whatsapps.queries.ts'
import { useProblemText } from './whatsapps.words.tsx'

/** How long the success stays in sight before the dialog closes. */
const doneMs = 1500
/** While a code is being prepared it is asked how far that is: an event may have been missed. */
const lookAgainMs = 5_000

/** Links a phone to a connection: by QR, or by a code typed on the phone. */
export function LinkDialog({ connection, onClose }: { connection: Connection; onClose: () => void }) {
  const { t } = useLingui()
  const { id } = connection
  const [link, dispatch] = useReducer(linkAfter, linkAtStart)
  const [failure, setFailure] = useState<unknown>(null)
  const answeredAt = useRef(0)

  const look = async (begin: boolean): Promise<void> => {
    const before = answeredAt.current
    try {
      const session = await connections.get(id)
      setFailure(null)
      // What came live meanwhile is newer than this answer; who is to begin asks again.
      if (answeredAt.current !== before) return begin ? look(true) : undefined
      // Another code would end the same way: whoever opens the dialog again reads why, and begins it themselves.
      const begins = begin && session.status === 'DISCONNECTED' && session.lastError !== 'passkey'
      if (begin && !begins) dispatch({ of: 'answered' })
      dispatch({ of: 'session', session: { ...session, qrcode: session.qrcode ?? '' }, live: false, now: Date.now() })
      if (begins) {
        await connections.start(id)
        dispatch({ of: 'answered' })
      }
    } catch (error) {
      setFailure(error)
    }
  }
  useEffect(() => {
    void look(true)
    // Once: from then on events tell.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [id])
  useConnected(() => void look(false))
  const receive = (data: unknown) => {
    const session = sessionNews(data)
    if (session?.id !== id) return
    answeredAt.current += 1
    dispatch({ of: 'session', session, live: true, now: Date.now() })
  }
  useCompanyEvent('whatsappSession', receive)
  const product = useProductName()

  const preparing = link.step === 'preparing' && !link.asked
  useEffect(() => {
    if (!preparing) return
    const timer = setInterval(() => void look(false), lookAgainMs)
    return () => clearInterval(timer)
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [preparing])

  const done = link.step === 'done'
  useEffect(() => {
    if (!done) return
    const timer = setTimeout(onClose, doneMs)
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [done])

  const renew = async () => {
    dispatch({ of: 'begun' })
    try {
      await connections.newQr(id)
      dispatch({ of: 'answered' })
    } catch (error) {
      setFailure(error)
    }
  }

  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent
        size="lg"
        title={t`Vincular ${connection.name}`}
        description={t`O celular continua com o número; ${product} vira um aparelho conectado dele.`}
      >
        <DialogBody className="flex flex-col gap-4">
          {failure ? (
            <ErrorState onRetry={() => void look(true)} className="py-8">
              {errorText(failure)}
            </ErrorState>
          ) : done ? (
            <Notice
              icon={<CircleCheck className="size-10 text-success" strokeWidth={1.5} />}
              title={t`Número conectado`}
            >
              {phoneText(link.number)}
            </Notice>
          ) : link.step === 'pairing' ? (
            <Notice icon={<Spinner className="size-8 text-muted-foreground" />} title={t`Código lido. Conectando…`}>
              <Trans>Mantenha o WhatsApp aberto no celular.</Trans>
            </Notice>
          ) : link.step === 'expired' && link.problem === 'passkey' ? (
            <PasskeyAsked onRenew={() => void renew()} />
          ) : (
            <Tabs defaultValue="qr" className="flex flex-col gap-4">
              <TabsList look="pill" aria-label={t`Como vincular`}>
                <TabsTrigger value="qr">
                  <Trans>Ler QR code</Trans>
                </TabsTrigger>
                <TabsTrigger value="number">
                  <Trans>Usar número de telefone</Trans>
                </TabsTrigger>
              </TabsList>
              <TabsContent value="qr">
                <QrTab link={link} onRenew={() => void renew()} />
              </TabsContent>
              <TabsContent value="number">
                <NumberTab
                  id={id}
                  ready={link.step === 'scan'}
                  expired={link.step === 'expired'}
                  onRenew={() => void renew()}
                />
              </TabsContent>
            </Tabs>
          )}
          <p className="flex items-start gap-2.5 rounded-lg bg-warning-soft px-3.5 py-3 text-[0.8125rem] text-warning-soft-foreground">
            <ShieldAlert aria-hidden="true" className="mt-px size-4 shrink-0" />
            <Trans>
              {product} não é um cliente oficial do WhatsApp. O WhatsApp pode suspender ou banir números que usam
              clientes não oficiais; não vincule um número que a empresa não possa perder.
            </Trans>
          </p>
        </DialogBody>
      </DialogContent>
    </Dialog>
  )
}

function Notice({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <div role="status" className="flex min-h-64 flex-col items-center justify-center gap-1.5 text-center">
      <span aria-hidden="true" className="mb-2">
        {icon}
      </span>
      <p className="text-base font-medium">{title}</p>
      <p className="text-sm text-muted-foreground tabular-nums">{children}</p>
    </div>
  )
}

/** Another code would end the same way: none is offered before somebody has done something about it. */
function PasskeyAsked({ onRenew }: { onRenew: () => void }) {
  return (
    <div role="alert" className="flex flex-col gap-4 py-2 text-sm">
      <div className="flex items-start gap-3">
        <KeyRound aria-hidden="true" className="mt-0.5 size-6 shrink-0 text-muted-foreground" strokeWidth={1.5} />
        <div className="flex flex-col gap-1">
          <p className="text-base font-medium">
            <Trans>O WhatsApp pediu a chave de acesso desta conta</Trans>
          </p>
          <p className="text-muted-foreground">
            <Trans>
              O celular leu o código, mas o WhatsApp só vincula um aparelho a esta conta com a chave de acesso (passkey)
              dela, e só os aplicativos dele sabem pedi-la. Outro código terminaria do mesmo jeito.
            </Trans>
          </p>
        </div>
      </div>
      <ul className="flex list-outside list-disc flex-col gap-2 pl-14 marker:text-muted-foreground">
        <li>
          <Trans>
            No celular, em <strong>Configurações</strong>, <strong>Conta</strong>, <strong>Chaves de acesso</strong>,
            tire a chave da conta e vincule de novo.
          </Trans>
        </li>
        <li>
          <Trans>Vincule um número cuja conta não tenha chave de acesso.</Trans>
        </li>
        <li>
          <Trans>
            Se o WhatsApp continuar pedindo, este número só atende pela API oficial do WhatsApp, que ainda não existe
            aqui.
          </Trans>
        </li>
      </ul>
      <Button variant="outline" className="self-start" onClick={onRenew}>
        <QrCode />
        <Trans>Vincular de novo</Trans>
      </Button>
    </div>
  )
}

function Steps({ children }: { children: ReactNode }) {
  return (
    <ol className="flex list-outside list-decimal flex-col gap-2.5 pl-5 text-sm marker:font-medium marker:text-muted-foreground">
      {children}
    </ol>
  )
}

function QrTab({ link, onRenew }: { link: Link; onRenew: () => void }) {
  const { t } = useLingui()
  const problem = useProblemText()(link.problem)
  return (
    <div className="grid items-center gap-6 sm:grid-cols-[1fr_17.5rem]">
      <Steps>
        <li>
          <Trans>Abra o WhatsApp no celular.</Trans>
        </li>
        <li>
          <Trans>
            Toque em <strong>Mais opções</strong> (Android) ou <strong>Configurações</strong> (iPhone) e depois em{' '}
            <strong>Aparelhos conectados</strong>.
          </Trans>
        </li>
        <li>
          <Trans>
            Toque em <strong>Conectar um aparelho</strong>.
          </Trans>
        </li>
        <li>
          <Trans>Aponte a câmera para este código.</Trans>
        </li>
      </Steps>
      <div className="flex flex-col items-center gap-3 max-sm:order-first">
        {/* White in both themes: a camera reads dark modules on a light ground. */}
        <div className="flex aspect-square w-full max-w-70 items-center justify-center overflow-hidden rounded-xl border bg-white text-black">
          {link.step === 'scan' ? (
            <QrImage text={link.qrcode} label={t`Código QR para vincular o celular`} />
          ) : link.step === 'expired' ? (
            <div role="status" className="flex flex-col items-center gap-3 px-6 text-center text-sm text-neutral-700">
              <TimerOff aria-hidden="true" className="size-6" />
              {problem ?? t`O código expirou.`}
              <Button size="sm" onClick={onRenew}>
                <QrCode />
                <Trans>Gerar novo QR</Trans>
              </Button>
            </div>
          ) : (
            <div role="status" className="flex flex-col items-center gap-3 text-sm text-neutral-600">
              <Spinner className="size-6" />
              <Trans>Preparando o código…</Trans>
              {problem && <p className="px-6 text-center text-xs">{problem}</p>}
            </div>
          )}
        </div>
        {link.step === 'scan' && (
          <>
            <Remaining key={link.qrcode} endsAt={link.endsAt} />
            <CopyButton text={link.qrcode} aria-label={t`Copiar texto do QR`}>
              <Trans>Copiar texto do QR</Trans>
            </CopyButton>
          </>
        )}
      </div>
    </div>
  )
}

/** How long the code still lives. Silent for screen readers, which would read every second. */
function Remaining({ endsAt }: { endsAt: number | null }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (endsAt === null) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [endsAt])
  const seconds = endsAt === null ? null : Math.max(0, Math.ceil((endsAt - now) / 1000))
  return (
    <p className="text-center text-xs text-muted-foreground">
      {seconds === null ? (
        <Trans>O código se renova sozinho.</Trans>
      ) : (
        <span aria-hidden="true" className="tabular-nums">
          {seconds > 0 ? <Trans>O código se renova em {seconds} s.</Trans> : <Trans>Renovando o código…</Trans>}
        </span>
      )}
    </p>
  )
}

function NumberTab({
  id,
  ready,
  expired,
  onRenew,
}: {
  id: number
  ready: boolean
  expired: boolean
  onRenew: () => void
}) {
  const { t } = useLingui()
  const [code, setCode] = useState<string | null>(null)
  const [refusal, setRefusal] = useState<unknown>(null)
  const { register, handleSubmit, formState } = useForm<{ number: string }>({
    defaultValues: { number: '' },
    resolver: schemaResolver(pairingInput, { number: t`Informe de 8 a 15 dígitos, com o código do país` }),
  })
  // A code belongs to the session that gave it.
  useEffect(() => {
    if (expired) setCode(null)
  }, [expired])
  const submit = handleSubmit(async ({ number }) => {
    setRefusal(null)
    try {
      setCode((await connections.pairingCode(id, number)).code)
    } catch (error) {
      setRefusal(error)
    }
  })
  return (
    <div className="grid items-center gap-6 sm:grid-cols-[1fr_17.5rem]">
      <Steps>
        <li>
          <Trans>
            No celular, em <strong>Aparelhos conectados</strong>, toque em <strong>Conectar um aparelho</strong>.
          </Trans>
        </li>
        <li>
          <Trans>
            Escolha <strong>Conectar com número de telefone</strong>.
          </Trans>
        </li>
        <li>
          <Trans>Digite no celular o código que aparece aqui.</Trans>
        </li>
      </Steps>
      {code ? (
        <div className="flex flex-col items-center gap-3 rounded-xl border bg-muted px-4 py-8">
          <output aria-label={t`Código de pareamento`} className="font-mono text-2xl font-semibold tracking-[0.12em]">
            {groupedCode(code)}
          </output>
          <CopyButton text={code} aria-label={t`Copiar o código de pareamento`}>
            <Trans>Copiar código</Trans>
          </CopyButton>
        </div>
      ) : expired ? (
        <div
          role="status"
          className="flex flex-col items-center gap-3 rounded-xl border px-4 py-8 text-center text-sm text-muted-foreground"
        >
          <Trans>O prazo para vincular acabou.</Trans>
          <Button size="sm" onClick={onRenew}>
            <Trans>Começar de novo</Trans>
          </Button>
        </div>
      ) : (
        <form noValidate className="flex flex-col gap-3" onSubmit={(event) => void submit(event)}>
          <Field
            label={<Trans>Número do WhatsApp</Trans>}
            hint={<Trans>Com o código do país, como 5511999990000</Trans>}
            error={formState.errors.number?.message}
            required
          >
            <Input
              type="tel"
              inputMode="tel"
              autoComplete="off"
              placeholder="5511999990000"
              {...register('number', { setValueAs: (value: string) => value.replace(/\D/g, '') })}
            />
          </Field>
          {refusal !== null && (
            <p
              role="alert"
              className="flex items-start gap-2 rounded-lg bg-destructive-soft px-3 py-2.5 text-[0.8125rem] text-destructive-soft-foreground"
            >
              <TriangleAlert aria-hidden="true" className="mt-px size-4 shrink-0" />
              {errorText(refusal)}
            </p>
          )}
          <Button type="submit" busy={formState.isSubmitting || !ready}>
            <Trans>Gerar código</Trans>
          </Button>
        </form>
      )}
    </div>
  )
}
