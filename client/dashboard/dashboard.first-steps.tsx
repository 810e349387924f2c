import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { ChevronRight, Circle, CircleCheck, TriangleAlert, X } from 'lucide-react'
import { toastError } from '../session/failure.tsx'
import { profileSheet } from '../account/profile-sheet.ts'
import { useCan } from '../session/session.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { cn } from '../ui/cn.ts'
import { Tooltip } from '../ui/tooltip.tsx'
import { closeFirstSteps, useFirstSteps } from './dashboard.queries.ts'
import type { FirstStep, FirstSteps as Told, StepLack } from './dashboard.queries.ts'

type Words = { title: string; why: string; to?: string; search?: { tab?: string; key?: string } }

/** What is left to do in a new company, until all of it is done or the person wants no more of it. */
export function FirstSteps() {
  const { t } = useLingui()
  const wanted = useCan('drawer-admin-items:view')
  const { data, patchWhile } = useFirstSteps(wanted)
  if (!wanted || !data || data.closed) return null
  const { steps } = data
  const done = steps.filter((step) => step.done).length
  const total = steps.length
  if (done === total) return null
  /** Without `to` it is done in the person's own profile. */
  const words: Record<FirstStep, Words> = {
    password: {
      ...{ title: t`Trocar a senha inicial`, why: t`Ela ficou em um arquivo ou no registro do servidor.` },
    },
    name: {
      ...{ title: t`Dar um nome à empresa`, why: t`É como a plataforma a chama.` },
      ...{ to: '/settings', search: { tab: 'companies' } },
    },
    queue: {
      ...{ title: t`Criar uma fila`, why: t`Cada conversa chega a quem cuida do assunto.` },
      to: '/queues',
    },
    agent: {
      ...{ title: t`Convidar quem atende`, why: t`Cada pessoa entra com o seu e-mail.` },
      to: '/users',
    },
    connection: {
      ...{ title: t`Vincular o celular da empresa`, why: t`Leia o código QR com o WhatsApp.` },
      to: '/connections',
    },
    answer: {
      ...{ title: t`Atender a primeira mensagem`, why: t`Quem você convidou aceita a conversa e responde.` },
      to: '/tickets',
    },
    hours: {
      ...{ title: t`Definir os horários`, why: t`Fora deles, o contato recebe um aviso.` },
      ...{ to: '/settings', search: { tab: 'options', key: 'scheduleType' } },
    },
    plan: {
      ...{ title: t`Oferecer um plano`, why: t`Com limites e preço: é o que as empresas escolhem.` },
      ...{ to: '/settings', search: { tab: 'plans' } },
    },
    payment: {
      ...{ title: t`Dizer como as empresas pagam`, why: t`Pela sua chave Pix ou por um serviço.` },
      ...{ to: '/settings', search: { tab: 'payments' } },
    },
    companies: {
      ...{ title: t`Receber a primeira empresa`, why: t`Abra o cadastro na entrada, ou adicione-a você.` },
      ...{ to: '/settings', search: { tab: 'options', key: 'allowregister' } },
    },
    logo: {
      ...{ title: t`Pôr a sua marca`, why: t`Na entrada, no menu e no ícone do aplicativo.` },
      ...{ to: '/settings', search: { tab: 'logo' } },
    },
  }
  /** What a step that was begun lacks still, in place of what it is good for. */
  const lacking = (step: FirstStep, lack: StepLack): Omit<Words, 'title'> => {
    switch (lack) {
      case 'queue':
        return step === 'agent'
          ? { why: t`Falta a fila: sem ela, quem você convidou não vê nenhum atendimento.`, to: '/users' }
          : { why: t`Falta a fila da conexão: sem ela, o atendimento fica sem fila.`, to: '/connections' }
      case 'seen':
        return { why: t`Uma conversa espera onde ninguém que você convidou a vê. Confira as filas.`, to: '/users' }
      case 'offer':
        return {
          ...{ why: t`O cadastro está aberto, e nenhum plano é oferecido: ninguém se cadastra.`, to: '/settings' },
          search: { tab: 'plans' },
        }
      case 'unpayable':
        return {
          ...{ why: t`Há fatura aberta que ninguém consegue pagar.`, to: '/settings' },
          search: { tab: 'payments' },
        }
      case 'company-words':
        return { why: t`Falta a mensagem: em Conexões, em Mensagens, “Fora do horário”.`, to: '/connections' }
      case 'company-week':
        return {
          ...{ why: t`Falta a semana: sem horas de fechar, ninguém é avisado.`, to: '/settings' },
          search: { tab: 'hours' },
        }
      case 'queue-words':
        return { why: t`Falta a mensagem: em cada fila, em “Horários de atendimento”.`, to: '/queues' }
      case 'queue-week':
        return { why: t`Falta a semana: em cada fila, em “Horários de atendimento”.`, to: '/queues' }
    }
  }
  const close = () => {
    const turned = (closed: boolean) => (steps: Told) => ({ ...steps, closed })
    patchWhile(closeFirstSteps(), turned(true), turned(false)).catch(toastError)
  }
  return (
    <Card aria-label={t`Primeiros passos`} className="mb-4 overflow-hidden">
      <div className="flex items-start gap-3 px-5 pt-4 pb-3">
        <div className="min-w-0 flex-1">
          <h2 className="text-sm font-semibold">
            <Trans>Primeiros passos</Trans>
          </h2>
          <p className="mt-0.5 text-sm text-muted-foreground">
            <Trans>
              {done} de {total} prontos
            </Trans>
          </p>
        </div>
        <Tooltip content={t`Dispensar`}>
          <Button
            variant="ghost"
            size="icon"
            className="-mt-1 -mr-2 text-muted-foreground hover:text-foreground"
            aria-label={t`Dispensar os primeiros passos`}
            onClick={close}
          >
            <X />
          </Button>
        </Tooltip>
      </div>
      <ol className="grid gap-px border-t bg-border sm:grid-cols-2 xl:grid-cols-3">
        {steps.map(({ step, done, lack }, place) => {
          const { title, why, to, search } = { ...words[step], ...(lack && lacking(step, lack)) }
          return (
            <li key={step} className={cn('flex bg-card', place === total - 1 && filling(total))}>
              {done ? (
                <span className="flex w-full items-center gap-3 px-5 py-3 text-muted-foreground">
                  <CircleCheck aria-hidden="true" className="size-5 shrink-0 text-success" />
                  <span className="min-w-0 text-sm">
                    {title}
                    <span className="sr-only">{t`: pronto`}</span>
                  </span>
                </span>
              ) : to ? (
                <Link to={to} search={search} className={row}>
                  <Open title={title} why={why} isBegun={lack !== undefined} />
                </Link>
              ) : (
                <button type="button" className={row} onClick={() => profileSheet.set(true)}>
                  <Open title={title} why={why} isBegun={lack !== undefined} />
                </button>
              )}
            </li>
          )
        })}
      </ol>
    </Card>
  )
}

/** The last one of so many fills its row, of two and of three. */
const filling = (total: number) =>
  cn(total % 2 === 1 && 'sm:col-span-2', ['xl:col-span-1', 'xl:col-span-3', 'xl:col-span-2'][total % 3])

const row =
  'focus-ring flex w-full items-center gap-3 px-5 py-3 text-left outline-offset-[-2px] transition-colors hover:bg-accent/50'

const Open = ({ title, why, isBegun }: { title: string; why: string; isBegun: boolean }) => (
  <>
    {isBegun ? (
      <TriangleAlert aria-hidden="true" className="size-5 shrink-0 text-warning" />
    ) : (
      <Circle aria-hidden="true" className="size-5 shrink-0 text-muted-foreground" />
    )}
    <span className="min-w-0 flex-1">
      <span className="block text-sm font-medium">{title}</span>
      <span className="block text-xs text-muted-foreground">{why}</span>
    </span>
    <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-muted-foreground" />
  </>
)
