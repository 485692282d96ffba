/** Writes copied text for programs that take only letters: one line per text block, as everywhere here (lib/text/plain-text.ts). */
import { Extension } from '@tiptap/core'
import type { Slice } from '@tiptap/pm/model'
import { Plugin } from '@tiptap/pm/state'

export const plainTextOfSlice = ({ content }: Slice): string => content.textBetween(0, content.size, '\n')

/** Tiptap's own version puts an empty line between two blocks, and one more for each list around them. */
export const PlainTextCopy = Extension.create({
  name: 'plainCopy',
  priority: 200,
  addProseMirrorPlugins: () => [new Plugin({ props: { clipboardTextSerializer: plainTextOfSlice } })],
})
