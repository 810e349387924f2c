import { Type } from '@sinclair/typebox'
import { brandPlaces } from './branding.table.ts'

export const brandPlace = Type.Union(brandPlaces.map((place) => Type.Literal(place)))
/** Where an uploaded picture goes. */
export const brandQuery = Type.Object({ ref: brandPlace })
/** Which version of it an address names. */
export const brandVersion = Type.Object({ v: Type.Optional(Type.String({ maxLength: 20 })) })
export const brandParams = Type.Object({ place: brandPlace })

/** Bytes: it is shown before the login, on any line. */
export const LARGEST_BRAND = 300_000
/** What a picture may be. */
export const brandTypes = ['image/png', 'image/x-icon', 'image/svg+xml'] as const
