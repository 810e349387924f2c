import { type Static, Type } from '@sinclair/typebox'
import { moment, nullable, patterned, requiring, rowId } from '../inputs.ts'
import { profiles } from '../users/users.table.ts'

const ids = Type.Array(rowId, { maxItems: 500, uniqueItems: true })

/** All that the operator writes of an announcement; its picture is uploaded. */
export const announcementInput = Type.Object({
  title: patterned({ minLength: 1, maxLength: 120, pattern: '\\S' }),
  text: patterned({ minLength: 1, maxLength: 4_000, pattern: '\\S' }),
  /** 1 high, 2 medium, 3 low. */
  priority: Type.Integer({ minimum: 1, maximum: 3 }),
  status: Type.Boolean(),
  startsAt: nullable(moment),
  endsAt: nullable(moment),
  /** For all, where these are empty. */
  companyIds: ids,
  planIds: ids,
  profiles: Type.Array(Type.Union(profiles.map((profile) => Type.Literal(profile))), {
    maxItems: profiles.length,
    uniqueItems: true,
  }),
})
export type AnnouncementInput = Static<typeof announcementInput>

export const newAnnouncement = requiring(announcementInput, ['title', 'text'])
export const changedAnnouncement = requiring(announcementInput, [])

/** Pictures only: they stand in the list of what is new. */
export const announcementPictures = ['image/png', 'image/jpeg'] as const
