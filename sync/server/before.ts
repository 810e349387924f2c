import { type ShapeDefinition, type ShapeName, shapeNames, shapes, shapesVersion, typesOf } from '../shapes.ts'
import kept from './shapes.before.json' with { type: 'json' }

/** What browsers of a release hold: of each shape the columns and their types. Written by `bun run release:keep`. */
export type Kept = Readonly<Record<string, Readonly<Record<string, readonly (readonly string[])[]>>>>

/** What a browser of this version holds, for {@link Kept}. */
export const heldNow = (): Kept[string] =>
  Object.fromEntries(shapeNames.map((name) => [name, typesOf(shapes[name] as ShapeDefinition)]))

export interface Before {
  /** Whether browsers with these tables are still given what they have. */
  knows(version: string | null): boolean
  /** The columns that such a browser is given of a shape. */
  columns(version: string | null, name: ShapeName): readonly string[]
}

/**
 * Browsers whose pages were opened before an upgrade go on with the columns that they have, as long as the tables still
 * have them: nobody has to load anything anew because of columns that he does not know.
 */
export function createBefore(releases: Kept = kept): Before {
  const versions = new Map<string, Kept[string]>()
  for (const [version, held] of Object.entries(releases))
    if (Object.keys(held).every((name) => isServed(held, name))) versions.set(version, held)
  return {
    knows: (version) => version === null || version === shapesVersion || versions.has(version),
    columns: (version, name) =>
      (version === null ? undefined : versions.get(version))?.[name]?.flatMap(([column]) => column ?? []) ??
      shapes[name].columns,
  }
}

/** Whether the shape is there with all that such a browser has of it. */
function isServed(held: Kept[string], name: string): boolean {
  if (!Object.hasOwn(shapes, name)) return false
  const now = new Map(typesOf(shapes[name as ShapeName] as ShapeDefinition))
  return (held[name] ?? []).every(([column = '', type]) => now.get(column) === type)
}
