import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useId, useState } from 'react'
import { dateText } from '../i18n/dates.ts'
import { errorText } from '../session/error-text.ts'
import { Button } from '../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../ui/card.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { OfficialDialog } from './whatsapps.official-dialog.tsx'
import { PhonePast } from './whatsapps.official-past.tsx'
import { ServiceState, useService } from './whatsapps.official-state.tsx'
import { ignoredReasons } from './whatsapps.official-words.ts'
import { useOfficial } from './whatsapps.official.queries.ts'

/** On the connection's own page: its number as the service sees it, and what came over the webhook and was no message. */
export function OfficialCard({ connection }: { connection: { id: number; name: string } }) {
  const { t, i18n } = useLingui()
  const { data, error, loading, reload } = useOfficial(connection.id)
  const asked = useService(connection.id)
  const [isOpen, setOpen] = useState(false)
  const pastTitle = useId()
  if (!data) return error && !loading ? <ErrorState onRetry={reload}>{errorText(error)}</ErrorState> : null
  return (
    <Card>
      <CardHeader
        title={<Trans>API oficial</Trans>}
        description={
          data.coexistence ? (
            <Trans>Versão {data.version}, junto com o aplicativo WhatsApp Business</Trans>
          ) : (
            <Trans>Versão {data.version}</Trans>
          )
        }
        actions={
          <Button variant="outline" size="sm" onClick={() => setOpen(true)}>
            <Trans>Configurar</Trans>
          </Button>
        }
      />
      <CardBody className="flex flex-col gap-4">
        <ServiceState asked={asked} />
        {data.history && (
          <section aria-labelledby={pastTitle} className="flex flex-col gap-2">
            <h3 id={pastTitle} className="text-sm font-semibold">
              <Trans>Conversas e contatos do celular</Trans>
            </h3>
            <PhonePast id={connection.id} past={data.history} />
          </section>
        )}
        {data.ignored.length > 0 && (
          <div className="text-sm">
            <p className="text-xs text-muted-foreground">
              <Trans>Avisos da Meta que não eram mensagens</Trans>
            </p>
            <ul className="mt-1 flex flex-col gap-0.5">
              {data.ignored.map(({ reason, count, lastAt }) => {
                const words = ignoredReasons[reason]
                return (
                  <li key={reason} className="flex flex-wrap gap-x-2">
                    <span>{words ? t(words) : reason}</span>
                    <span className="text-muted-foreground tabular-nums">
                      <Plural value={count} one="# vez" other="# vezes" />,{' '}
                      {dateText(i18n.locale, new Date(lastAt), 'date', 'time')}
                    </span>
                  </li>
                )
              })}
            </ul>
          </div>
        )}
      </CardBody>
      {isOpen && (
        <OfficialDialog
          connection={connection}
          onClose={() => {
            setOpen(false)
            reload()
            asked.ask()
          }}
        />
      )}
    </Card>
  )
}
