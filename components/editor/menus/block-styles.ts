/**
 * What a paragraph can be: text, or a heading of some level. The menu offers three levels; the text knows six, which Markdown (`####`) can
 * make, so those have names as well.
 */
import type { Editor } from '@tiptap/core'
import { strings } from '@/lib/strings/editor.ts'

const { text, heading } = strings.paragraphStyle

const offeredLevels = [1, 2, 3] as const

export const blockStyles = [
  { id: '0', name: text, keys: 'Mod+Alt+0', look: '' },
  { id: '1', name: heading(1), keys: 'Mod+Alt+1', look: 'font-serif text-xl font-semibold' },
  { id: '2', name: heading(2), keys: 'Mod+Alt+2', look: 'font-serif text-lg font-semibold' },
  { id: '3', name: heading(3), keys: 'Mod+Alt+3', look: 'font-serif text-base font-semibold' },
] as const

export type BlockStyle = (typeof blockStyles)[number]

/** The style of the block at the caret: an id of `blockStyles`, or the level of a deeper heading. */
export function blockStyleOf(editor: Pick<Editor, 'isActive' | 'getAttributes'>): string {
  return editor.isActive('heading') ? String(headingLevelIn(editor.getAttributes('heading'))) : '0'
}

const headingLevelIn = (attributes: Readonly<Record<string, unknown>>): number => {
  const level = Number(attributes.level)
  return Number.isInteger(level) && level >= 1 && level <= 6 ? level : 1
}

export const blockStyleName = (id: string): string =>
  blockStyles.find((style) => style.id === id)?.name ?? heading(id)

export function applyBlockStyle(editor: Editor, id: string): void {
  const level = offeredLevels.find((candidate) => String(candidate) === id)
  const chain = editor.chain().focus()
  if (level) chain.setNode('heading', { level }).run()
  else chain.setNode('paragraph').run()
}
