import { Trans, useLingui } from '@lingui/react/macro'
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { useFieldArray, useForm } from 'react-hook-form'
import { contactInput, latelyNumberedInput, unnumberedContactInput } from '../../schema/contacts/contacts.inputs.ts'
import type { ContactInput } from '../../schema/contacts/contacts.inputs.ts'
import { isMasked } from '../../schema/contacts/contacts.masking.ts'
import type { FieldPatch } from '../../schema/custom-fields/custom-fields.table.ts'
import type { FieldFault } from '../../schema/custom-fields/custom-fields.values.ts'
import { homeCode } from '../../schema/contacts/contacts.phone.ts'
import { newId } from '../../schema/ids.ts'
import { FieldInput } from '../custom-fields/custom-fields.input.tsx'
import { fieldsOn, useFields } from '../custom-fields/custom-fields.rows.ts'
import { useFieldWords } from '../custom-fields/custom-fields.words.ts'
import { toastError } from '../session/failure.tsx'
import { useCallingCode } from '../session/company-country.ts'
import { errorCodeText } from '../session/error-text.ts'
import { FormDialog, Refusal, schemaResolver } from '../kit/form.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { toast } from '../ui/toaster.tsx'
import { contacts } from './contacts.queries.ts'
import type { Contact } from './contacts.rows.ts'

