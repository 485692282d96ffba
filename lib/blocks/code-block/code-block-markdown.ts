import type { NodeMarkdown } from '../markdown-types.ts'
import { codeLanguageOf } from './code-block.ts'

export const codeBlockMarkdown: NodeMarkdown = {
  write: (block, writer) => [
    { type: 'code', lang: codeLanguageOf(block.attributes), value: writer.lettersOf(block) },
  ],
  read: {
    code: ({ lang, value }) => [
      {
        type: 'codeBlock',
        attrs: { language: lang ?? null },
        content: value === '' ? [] : [{ type: 'text', text: value }],
      },
    ],
  },
}
