/**
 * Whether a key belongs to writing a character of several keys: an accent, or Japanese. Safari says that it is over
 * before it tells of the Enter that ended it, and marks that key by the number 229 alone.
 */
export const isComposing = ({ isComposing, keyCode }: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean =>
  isComposing || keyCode === 229
