/** What a page says while it asks whom the code of another device would sign in. */
export const ticketStrings = {
  title: 'One moment',
  hint: 'The code is being checked.',
  failed: 'The code could not be checked',
  failedHint: (why: string) => `${why} A code is good for one minute.`,
} as const
