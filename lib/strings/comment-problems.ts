const figure = (count: number): string => count.toLocaleString('en')

/** Why a comment is not taken. */
export const commentProblemsStrings = {
  empty: 'There is nothing to send yet.',
  tooLong: (limit: number, given: number) =>
    `A comment has at most ${figure(limit)} characters; this one has ${figure(given)}.`,
  tooManyThreads: (limit: number) => `A document has at most ${figure(limit)} comment threads.`,
  tooManyMessages: (limit: number) =>
    `A thread has at most ${figure(limit)} messages. Start another one on the same text.`,
} as const
