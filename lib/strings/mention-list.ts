/** The list that @ opens, and what a click on a mention says. */
export const mentionListStrings = {
  list: {
    label: 'People, documents and dates',
    count: (count: number) =>
      `${count} ${count === 1 ? 'suggestion' : 'suggestions'}. Arrow keys choose, Enter inserts one.`,
    today: 'Today',
    tomorrow: 'Tomorrow',
    yesterday: 'Yesterday',
    here: 'here now',
  },
  notHere: (name: string) => `${name} is not in the text now.`,
} as const
