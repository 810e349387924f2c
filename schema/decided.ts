/** Never made: what bears it comes from a table of transitions. */
declare const decided: unique symbol

/**
 * A patch of a row that has a life. Only the table of its transitions makes one (`*.transition.ts`): what a row of its
 * table is set to by anybody else does not compile.
 */
export type ByTable<Row> = Partial<Row> & { readonly [decided]: true }
