/** With fewer days than this left, people are told at login that the subscription is about to end. */
export const warningDays = 5
