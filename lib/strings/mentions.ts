/** Mentions of people and documents, and the list that @ opens. */
export const strings = {
  unknown: 'somebody',
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
