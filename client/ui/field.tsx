import { createContext, use, useId, useMemo } from 'react'
import type { ReactNode } from 'react'
import { cn } from './cn.ts'
import { Label } from './label.tsx'

type FieldState = { id: string; labelId: string; describedBy: string | undefined; invalid: boolean; required: boolean }

const FieldContext = createContext<FieldState | null>(null)

/**
 * Attributes that tie a control to the {@link Field} around it: id, label, description, validity.
 * Every control of this kit spreads them; what the caller sets itself wins. Empty outside a field.
 */
export function useFieldControl(): {
  id?: string
  'aria-describedby'?: string | undefined
  'aria-invalid'?: true | undefined
  'aria-required'?: true | undefined
} {
  const field = use(FieldContext)
  if (!field) return {}
  return {
    id: field.id,
    'aria-describedby': field.describedBy,
    'aria-invalid': field.invalid || undefined,
    'aria-required': field.required || undefined,
  }
}

/** Id of the surrounding field's label, for groups that are named by `aria-labelledby`. */
export function useFieldLabelId(): string | undefined {
  return use(FieldContext)?.labelId
}

/**
 * Label, control, hint and error as one. Made for react-hook-form:
 * `<Field label={t`Nome`} error={errors.name?.message}><Input {...register('name')} /></Field>`
 */
export function Field({
  label,
  hint,
  error,
  required = false,
  inline = false,
  className,
  children,
}: {
  label: ReactNode
  hint?: ReactNode
  /** Shown instead of the hint, and announced. */
  error?: ReactNode
  required?: boolean
  /** Control before its label on one line: checkboxes and switches. */
  inline?: boolean
  className?: string
  children: ReactNode
}) {
  const id = useId()
  const note = error || hint
  const state = useMemo(
    () => ({
      id,
      labelId: `${id}-label`,
      describedBy: note ? `${id}-note` : undefined,
      invalid: Boolean(error),
      required,
    }),
    [id, note, error, required],
  )
  const labelled = (
    <Label
      htmlFor={id}
      id={state.labelId}
      className={inline ? 'flex min-h-8 items-center leading-snug font-normal touch:min-h-11' : undefined}
    >
      {label}
      {required && (
        <span aria-hidden="true" className="text-destructive-soft-foreground">
          {' *'}
        </span>
      )}
    </Label>
  )
  return (
    <FieldContext value={state}>
      <div className={cn(inline ? 'grid grid-cols-[auto_1fr] gap-x-2.5' : 'flex flex-col gap-1.5', className)}>
        {inline ? (
          <>
            <span className="flex items-center">{children}</span>
            {labelled}
          </>
        ) : (
          <>
            {labelled}
            {children}
          </>
        )}
        {note && (
          <p
            id={`${id}-note`}
            role={error ? 'alert' : undefined}
            className={cn(
              'text-xs',
              error ? 'text-destructive-soft-foreground' : 'text-muted-foreground',
              // Below the words that it explains, and as near to them as elsewhere.
              inline && 'col-start-2 -mt-1 touch:-mt-2.5',
            )}
          >
            {note}
          </p>
        )}
      </div>
    </FieldContext>
  )
}
