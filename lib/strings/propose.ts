/** The command that begins a proposal: the page has it before it loads what else is said of proposals. */
export const proposeStrings = {
  command: 'Propose changes',
  words: 'branch suggest draft copy review',
} as const
