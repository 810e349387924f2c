import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { newId } from '../../schema/ids.ts'
import { fileKindOf, missingValues, slotsOf, type TemplateValues } from '../../schema/templates/templates.parts.ts'
import { useReplica } from '../replica/replica.tsx'
import { perform } from '../session/perform.ts'
import { usePlaceholders } from '../placeholders/placeholders.values.ts'
import { useVariableName } from '../placeholders/placeholders.text.tsx'
import type { TicketRow } from '../tickets/tickets.rows.ts'
import { Dialog, DialogBody, DialogButtons, DialogContent, DialogForm } from '../ui/dialog.tsx'
import { useOwnFile } from '../kit/file-field.tsx'
import { lacksFile, TemplateChoice } from './templates.choice.tsx'
import { isSendable, type TemplateRow, useTemplates } from './templates.rows.ts'

/** What a variable is called by those who name it, and what is known of the contact. */
const known: Readonly<Record<string, string>> = {
  ...{ nome: '{{name}}', name: '{{name}}', nombre: '{{name}}', cliente: '{{name}}', customer_name: '{{name}}' },
  ...{ primeiro_nome: '{{firstName}}', first_name: '{{firstName}}', firstname: '{{firstName}}' },
  ...{ protocolo: '{{protocol}}', protocol: '{{protocol}}', atendente: '{{user}}', empresa: '{{company}}' },
}

/** Says something to a ticket's contact by a template of its connection. */
export default function TemplateSendDialog({ ticket, onClose }: { ticket: TicketRow; onClose: () => void }) {
  const { t } = useLingui()
  const replica = useReplica()
  const nameOf = useVariableName()
  const { preview, variables } = usePlaceholders(ticket)
  const all = useTemplates(ticket.whatsappId)
  const [chosen, setChosen] = useState<TemplateRow>()
  const [values, setValues] = useState<TemplateValues>({})
  const file = useOwnFile(null)
  const [isTried, setIsTried] = useState(false)
  const [isSending, setIsSending] = useState(false)
  const [insertable] = useState(() => ({
    label: t`Deste contato`,
    names: variables().flatMap(({ key, value }) => (value ? [[value, nameOf(key)] as const] : [])),
  }))
  const choose = (template: TemplateRow | undefined) => {
    setChosen(template)
    setIsTried(false)
    const slots = template ? slotsOf(template.parts) : []
    setValues(
      Object.fromEntries(
        slots.flatMap(({ key, part, name }) => {
          const value = part === 'body' || part === 'header' ? preview(known[name] ?? '') : ''
          return value ? [[key, value]] : []
        }),
      ),
    )
  }
  const missing = chosen ? missingValues(chosen.parts, values).map(({ key }) => key) : []
  const send = async () => {
    setIsTried(true)
    if (!chosen || missing.length > 0 || lacksFile(chosen.parts, file)) return
    setIsSending(true)
    const bytes = fileKindOf(chosen.parts) ? file.chosen : null
    const input = {
      ...{ id: newId(), ticketId: ticket.id, templateId: chosen.id, values },
      ...(bytes && { file: { path: null, name: bytes.name, mimetype: bytes.type, size: bytes.size, voice: false } }),
    }
    // What was refused on the spot stays written here.
    if ((await perform(replica, 'messages.sendTemplate', input, bytes ? { file: bytes } : undefined)) !== null)
      onClose()
    setIsSending(false)
  }
  const sendable = all?.filter(isSendable)
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent
        title={<Trans>Enviar um modelo de mensagem</Trans>}
        description={<Trans>O WhatsApp já aprovou estes textos: podem ser enviados a qualquer hora.</Trans>}
      >
        <DialogForm
          onSubmit={(event) => {
            event.preventDefault()
            void send()
          }}
        >
          <DialogBody className="flex flex-col gap-4">
            {sendable?.length === 0 ? (
              <p className="text-sm text-muted-foreground">
                <Trans>
                  Esta conexão ainda não tem modelos aprovados. Um administrador pode criá-los na tela de modelos.
                </Trans>
              </p>
            ) : (
              <TemplateChoice
                autoFocus
                templates={sendable ?? []}
                chosen={chosen}
                values={values}
                onChoose={choose}
                onValues={setValues}
                shown={(value) => value}
                insertable={insertable}
                error={isTried && !chosen ? t`Obrigatório` : undefined}
                missing={isTried ? missing : []}
                file={file}
                isTried={isTried}
              />
            )}
          </DialogBody>
          <DialogButtons busy={isSending} disabled={!sendable?.length}>
            <Trans>Enviar</Trans>
          </DialogButtons>
        </DialogForm>
      </DialogContent>
    </Dialog>
  )
}
