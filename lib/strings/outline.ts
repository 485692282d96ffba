/** The outline, and what was done with a section. */
export const outlineStrings = {
  label: 'Headings',
  empty: {
    title: 'No headings yet.',
    hint: 'Start a line with # and a space to make one. All headings are listed here.',
  },
  untitled: 'Heading without text',
  menu: {
    open: (heading: string) => `Actions for ${heading}`,
    level: (level: number) => `Level ${level}`,
  },
  done: {
    up: (heading: string) => `${heading} moved up`,
    down: (heading: string) => `${heading} moved down`,
    higher: (heading: string) => `${heading} is one level higher`,
    lower: (heading: string) => `${heading} is one level lower`,
  },
  /** As in "Undone: “Costs” moved in Outline." */
  steps: {
    moved: (heading: string) => `“${heading}” moved`,
    atAnotherLevel: (heading: string) => `“${heading}” at another level`,
  },
} as const
