/** Why a search is not taken. */
export const searchProblemsStrings = {
  tooLong: (limit: number) => `A search has at most ${limit.toLocaleString('en')} characters.`,
  notRegularExpression: (reason: string) => `Invalid regular expression: ${reason}.`,
  unreadable: 'it cannot be read',
} as const
