/** Lists the editor's part of each block and mark of lib/blocks/blocks.ts. */
import { Extension, type Extensions, Node } from '@tiptap/core'
import { rootNodes } from '@/lib/blocks/text-schema.ts'
import { alignmentFormats } from './alignment/alignment.ts'
import { blockquote } from './blockquote/blockquote.ts'
import { bold } from './bold/bold.ts'
import { bulletList } from './bullet-list/bullet-list.ts'
import { callout } from './callout/callout.ts'
import { caption } from './caption/caption.ts'
import { codeBlock } from './code-block/code-block.ts'
import { code } from './code/code.ts'
import { date } from './date/date.ts'
import { divider } from './divider/divider.ts'
import { EditNodeKey } from './edit-node.ts'
import type { EditorBlock, FormatGroup } from './editor-block.ts'
import { fileCard } from './file-card/file-card.ts'
import { heading } from './heading/heading.ts'
import { highlight, highlightFormats } from './highlight/highlight.ts'
import { italic } from './italic/italic.ts'
import { lateViews } from './late-views.ts'
import { lineBreak } from './line-break/line-break.ts'
import { link } from './link/link.ts'
import { linkCard } from './link-card/link-card.ts'
import { listItem } from './list-item/list-item.ts'
import { blockMath, inlineMath } from './math/math.ts'
import { mention } from './mention/mention.ts'
import { orderedList } from './ordered-list/ordered-list.ts'
import { paragraph } from './paragraph/paragraph.ts'
import { picture } from './picture/picture.ts'
import { proseMirrorKeysOf } from './prose-mirror-keys.ts'
import { nodeFields } from './schema-fields.ts'
import { strike } from './strike/strike.ts'
import { subscript, subscriptFormat } from './subscript/subscript.ts'
import { superscript, superscriptFormat } from './superscript/superscript.ts'
import { table, tableCell, tableRow } from './table/table.ts'
import { tableOfContents } from './table-of-contents/table-of-contents.ts'
import { taskItem, taskList } from './task-list/task-list.ts'
import { toggle, toggleSummary } from './toggle/toggle.ts'
import { underline } from './underline/underline.ts'
import { strings } from '@/lib/strings/editor.ts'

/** In the order of lib/blocks/blocks.ts. */
export const editorBlocks: readonly EditorBlock[] = [
  paragraph,
  heading,
  bulletList,
  orderedList,
  listItem,
  taskList,
  taskItem,
  callout,
  blockquote,
  toggle,
  toggleSummary,
  blockMath,
  codeBlock,
  table,
  tableRow,
  tableCell,
  picture,
  fileCard,
  linkCard,
  caption,
  divider,
  tableOfContents,
  lineBreak,
  inlineMath,
  mention,
  date,
]

export const editorMarks: readonly EditorBlock[] = [
  link,
  bold,
  italic,
  underline,
  highlight,
  subscript,
  superscript,
  strike,
  code,
]

export const formatGroups: readonly FormatGroup[] = [
  alignmentFormats,
  highlightFormats,
  { name: strings.formats.position, formats: [superscriptFormat, subscriptFormat] },
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
