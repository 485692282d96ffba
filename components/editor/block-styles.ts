/** What a paragraph can be: text, or a heading of some level. */
import type { Editor } from '@tiptap/core'

const levels = [1, 2, 3] as const

export const blockStyles = [
  { id: '0', name: 'Text', keys: 'Mod+Alt+0', look: '' },
  { id: '1', name: 'Heading 1', keys: 'Mod+Alt+1', look: 'font-serif text-xl font-semibold' },
  { id: '2', name: 'Heading 2', keys: 'Mod+Alt+2', look: 'font-serif text-lg font-semibold' },
  { id: '3', name: 'Heading 3', keys: 'Mod+Alt+3', look: 'font-serif text-base font-semibold' },
] as const

export type BlockStyle = (typeof blockStyles)[number]

export const styleOf = (editor: Editor): string =>
  String(levels.find((level) => editor.isActive('heading', { level })) ?? 0)

export function applyStyle(editor: Editor, id: string): void {
  const level = levels.find((candidate) => String(candidate) === id)
  const chain = editor.chain().focus()
  if (level) chain.setHeading({ level }).run()
  else chain.setParagraph().run()
}
