/** Why the address of a link is not taken. */
export const linkProblemsStrings = {
  empty: 'Type an address.',
  invalid: 'That is not an address.',
  scheme: (scheme: string) => `Links can begin with http, https, mailto or tel, not with ${scheme}`,
} as const
