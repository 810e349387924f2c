import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { CakeSlice, CalendarCheck, Croissant, FlaskConical, Router, Wifi } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import { useState } from 'react'
import { type FlowNode, newNodeId } from '../../schema/flows/flows.graph.ts'
import { type TemplateId, templateGraph, templateIds } from '../../schema/flows/flows.templates.ts'
import { useQueues } from '../replica/directory.ts'
import { type Locale, localeNames } from '../i18n/locale.ts'
import { Combobox } from '../ui/combobox.tsx'
import { Dialog, DialogBody, DialogContent } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'

const words: Record<TemplateId, { name: MessageDescriptor; about: MessageDescriptor; icon: LucideIcon }> = {
  bakeryOrders: { name: msg`Encomendas da padaria`, about: msg`Pedido, aberto ou fechado`, icon: Croissant },
  bakeryParties: { name: msg`Festas da padaria`, about: msg`Orçamento em poucas perguntas`, icon: CakeSlice },
  clinicAppointments: { name: msg`Consultas da clínica`, about: msg`Marcar e mudar consultas`, icon: CalendarCheck },
  clinicExams: { name: msg`Exames da clínica`, about: msg`Preparo e resultado`, icon: FlaskConical },
  internetSupport: { name: msg`Suporte do provedor`, about: msg`Quem está sem internet`, icon: Router },
  internetSales: { name: msg`Vendas do provedor`, about: msg`Escolha de um plano`, icon: Wifi },
}

/** A flow that somebody has drawn before, to begin from. */
export function TemplateDialog({
  onClose,
  onChosen,
}: {
  onClose: () => void
  onChosen: (nodes: readonly FlowNode[], name: string) => void
}) {
  const { i18n } = useLingui()
  const { list: queues } = useQueues()
  const [queueId, setQueueId] = useState<number | null>(null)
  const [language, setLanguage] = useState(i18n.locale as Locale)
  const choose = (id: TemplateId) =>
    onChosen(
      templateGraph(id, {
        ...{ queueId, language },
        newId: () => newNodeId(crypto.getRandomValues(new Uint8Array(30))),
      }).nodes,
      i18n._(words[id].name),
    )
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent
        title={<Trans>Usar um modelo</Trans>}
        description={<Trans>Um fluxo pronto para mudar à vontade. Ninguém o vê antes de ser publicado.</Trans>}
      >
        <DialogBody className="flex flex-col gap-4">
          <Field
            label={<Trans>Fila que continua o atendimento</Trans>}
            hint={<Trans>Sem uma fila, o atendimento espera quem estiver livre.</Trans>}
          >
            <Combobox
              clearable
              value={queueId === null ? null : String(queueId)}
              onChange={(id) => setQueueId(id === null ? null : Number(id))}
              options={queues.map(({ id, name }) => ({ id: String(id), label: name }))}
            />
          </Field>
          <Field label={<Trans>Idioma das mensagens</Trans>}>
            <Combobox
              value={language}
              onChange={(id) => id !== null && setLanguage(id as Locale)}
              options={Object.entries(localeNames).map(([id, label]) => ({ id, label }))}
            />
          </Field>
          <div className="grid gap-2 sm:grid-cols-2">
            {templateIds.map((id) => {
              const { name, about, icon: Icon } = words[id]
              return (
                <button
                  key={id}
                  type="button"
                  onClick={() => choose(id)}
                  className="focus-ring flex items-center gap-3 rounded-lg border p-3 text-left hover:bg-accent"
                >
                  <span className="flex size-9 shrink-0 items-center justify-center rounded-lg bg-primary-soft text-primary-soft-foreground">
                    <Icon aria-hidden="true" className="size-5" />
                  </span>
                  <span className="min-w-0">
                    <span className="block text-sm font-medium">{i18n._(name)}</span>
                    <span className="block text-xs text-muted-foreground">{i18n._(about)}</span>
                  </span>
                </button>
              )
            })}
          </div>
        </DialogBody>
      </DialogContent>
    </Dialog>
  )
}
