export const strings = {
  content: (summary: string) => (summary.trim() === '' ? 'Content of the toggle' : `Content of “${summary}”`),
} as const
