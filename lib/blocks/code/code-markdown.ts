import type { MarkMarkdown } from '../markdown-types.ts'

export const codeMarkdown: MarkMarkdown = {
  writeLetters: (value) => ({ type: 'inlineCode', value }),
  read: { inlineCode: () => ({}) },
}
