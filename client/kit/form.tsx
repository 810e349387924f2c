import { toNestErrors } from '@hookform/resolvers'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { TObject } from '@sinclair/typebox'
import { WifiOff } from 'lucide-react'
import type { FormEvent, ReactNode } from 'react'
import type { FieldErrors, FieldValues, Path, Resolver, UseFormReturn } from 'react-hook-form'
import { Button } from '../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../ui/card.tsx'
import {
  Dialog,
  DialogBody,
  DialogButtons,
  DialogContent,
  DialogFooter,
  DialogForm,
  DialogProblem,
} from '../ui/dialog.tsx'
import { ApiError } from '../session/api.ts'
import { useConnectionState } from '../session/connection-state.ts'
import { errorText } from '../session/error-text.ts'
import { isFocusLost } from '../base/focus-lost.ts'
import { useUnsaved } from './unsaved.tsx'
import { problemsOf, trimmed } from '../base/form-rules.ts'
import type { Problem } from '../base/form-rules.ts'

/**
 * Makes a form obey a schema of `schema/`; what is handed on has no blanks around its texts.
 *
 * @param words what to say of a field whose form is wrong, such as an e-mail address
 */
export function schemaResolver<T extends FieldValues>(
  schema: TObject,
  words: Record<string, string> = {},
): Resolver<T> {
  return (values, _context, options) => {
    const clean = trimmed(values)
    const problems = Object.entries(problemsOf(schema, clean))
    if (problems.length === 0) return { values: clean, errors: {} }
    const errors = Object.fromEntries(
      problems.map(([path, problem]) => [
        path,
        {
          type: problem.kind,
          message: (problem.kind === 'format' && words[path.replace(/\d+/g, '*')]) || problemText(problem),
        },
      ]),
    )
    return { values: {}, errors: toNestErrors<T>(errors as unknown as FieldErrors, options) }
  }
}

function problemText(problem: Problem): string {
  switch (problem.kind) {
    case 'required':
      return t`Obrigatório`
    case 'tooShort':
      return plural(problem.limit ?? 0, {
        one: 'Curto demais: use ao menos # caractere',
        other: 'Curto demais: use ao menos # caracteres',
      })
    case 'tooLong':
      return plural(problem.limit ?? 0, {
        one: 'Longo demais: use até # caractere',
        other: 'Longo demais: use até # caracteres',
      })
    case 'tooSmall':
      return t`O menor valor é ${problem.limit}`
    case 'tooLarge':
      return t`O maior valor é ${problem.limit}`
    case 'format':
      return t`Valor inválido`
  }
}

/** A refusal that the form words itself, at the field that it is about or (`root`) above the buttons. Thrown by `onSubmit`. */
export class Refusal<T extends FieldValues> extends Error {
  constructor(
    readonly field: Path<T> | 'root',
    message: string,
  ) {
    super(message)
  }
}

/**
 * An open dialog around a form that is saved on the server. What the server refuses stays in the dialog: at the field
 * that it is about, or above the buttons. Without the network it can be read, not saved.
 */
