import { Trans, useLingui } from '@lingui/react/macro'
import { dateText } from '../i18n/dates.ts'
import { Dialog, DialogBody, DialogContent } from '../ui/dialog.tsx'
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '../ui/table.tsx'
import { useAuditFields } from './audit.fields.ts'
import type { AuditEntry } from './audit.queries.ts'

/** One entry: each field as it was and as it is, and what proves the entry. */
export function AuditEntryDialog({ entry, title, onClose }: { entry: AuditEntry; title: string; onClose: () => void }) {
  const { t, i18n } = useLingui()
  const { labelOf, textOf } = useAuditFields()
  const fields = [...new Set([...Object.keys(entry.before ?? {}), ...Object.keys(entry.after ?? {})])]
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent
        title={title}
        description={dateText(i18n.locale, new Date(entry.at), 'fullDate', 'clock')}
        size="xl"
      >
        <DialogBody className="flex flex-col gap-4">
          {fields.length > 0 && (
            <div className="overflow-x-auto rounded-lg border">
              <Table aria-label={t`O que mudou`}>
                <TableHead>
                  <TableRow>
                    <TableHeader className="w-28 sm:w-44">
                      <Trans>Campo</Trans>
                    </TableHeader>
                    <TableHeader>
                      <Trans>Antes</Trans>
                    </TableHeader>
                    <TableHeader>
                      <Trans context="antes e depois">Depois</Trans>
                    </TableHeader>
                  </TableRow>
                </TableHead>
                <TableBody>
                  {fields.map((field) => (
                    <TableRow key={field}>
                      <TableCell className="align-top">{labelOf(entry.entity, field) ?? field}</TableCell>
                      <TableCell className="align-top wrap-anywhere whitespace-pre-wrap text-muted-foreground">
                        {textOf(entry, field, entry.before?.[field])}
                      </TableCell>
                      <TableCell className="align-top wrap-anywhere whitespace-pre-wrap">
                        {textOf(entry, field, entry.after?.[field])}
                      </TableCell>
                    </TableRow>
                  ))}
                </TableBody>
              </Table>
            </div>
          )}
          {entry.operator && (
            <p className="text-sm">
              <Trans>
                Em nome do usuário: {entry.operator.name}. Motivo: {entry.operator.reason}
              </Trans>
            </p>
          )}
          <p className="font-mono text-xs break-all text-muted-foreground">
            {entry.seq} · {entry.hash}
          </p>
        </DialogBody>
      </DialogContent>
    </Dialog>
  )
}
