/** The editor's part of each block and mark, in the order of lib/blocks/blocks.ts. */
import { Extension, type Extensions, Node } from '@tiptap/core'
import { blocks, marks } from '@/lib/blocks/blocks.ts'
import { rootNodes } from '@/lib/blocks/text-schema.ts'
import { alignmentFormats } from './alignment/alignment.ts'
import { EditNodeKey } from './edit-node.ts'
import type { EditorBlock, FormatGroup } from './editor-block.ts'
import * as parts from './editor-blocks.ts'
import { highlightFormats } from './highlight/highlight.ts'
import { lateViews } from './late-views.ts'
import { proseMirrorKeysOf } from './prose-mirror-keys.ts'
import { nodeFields } from './schema-fields.ts'
import { subscriptFormat } from './subscript/subscript.ts'
import { superscriptFormat } from './superscript/superscript.ts'
import { editorStrings } from '@/lib/strings/editor.ts'

const partByName: ReadonlyMap<string, EditorBlock> = new Map(
  Object.values(parts).map((part) => [part.extension.name, part]),
)

const partsOf = (definitions: readonly { readonly name: string }[]): readonly EditorBlock[] =>
  definitions.map(({ name }) => partByName.get(name)!)

export const editorBlocks = partsOf(blocks)
export const editorMarks = partsOf(marks)

export const formatGroups: readonly FormatGroup[] = [
  alignmentFormats,
  highlightFormats,
  { name: editorStrings.formats.position, formats: [superscriptFormat, subscriptFormat] },
]

/** The keys of the toolbar's buttons and formats, and of the menu of blocks. */
const BlockKeys = Extension.create({
  name: 'blockKeys',
  addKeyboardShortcuts() {
    const items = [...editorMarks, ...editorBlocks].flatMap((block) => [
      ...(block.toolbar ? [block.toolbar] : []),
      ...(block.menuItems ?? []),
    ])
    const formats = formatGroups.flatMap(({ formats }) => formats)
    const bindings = [...items, ...formats].flatMap(({ keys, run }) =>
      (keys ? proseMirrorKeysOf(keys) : []).map(
        (key) => [key, () => run(this.editor.chain()).run()] as const,
      ),
    )
    return Object.fromEntries(bindings)
  },
})

export const blockExtensions: Extensions = [
  ...rootNodes.map((node) => Node.create({ ...nodeFields(node), topNode: node.name === 'doc' })),
  ...[...editorMarks, ...editorBlocks].map(({ extension }) => extension),
  BlockKeys,
  lateViews(editorBlocks),
  EditNodeKey,
]

/** Nodes that a page shows and never stores. No other schema has them, neither that of the server nor that of Markdown. */
export const shownOnlyExtensions: Extensions = []
