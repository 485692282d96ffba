/** The search in all documents. */
export const searchStrings = {
  tooLong: (limit: number) => `Search for at most ${limit} characters.`,
  tooManyWords: (limit: number) => `Search for at most ${limit} words.`,
  unavailable: 'The search is not ready at the moment. Try again in a while.',
  tooMany: 'Several of your searches are on their way already. Wait a moment.',
  noWord: 'Type a word to search for.',
} as const
