import type { Piece } from './tickets.pieces.ts'

/** A piece of a text, with what was looked for marked. */
export function Marked({ piece: { before, match, after } }: { piece: Piece }) {
  return (
    <>
      {before}
      <mark className="rounded-xs bg-warning-soft text-warning-soft-foreground">{match}</mark>
      {after}
    </>
  )
}
