/** The networks of a setting, as people write them: one a line, or with commas. */
export const networksOf = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean)
