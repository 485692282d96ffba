const figure = (count: number): string => count.toLocaleString('en')

/** Why what a person typed is not taken: the address of a link, a comment, what to find. */
export const strings = {
  link: {
    empty: 'Type an address.',
    invalid: 'That is not an address.',
    scheme: (scheme: string) => `Links can begin with http, https, mailto or tel, not with ${scheme}`,
  },
  comment: {
    empty: 'There is nothing to send yet.',
    tooLong: (limit: number, given: number) =>
      `A comment has at most ${figure(limit)} characters; this one has ${figure(given)}.`,
    tooManyThreads: (limit: number) => `A document has at most ${figure(limit)} comment threads.`,
    tooManyMessages: (limit: number) =>
      `A thread has at most ${figure(limit)} messages. Start another one on the same text.`,
  },
  search: {
    tooLong: (limit: number) => `A search has at most ${figure(limit)} characters.`,
    notRegularExpression: (reason: string) => `Invalid regular expression: ${reason}.`,
    unreadable: 'it cannot be read',
  },
} as const
