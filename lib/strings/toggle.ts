export const toggleStrings = {
  content: (summary: string) => (summary.trim() === '' ? 'Content of the toggle' : `Content of “${summary}”`),
} as const
