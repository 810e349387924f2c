import { can, type Principal } from '../permissions.ts'

/** Whether somebody may change or call off a schedule: their own, or any where they see everybody's tickets. */
export const mayChangeSchedule = (who: Principal, { userId }: { userId: number | null }): boolean =>
  userId === who.userId || can(who, 'tickets-manager:showall')
