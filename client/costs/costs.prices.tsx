import { Trans, useLingui } from '@lingui/react/macro'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { priceCategories } from '../../schema/costs/costs.class.ts'
import { messagePriceForm } from '../../schema/costs/costs.inputs.ts'
import type { MessagePriceForm } from '../../schema/costs/costs.inputs.ts'
import { type Currency, microsOf } from '../../schema/costs/costs.price.ts'
import { dueDay } from '../base/due-date.ts'
import { dateText } from '../i18n/dates.ts'
import { FormDialog, schemaResolver } from '../kit/form.tsx'
import { SelectField, SwitchField } from '../kit/form-fields.tsx'
import { RemoveDialog } from '../kit/row-actions.tsx'
import { useToday } from '../session/company-day.ts'
import { errorText } from '../session/error-text.ts'
import { useCan, useUser } from '../session/session.tsx'
import { Button } from '../ui/button.tsx'
import { DateInput } from '../ui/date-input.tsx'
import { Dialog, DialogBody, DialogContent } from '../ui/dialog.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Field } from '../ui/field.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Input } from '../ui/input.tsx'
import { LoadingBlock } from '../ui/skeleton.tsx'
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '../ui/table.tsx'
import { toast } from '../ui/toaster.tsx'
import { messagePrices, type PriceRow, useMessagePrices } from './costs.queries.ts'
import { useCostWords, useMicros } from './costs.words.ts'

/** What a message costs from which day on, by whose word; whoever may writes their own. */
export function PricesDialog({
  currency,
  onClose,
  onChanged,
}: {
  currency: Currency
  onClose: () => void
  onChanged: () => void
}) {
  const { t, i18n } = useLingui()
  const words = useCostWords()
  const { price } = useMicros()
  const mayWrite = useCan('settings:write')
  const user = useUser()
  const [adding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<PriceRow | null>(null)
  const { data, error, loading, reload } = useMessagePrices()
  const changed = () => {
    reload()
    onChanged()
  }
  const mayRemove = ({ id, of }: PriceRow) => mayWrite && id !== null && (of === 'company' || user.super)
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={t`Preços das mensagens`}
        description={t`De cada país e categoria vale o preço da empresa, se houver; senão o de todas as empresas; senão o do produto. De cada um vale o mais recente.`}
        size="xl"
      >
        <DialogBody className="flex flex-col gap-4">
          {mayWrite && (
            <Button className="self-start" onClick={() => setAdding(true)}>
              <Plus />
              <Trans>Adicionar preço</Trans>
            </Button>
          )}
          {data ? (
            <Table aria-label={t`Preços das mensagens`}>
              <TableHead>
                <TableRow>
                  <TableHeader>
                    <Trans>País</Trans>
                  </TableHeader>
                  <TableHeader>{words.groups.category}</TableHeader>
                  <TableHeader>
                    <Trans>A partir de</Trans>
                  </TableHeader>
                  <TableHeader className="text-right">
                    <Trans>Preço</Trans>
                  </TableHeader>
                  <TableHeader>
                    <Trans>De quem</Trans>
                  </TableHeader>
                  <TableHeader>
                    <span className="sr-only">
                      <Trans>Ações</Trans>
                    </span>
                  </TableHeader>
                </TableRow>
              </TableHead>
              <TableBody>
                {data.prices
                  .filter((row) => row.currency === currency)
                  .map((row) => (
                    <TableRow key={`${row.of}/${row.market}/${row.category}/${row.since}`}>
                      <TableCell>{words.marketOf(row.market)}</TableCell>
                      <TableCell>{words.categoryOf(row.category)}</TableCell>
                      <TableCell className="tabular-nums">
                        {dateText(i18n.locale, dueDay(row.since), 'fullDate')}
                      </TableCell>
                      <TableCell className="text-right tabular-nums">{price(row.micros, row.currency)}</TableCell>
                      <TableCell>{words.sources[row.of]}</TableCell>
                      <TableCell className="text-right">
                        {mayRemove(row) && (
                          <IconButton label={t`Excluir preço`} onClick={() => setRemoving(row)}>
                            <Trash2 />
                          </IconButton>
                        )}
                      </TableCell>
                    </TableRow>
                  ))}
              </TableBody>
            </Table>
          ) : error && !loading ? (
            <ErrorState onRetry={reload}>{errorText(error)}</ErrorState>
          ) : (
            <LoadingBlock />
          )}
        </DialogBody>
      </DialogContent>
      {adding && <PriceDialog currency={currency} onClose={() => setAdding(false)} onSaved={changed} />}
      {removing && (
        <RemoveDialog
          name={`${words.marketOf(removing.market)}, ${words.categoryOf(removing.category)}`}
          remove={() => messagePrices.remove(removing.id!)}
          onRemoved={changed}
          onClose={() => setRemoving(null)}
        >
          <Trans>O preço abaixo dele volta a valer, também para mensagens passadas.</Trans>
        </RemoveDialog>
      )}
    </Dialog>
  )
}

function PriceDialog({ currency, onClose, onSaved }: { currency: Currency; onClose: () => void; onSaved: () => void }) {
  const { t } = useLingui()
  const words = useCostWords()
  const user = useUser()
  const form = useForm<MessagePriceForm>({
    defaultValues: { market: 'BR', category: 'service', currency, since: useToday(), price: '', forAll: user.super },
    resolver: schemaResolver(messagePriceForm, {
      market: t`Duas letras maiúsculas, como BR, ou * para os outros países`,
      price: t`Escreva um valor como 0,3217`,
    }),
  })
  const { register, control, formState } = form
  const { errors } = formState
  return (
    <FormDialog
      title={t`Adicionar preço`}
      form={form}
      onClose={onClose}
      onSubmit={async ({ price, ...rest }) => {
        await messagePrices.write({ ...rest, micros: microsOf(price) ?? 0 })
        toast.success(t`Preço salvo`)
        onSaved()
      }}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label={<Trans>País</Trans>}
          hint={<Trans>As duas letras do país de quem recebe; * são todos os outros</Trans>}
          required
          error={errors.market?.message}
        >
          <Input autoFocus autoComplete="off" {...register('market')} />
        </Field>
        <Field label={words.groups.category} required error={errors.category?.message}>
          <SelectField
            control={control}
            name="category"
            options={priceCategories.map((value) => ({ value, label: words.categoryOf(value) }))}
          />
        </Field>
        <Field label={<Trans>A partir de</Trans>} required error={errors.since?.message}>
          <Controller
            control={control}
            name="since"
            render={({ field: { value, onChange } }) => <DateInput value={value} onChange={onChange} />}
          />
        </Field>
        <Field label={<Trans>Preço de uma mensagem, em {currency}</Trans>} required error={errors.price?.message}>
          <Input inputMode="decimal" autoComplete="off" placeholder="0,0350" {...register('price')} />
        </Field>
      </div>
      {user.super && (
        <Field label={<Trans>Vale para todas as empresas</Trans>} inline>
          <SwitchField control={control} name="forAll" />
        </Field>
      )}
    </FormDialog>
  )
}
