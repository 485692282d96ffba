/** What a line can be: text, or a heading of some level. Levels that the menu does not offer have names as well. */
import type { Editor } from '@tiptap/core'
import { editorBlocks } from '@/components/blocks/blocks.ts'
import { heading, headingLevelOf, headingName } from '@/lib/blocks/heading/heading.ts'

export const blockStyles = editorBlocks.flatMap(({ lineStyles }) => lineStyles ?? [])

/** The style of the block at the caret: an id of `blockStyles`, or the level of a deeper heading. */
export const blockStyleOf = (editor: Pick<Editor, 'isActive' | 'getAttributes'>): string =>
  editor.isActive(heading.name) ? String(headingLevelOf(editor.getAttributes(heading.name))) : '0'

export const blockStyleName = (id: string): string =>
  blockStyles.find((style) => style.id === id)?.name ?? headingName(Number(id))

export function applyBlockStyle(editor: Editor, id: string): void {
  const style = blockStyles.find((candidate) => candidate.id === id)
  style?.run(editor.chain().focus()).run()
}
