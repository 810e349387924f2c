import { Trans, useLingui } from '@lingui/react/macro'
import { BookOpen, Send } from 'lucide-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { fileTrial, textTrial } from '../../schema/external/external.inputs.ts'
import { ApiError, api } from '../session/api.ts'
import { filled } from '../session/own-file.ts'
import { CopyButton } from '../kit/copy-button.tsx'
import { errorText } from '../session/error-text.ts'
import { schemaResolver } from '../kit/form.tsx'
import { PlanGate } from '../session/plan-gate.tsx'
import { useOnline } from '../replica/use-online.ts'
import { Button } from '../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../ui/card.tsx'
import { Field } from '../ui/field.tsx'
import { FileInput } from '../ui/file-input.tsx'
import { Input } from '../ui/input.tsx'
import { Page } from '../ui/page.tsx'
import { Textarea } from '../ui/textarea.tsx'
import { toast } from '../ui/toaster.tsx'

export default function MessagesApiScreen() {
  return (
    <PlanGate feature="useExternalApi">
      <MessagesApi />
    </PlanGate>
  )
}

const address = () => `${location.origin}/api/messages/send`

function MessagesApi() {
  const { t } = useLingui()
  const textCall = `curl ${address()} \\
  -H 'authorization: Bearer TOKEN' \\
  -H 'content-type: application/json' \\
  -H 'idempotency-key: pedido-8812' \\
  -d '{"number":"5511940001835","body":"O seu pedido está pronto."}'`
  const fileCall = `curl ${address()} \\
  -H 'authorization: Bearer TOKEN' \\
  -F number=5511940001835 \\
  -F body=nota.pdf \\
  -F medias=@nota.pdf`
  return (
    <Page
      title={t`API de mensagens`}
      description={<Trans>Envie mensagens de outros sistemas, com o token de uma conexão.</Trans>}
      actions={
        <Button asChild variant="outline">
          <a href="/docs" target="_blank" rel="noreferrer">
            <BookOpen />
            <Trans>Referência da API</Trans>
          </a>
        </Button>
      }
    >
      <div className="flex max-w-6xl flex-col gap-5">
        <Card>
          <CardHeader title={<Trans>Antes de começar</Trans>} />
          <CardBody>
            <ul className="flex list-disc flex-col gap-1.5 pl-5 text-sm text-muted-foreground">
              <li>
                <Trans>O token é o da conexão: em Conexões, editar. Quem o tem envia em nome dela.</Trans>
              </li>
              <li>
                <Trans>
                  O número só tem dígitos, sem máscara nem caracteres especiais: código do país, DDD e número, de 8 a 15
                  dígitos.
                </Trans>
              </li>
              <li>
                <Trans>
                  Com o cabeçalho Idempotency-Key, um pedido repetido em até sete dias não envia a mensagem outra vez.
                </Trans>
              </li>
              <li>
                <Trans>Opções: queueId (fila), userId (atendente) e closeTicket (ninguém espera por resposta).</Trans>
              </li>
            </ul>
          </CardBody>
        </Card>
        <div className="grid items-start gap-5 lg:grid-cols-2">
          <Method
            title={<Trans>1. Mensagem de texto</Trans>}
            description={<Trans>Um POST com JSON: o número e o texto.</Trans>}
            call={textCall}
          >
            <TextTrial />
          </Method>
          <Method
            title={<Trans>2. Mensagem com arquivo</Trans>}
            description={<Trans>Um POST de formulário: o número, o nome do arquivo e o arquivo.</Trans>}
            call={fileCall}
          >
            <FileTrial />
          </Method>
        </div>
      </div>
    </Page>
  )
}

function Method({
  title,
  description,
  call,
  children,
}: {
  title: ReactNode
  description: ReactNode
  call: string
  children: ReactNode
}) {
  const { t } = useLingui()
  return (
    <Card className="min-w-0">
      <CardHeader
        title={title}
        description={description}
        actions={
          <CopyButton text={call} variant="ghost" aria-label={t`Copiar o exemplo`}>
            <Trans>Copiar</Trans>
          </CopyButton>
        }
      />
      <CardBody className="flex flex-col gap-4">
        <pre
          className="overflow-x-auto rounded-md bg-muted px-3 py-2 font-mono text-xs"
          tabIndex={0}
          aria-label={t`Exemplo`}
        >
          {call}
        </pre>
        <pre
          className="overflow-x-auto rounded-md bg-muted px-3 py-2 font-mono text-xs"
          tabIndex={0}
          aria-label={t`Resposta`}
        >
          {'{"mensagem":"Mensagem enviada","id":"f4765a69-…","ticketId":361}'}
        </pre>
        <h3 className="text-sm font-semibold">
          <Trans>Testar</Trans>
        </h3>
        {children}
      </CardBody>
    </Card>
  )
}

