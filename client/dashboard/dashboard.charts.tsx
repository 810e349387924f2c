import { useLingui } from '@lingui/react/macro'
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'

export interface Point {
  label: string
  value: number
}

const axis = { fill: 'var(--muted-foreground)', fontSize: 12 }
const tooltip = {
  cursor: { fill: 'var(--accent)' },
  contentStyle: {
    background: 'var(--popover)',
    border: '1px solid var(--border)',
    borderRadius: 'var(--radius)',
    fontSize: 12,
    padding: '6px 10px',
  },
  labelStyle: { color: 'var(--muted-foreground)' },
  itemStyle: { color: 'var(--popover-foreground)' },
}
/** Room for a bar and the space around it, px. */
const rowHeight = 32

/** Bars lying (one for each name) or standing (one for each moment). Hidden from screen readers, which get the table. */
export default function Bars({
  points,
  name,
  lying = false,
}: {
  points: readonly Point[]
  /** What is counted; services when it is left out. */
  name?: string
  lying?: boolean
}) {
  const { t, i18n } = useLingui()
  const grouped = (value: number) => i18n.number(value)
  const value = (
    <Bar
      dataKey="value"
      name={name ?? t`Atendimentos`}
      fill="var(--primary)"
      maxBarSize={28}
      radius={lying ? [0, 4, 4, 0] : [4, 4, 0, 0]}
      isAnimationActive={false}
    />
  )
  return (
    <div aria-hidden="true" style={{ height: lying ? Math.max(120, points.length * rowHeight + 32) : 260 }}>
      <ResponsiveContainer width="100%" height="100%">
        {lying ? (
          <BarChart
            accessibilityLayer={false}
            layout="vertical"
            data={[...points]}
            margin={{ left: 0, right: 12, top: 0, bottom: 0 }}
          >
            <CartesianGrid horizontal={false} stroke="var(--border)" />
            <XAxis
              type="number"
              allowDecimals={false}
              tick={axis}
              tickLine={false}
              axisLine={false}
              tickFormatter={grouped}
            />
            <YAxis
              type="category"
              dataKey="label"
              width={120}
              tick={axis}
              tickLine={false}
              axisLine={false}
              interval={0}
              tickFormatter={short}
            />
            <Tooltip {...tooltip} formatter={(value) => grouped(Number(value))} />
            {value}
          </BarChart>
        ) : (
          <BarChart accessibilityLayer={false} data={[...points]} margin={{ left: 0, right: 4, top: 4, bottom: 0 }}>
            <CartesianGrid vertical={false} stroke="var(--border)" />
            <XAxis dataKey="label" tick={axis} tickLine={false} axisLine={false} minTickGap={16} />
            <YAxis
              allowDecimals={false}
              width="auto"
              tick={axis}
              tickLine={false}
              axisLine={false}
              tickFormatter={grouped}
            />
            <Tooltip {...tooltip} formatter={(value) => grouped(Number(value))} />
            {value}
          </BarChart>
        )}
      </ResponsiveContainer>
    </div>
  )
}

const short = (name: string) => (name.length > 16 ? `${name.slice(0, 15)}…` : name)