/** Adds (`contact` null) or edits a contact. */
export function ContactDialog({
  contact,
  onClose,
  onSaved,
}: {
  contact: Contact | null
  onClose: () => void
  onSaved: (contact: Contact) => void
}) {
  const { t } = useLingui()
  const callingCode = useCallingCode()
  // A group's id is no phone number, and of a hidden one nothing is there to change. Whoever is known by other names only
  // may have told theirs.
  const hasNumber = !contact || (!contact.isGroup && (contact.number === null || !isMasked(contact.number)))
  const isUnknown = contact !== null && contact.number === null
  const form = useForm<ContactInput>({
    defaultValues: {
      name: contact?.name ?? '',
      email: contact?.email ?? '',
      extraInfo: contact?.extraInfo ?? [],
      ...(hasNumber ? { number: contact?.number ?? '' } : {}),
    },
    resolver: schemaResolver(isUnknown ? latelyNumberedInput : hasNumber ? contactInput : unnumberedContactInput, {
      email: t`E-mail inválido`,
      number: t`Use só números`,
    }),
  })
  const {
    register,
    control,
    formState: { errors },
  } = form
  const fields = useFields()
  const own = contact?.isGroup ? [] : fieldsOn(fields, 'contact')
  const words = useFieldWords()
  const [patch, setPatch] = useState<FieldPatch>({})
  const [faults, setFaults] = useState<Record<number, FieldFault | null>>({})
  const extra = useFieldArray({ control, name: 'extraInfo', keyName: 'key' })

  return (
    <FormDialog
      onClose={onClose}
      title={contact ? t`Editar contato` : t`Adicionar contato`}
      form={form}
      fieldOf={{
        ERR_DUPLICATED_CONTACT: 'number',
        ERR_NUMBER_UNCLEAR: 'number',
        ERR_WAPP_INVALID_CONTACT: 'number',
        ERR_WAPP_CHECK_CONTACT: 'number',
      }}
      onSubmit={async (values) => {
        // What is wrong with it stands at the field.
        if (Object.values(faults).some((fault) => fault)) return false
        const isFilled = Object.keys(patch).length > 0
        if (contact) {
          const { number, ...rest } = values
          const saved = await contacts.update(contact.id, number ? values : rest)
          onSaved(isFilled ? await contacts.fill(contact.id, patch) : saved)
        } else {
          const created = await contacts.create(values)
          if (created.invalido) throw new Refusal<ContactInput>('number', errorCodeText('ERR_WAPP_INVALID_CONTACT'))
          if (created.alreadyExists) {
            const name = created.existingContact?.name ?? created.name
            throw new Refusal<ContactInput>('number', t`Este número já é do contato ${name}`)
          }
          // The contact is there by now: who sent the form again would be told that it is.
          if (isFilled) await contacts.fill(created.id, patch).catch(toastError)
          onSaved(created)
        }
        toast.success(t`Contato salvo`)
        return undefined
      }}
    >
      <Field label={<Trans>Nome</Trans>} required error={errors.name?.message}>
        <Input autoFocus autoComplete="off" {...register('name')} />
      </Field>
      {hasNumber && (
        <Field
          label={<Trans>Número do WhatsApp</Trans>}
          required={!isUnknown}
          hint={<Trans>Com DDD; de outro país, com + e o código, como +351 912 345 678</Trans>}
          error={errors.number?.message}
        >
          <Input
            type="tel"
            inputMode="tel"
            autoComplete="off"
            placeholder={callingCode === homeCode ? '(11) 99999-0000' : `+${callingCode}`}
            {...register('number')}
          />
        </Field>
      )}
      <Field label={<Trans>E-mail</Trans>} error={errors.email?.message}>
        <Input type="email" autoComplete="off" {...register('email')} />
      </Field>
      {own.length > 0 && (
        <fieldset className="flex flex-col gap-4">
          <legend className="mb-3 text-[0.8125rem] leading-none font-medium">
            <Trans>Campos do contato</Trans>
          </legend>
          {own.map((field) => {
            const { id } = field
            return (
              <Field
                key={id}
                label={field.name}
                hint={field.help || undefined}
                error={faults[id] ? words.faults[faults[id]] : undefined}
              >
                <FieldInput
                  field={field}
                  value={id in patch ? (patch[id] ?? null) : (contact?.fields[id] ?? null)}
                  onChange={(value) => setPatch((all) => ({ ...all, [id]: value }))}
                  onFault={(fault) => setFaults((all) => ({ ...all, [id]: fault }))}
                  onTyped
                />
              </Field>
            )
          })}
        </fieldset>
      )}
      <fieldset className="flex flex-col gap-2.5">
        <legend className="mb-1.5 text-[0.8125rem] leading-none font-medium">
          <Trans>Informações adicionais</Trans>
        </legend>
        {extra.fields.map((field, index) => {
          const place = index + 1
          return (
            <div key={field.key} className="flex items-start gap-2">
              <ExtraField
                label={t`Nome da informação ${place}`}
                placeholder={t`Nome`}
                error={errors.extraInfo?.[index]?.name?.message}
              >
                {(aria) => <Input autoComplete="off" {...aria} {...register(`extraInfo.${index}.name`)} />}
              </ExtraField>
              <ExtraField
                label={t`Valor da informação ${place}`}
                placeholder={t`Valor`}
                error={errors.extraInfo?.[index]?.value?.message}
              >
                {(aria) => <Input autoComplete="off" {...aria} {...register(`extraInfo.${index}.value`)} />}
              </ExtraField>
              <Button
                variant="ghost"
                size="icon"
                aria-label={t`Remover a informação ${place}`}
                onClick={() => extra.remove(index)}
              >
                <X />
              </Button>
            </div>
          )
        })}
        <Button
          variant="outline"
          size="sm"
          className="self-start"
          disabled={extra.fields.length >= 30}
          onClick={() => extra.append({ id: newId(), name: '', value: '' })}
        >
          <Plus />
          <Trans>Adicionar informação</Trans>
        </Button>
      </fieldset>
    </FormDialog>
  )
}

function ExtraField({
  label,
  placeholder,
  error,
  children,
}: {
  label: string
  placeholder: string
  error: string | undefined
  children: (aria: { 'aria-label': string; placeholder: string; 'aria-invalid': true | undefined }) => React.ReactNode
}) {
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-1">
      {children({ 'aria-label': label, placeholder, 'aria-invalid': error ? true : undefined })}
      {error && (
        <p role="alert" className="text-xs text-destructive-soft-foreground">
          {error}
        </p>
      )}
    </div>
  )
}