/** Sends with the connection's token in place of the person's own. */
const send = (token: string, body: unknown) =>
  api.post('/api/messages/send', body, { auth: false, headers: { authorization: `Bearer ${token}` } })

const tokenRefused = (error: unknown) => error instanceof ApiError && error.code === 'ERR_API_TOKEN'

interface TextValues {
  token: string
  number: string
  body: string
}

function TextTrial() {
  const { t } = useLingui()
  const online = useOnline()
  const form = useForm<TextValues>({
    defaultValues: { token: '', number: '', body: '' },
    resolver: schemaResolver(textTrial, { number: t`Só dígitos: país, DDD e número` }),
  })
  const {
    register,
    formState: { errors, isSubmitting },
  } = form
  const submit = form.handleSubmit(async ({ token, number, body }) => {
    try {
      await send(token, { number, body })
      toast.success(t`Mensagem enviada com sucesso`)
      form.resetField('body')
    } catch (error) {
      form.setError(tokenRefused(error) ? 'token' : 'root', { message: errorText(error) })
    }
  })
  return (
    <form className="flex flex-col gap-4" noValidate onSubmit={(event) => void submit(event)}>
      <Field label={<Trans>Token</Trans>} required error={errors.token?.message}>
        <Input autoComplete="off" spellCheck={false} data-1p-ignore {...register('token')} />
      </Field>
      <Field label={<Trans>Número</Trans>} required error={errors.number?.message}>
        <Input inputMode="numeric" autoComplete="off" placeholder="5511940001835" {...register('number')} />
      </Field>
      <Field label={<Trans>Mensagem</Trans>} required error={errors.body?.message}>
        <Textarea rows={3} {...register('body')} />
      </Field>
      <SubmitLine problem={errors.root?.message} busy={isSubmitting} disabled={!online} />
    </form>
  )
}

interface FileValues {
  token: string
  number: string
  medias: FileList | null
}

function FileTrial() {
  const { t } = useLingui()
  const online = useOnline()
  /** A file that was sent is not shown as chosen for the next. */
  const [sent, setSent] = useState(0)
  const form = useForm<FileValues>({
    defaultValues: { token: '', number: '', medias: null },
    resolver: schemaResolver(fileTrial, { number: t`Só dígitos: país, DDD e número` }),
  })
  const {
    register,
    getValues,
    formState: { errors, isSubmitting },
  } = form
  const submit = form.handleSubmit(async ({ token, number }) => {
    // Rules of schemas are about text: the file is looked at here.
    const file = getValues('medias')?.[0]
    if (!file) return form.setError('medias', { message: t`Escolha um arquivo` })
    try {
      await send(token, filled({ number, body: file.name, medias: file }))
      toast.success(t`Mensagem enviada com sucesso`)
      form.resetField('medias')
      setSent(sent + 1)
    } catch (error) {
      form.setError(tokenRefused(error) ? 'token' : 'root', { message: errorText(error) })
    }
  })
  return (
    <form className="flex flex-col gap-4" noValidate onSubmit={(event) => void submit(event)}>
      <Field label={<Trans>Token</Trans>} required error={errors.token?.message}>
        <Input autoComplete="off" spellCheck={false} data-1p-ignore {...register('token')} />
      </Field>
      <Field label={<Trans>Número</Trans>} required error={errors.number?.message}>
        <Input inputMode="numeric" autoComplete="off" placeholder="5511940001835" {...register('number')} />
      </Field>
      <Field label={<Trans>Arquivo</Trans>} required error={errors.medias?.message}>
        <FileInput key={sent} {...register('medias')} />
      </Field>
      <SubmitLine problem={errors.root?.message} busy={isSubmitting} disabled={!online} />
    </form>
  )
}

function SubmitLine({ problem, busy, disabled }: { problem: string | undefined; busy: boolean; disabled: boolean }) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button type="submit" busy={busy} disabled={disabled}>
        <Send />
        <Trans>Enviar</Trans>
      </Button>
      {disabled && (
        <p role="status" className="text-sm text-muted-foreground">
          <Trans>Sem rede</Trans>
        </p>
      )}
      {problem && (
        <p role="alert" className="text-sm text-destructive-soft-foreground">
          {problem}
        </p>
      )}
    </div>
  )
}
