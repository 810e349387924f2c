/** Stands for a secret that is set. Sent back unchanged it changes nothing. */
export const MASK = '••••••••'
