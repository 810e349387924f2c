import { ListFilter } from 'lucide-react'

/** A view's colour, or what says that it is one. */
export const ViewMark = ({ color }: { color: string | null }) => (
  <span aria-hidden="true" className="flex w-4.5 shrink-0 justify-center">
    {color === null ? (
      <ListFilter strokeWidth={1.9} className="size-4" />
    ) : (
      <span className="size-2.5 rounded-full" style={{ background: color }} />
    )}
  </span>
)