export function FormDialog<T extends FieldValues>({
  title,
  size,
  form,
  onSubmit,
  onInvalid,
  fieldOf = {},
  failed,
  save,
  readOnly = false,
  inline = false,
  wayOut,
  onClose,
  children,
}: {
  title: ReactNode
  size?: 'sm' | 'md' | 'lg' | 'xl'
  form: UseFormReturn<T>
  /** Saves; the dialog closes when it is done, and stays when it throws or answers `false`: nothing was saved. */
  onSubmit: (values: T) => Promise<void | false>
  /** Hears which fields are wrong before the first of them is focused: the moment to show their tab. */
  onInvalid?: (fields: readonly string[]) => void
  /** Error code → the field that it is about. */
  fieldOf?: Partial<Record<string, Path<T>>>
  /** What is said before the reason when the server refuses what no field is about. */
  failed?: string
  /** What its button says, where it does more than save. */
  save?: ReactNode
  /** It is only shown: there is nothing to save, and its one button closes it. */
  readOnly?: boolean
  /** It stands on the page, and is no dialog. */
  inline?: boolean
  /** Beside its button, where there is another way out than to close it: a step back. */
  wayOut?: { label: ReactNode; onClick: () => void } | undefined
  onClose: () => void
  children: ReactNode
}) {
  const offline = useConnectionState() === 'offline'
  const { errors, isSubmitting, isDirty } = form.formState
  const unsaved = useUnsaved(isDirty && !readOnly)
  const close = () => {
    unsaved.release()
    onClose()
  }
  const showInvalid = (fields: readonly string[]) => {
    onInvalid?.(fields)
    const [first] = fields
    // After the tab that holds it is there.
    if (first) setTimeout(() => form.setFocus(first as Path<T>))
  }
  const submit = form.handleSubmit(
    async (values) => {
      // What is saved may lead to another screen by itself.
      unsaved.release()
      try {
        if ((await onSubmit(values)) !== false) return onClose()
      } catch (error) {
        const field =
          error instanceof Refusal
            ? (error as Refusal<T>).field
            : error instanceof ApiError
              ? fieldOf[error.code]
              : undefined
        const reason = error instanceof Refusal ? error.message : errorText(error)
        form.setError(field ?? 'root', { message: field || !failed ? reason : `${failed}: ${reason}` })
        if (field && field !== 'root') showInvalid([field])
      }
      unsaved.hold()
    },
    (wrong) => showInvalid(Object.keys(wrong)),
  )
  const submitHere = async (event: FormEvent<HTMLFormElement>) => {
    const asking = document.activeElement
    const own = event.currentTarget.closest('[role="dialog"]')
    await submit(event)
    // Nothing was saved: the button that was busy meanwhile could not keep the keyboard, which is at the dialog or nowhere.
    setTimeout(() => {
      const isLost = isFocusLost() || document.activeElement === own
      if (isLost && asking instanceof HTMLElement) asking.focus()
    })
  }
  if (inline)
    return (
      <Card className="max-w-3xl">
        <CardHeader title={title} />
        <CardBody>
          <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void submitHere(event)}>
            {children}
            {unsaved.question}
            {errors.root?.message && <DialogProblem>{errors.root.message}</DialogProblem>}
            {offline && <NeedsNetwork />}
            <div>
              <Button type="submit" busy={isSubmitting} disabled={offline}>
                {save ?? <Trans>Salvar</Trans>}
              </Button>
            </div>
          </form>
        </CardBody>
      </Card>
    )
  return (
    <Dialog open onOpenChange={() => !isSubmitting && close()}>
      <DialogContent
        title={title}
        size={size}
        // A click beside the dialog must not throw away what was typed.
        onInteractOutside={(event) => isDirty && event.preventDefault()}
        // Nor one key, which is also the way out of a list or a field.
        onEscapeKeyDown={(event) => !isSubmitting && unsaved.asks(close) && event.preventDefault()}
      >
        <DialogForm
          onSubmit={(event) => {
            if (!readOnly) return void submitHere(event)
            event.preventDefault()
            onClose()
          }}
        >
          <DialogBody className="flex flex-col gap-4">{children}</DialogBody>
          {unsaved.question}
          {errors.root?.message && <DialogProblem>{errors.root.message}</DialogProblem>}
          {offline && !readOnly && <NeedsNetwork className="mx-5 mb-3" />}
          {readOnly ? (
            <DialogFooter>
              <Button type="submit" variant="outline">
                <Trans>Fechar</Trans>
              </Button>
            </DialogFooter>
          ) : (
            <DialogButtons busy={isSubmitting} disabled={offline} wayOut={wayOut}>
              {save ?? <Trans>Salvar</Trans>}
            </DialogButtons>
          )}
        </DialogForm>
      </DialogContent>
    </Dialog>
  )
}

/** Says that what is shown cannot be changed now. */
export function NeedsNetwork({ className = '' }: { className?: string }) {
  return (
    <p
      role="status"
      className={`flex items-center gap-2 rounded-md bg-warning-soft px-3 py-2 text-sm text-warning-soft-foreground ${className}`}
    >
      <WifiOff aria-hidden="true" className="size-4 shrink-0" />
      <Trans>Sem rede. Para salvar, é preciso estar conectado.</Trans>
    </p>
  )
}
