import { useLingui } from '@lingui/react/macro'
import { Check } from 'lucide-react'
import { RadioGroup } from 'radix-ui'
import { cn } from './cn.ts'
import { useFieldControl, useFieldLabelId } from './field.tsx'

/** The 50 colours offered for queues and tags: ten hues in five depths. Hex, because that is what is stored. */
export const swatches = [
  '#fca5a5',
  '#fdba74',
  '#fcd34d',
  '#bef264',
  '#86efac',
  '#5eead4',
  '#7dd3fc',
  '#a5b4fc',
  '#d8b4fe',
  '#f9a8d4',
  '#f87171',
  '#fb923c',
  '#fbbf24',
  '#a3e635',
  '#4ade80',
  '#2dd4bf',
  '#38bdf8',
  '#818cf8',
  '#c084fc',
  '#f472b6',
  '#ef4444',
  '#f97316',
  '#f59e0b',
  '#84cc16',
  '#22c55e',
  '#14b8a6',
  '#0ea5e9',
  '#6366f1',
  '#a855f7',
  '#ec4899',
  '#dc2626',
  '#ea580c',
  '#d97706',
  '#65a30d',
  '#16a34a',
  '#0d9488',
  '#0284c7',
  '#4f46e5',
  '#9333ea',
  '#db2777',
  '#991b1b',
  '#9a3412',
  '#92400e',
  '#3f6212',
  '#166534',
  '#115e59',
  '#075985',
  '#3730a3',
  '#6b21a8',
  '#9d174d',
] as const

/** Choice of one colour; arrow keys move. A stored colour that is not among the swatches is shown as one more. */
export function ColorSwatch({
  value,
  onChange,
  taken = [],
}: {
  value: string | null
  onChange: (color: string) => void
  /** Colours that others use already: shown, but not to be chosen. */
  taken?: readonly string[]
}) {
  const { t } = useLingui()
  const field = useFieldControl()
  const labelId = useFieldLabelId()
  const current = value?.toLowerCase() ?? ''
  const colors: readonly string[] =
    current && !swatches.some((color) => color === current) ? [current, ...swatches] : swatches
  return (
    <RadioGroup.Root
      {...field}
      aria-labelledby={labelId}
      aria-label={labelId ? undefined : t`Cor`}
      value={current}
      onValueChange={onChange}
      className="grid max-w-md grid-cols-10 gap-1.5"
    >
      {colors.map((color) => (
        <RadioGroup.Item
          key={color}
          value={color}
          aria-label={color}
          disabled={color !== current && taken.includes(color)}
          style={{ background: color }}
          className={cn(
            'focus-ring flex aspect-square items-center justify-center rounded-md ring-1 ring-black/10 ring-inset',
            'disabled:cursor-not-allowed disabled:opacity-25 data-[state=checked]:outline-2 data-[state=checked]:outline-offset-2 data-[state=checked]:outline-foreground',
          )}
        >
          <RadioGroup.Indicator>
            <Check className="size-4 text-white drop-shadow-[0_0_1px_rgb(0_0_0/0.8)]" strokeWidth={3} />
          </RadioGroup.Indicator>
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  )
}
