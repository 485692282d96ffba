/** The command line is wrong. The message is one sentence, or several, for the person at the terminal. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
