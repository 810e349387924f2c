/** A row as the list has it now, or as it was when the list lost it: what may be done with it follows from how it is now. */
export const followed = <Row extends { id: number | string }>(rows: readonly Row[] | null | undefined, row: Row): Row =>
  rows?.find(({ id }) => id === row.id) ?? row
