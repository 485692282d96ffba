/**
 * All blocks and marks that a text may contain. The schema of the page and of the server, Markdown, the views and the menus follow from
 * these two lists.
 */
import { blockquote } from './blockquote/blockquote.ts'
import { bold } from './bold/bold.ts'
import { bulletList } from './bullet-list/bullet-list.ts'
import { callout } from './callout/callout.ts'
import { caption } from './caption/caption.ts'
import { codeBlock } from './code-block/code-block.ts'
import { code } from './code/code.ts'
import { date } from './date/date.ts'
import { divider } from './divider/divider.ts'
import { fileCard } from './file-card/file-card.ts'
import { heading } from './heading/heading.ts'
import { highlight } from './highlight/highlight.ts'
import { italic } from './italic/italic.ts'
import { lineBreak } from './line-break/line-break.ts'
import { link } from './link/link.ts'
import { linkCard } from './link-card/link-card.ts'
import { listItem } from './list-item/list-item.ts'
import { blockMath, inlineMath } from './math/math.ts'
import { mention } from './mention/mention.ts'
import { orderedList } from './ordered-list/ordered-list.ts'
import { paragraph } from './paragraph/paragraph.ts'
import { picture } from './picture/picture.ts'
import { strike } from './strike/strike.ts'
import { subscript } from './subscript/subscript.ts'
import { superscript } from './superscript/superscript.ts'
import { table, tableCell, tableRow } from './table/table.ts'
import { tableOfContents } from './table-of-contents/table-of-contents.ts'
import { taskItem, taskList } from './task-list/task-list.ts'
import { underline } from './underline/underline.ts'
import { toggle, toggleSummary } from './toggle/toggle.ts'
import type { MarkDefinition, NodeDefinition, StoredAttributes } from './definitions.ts'

/** In the order of the toolbar. The first of them is what an empty text gets. */
export const blocks: readonly NodeDefinition[] = [
  paragraph,
  heading,
  bulletList,
  orderedList,
  listItem,
  taskList,
  taskItem,
  // Before quotes, as which Markdown writes it.
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

/** From the outermost to the innermost, where letters have several. Markdown finds `~~` only within one text, so it is inside. */
export const marks: readonly MarkDefinition[] = [
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

const blocksByName = new Map(blocks.map((definition) => [definition.name, definition]))

/** Undefined for a block that another program wrote, or a newer page. */
export const definitionOf = (name: string): NodeDefinition | undefined => blocksByName.get(name)

export const markDefinitionOf = (name: string): MarkDefinition | undefined =>
  marks.find((definition) => definition.name === name)

/** Whether letters with the first mark cannot have the second one as well. A mark excludes itself with other attributes. */
export function excludesMark(name: string, other: string): boolean {
  const excluded = markDefinitionOf(name)?.schema.excludes ?? name
  return excluded === '_' || excluded.split(' ').includes(other)
}

/** Whether another mark of the same letters hides one, as in the editor: of two that exclude each other the later name is shown. */
export const isHiddenMark = (name: string, all: readonly string[]): boolean =>
  all.some(
    (other) => other !== name && excludesMark(other, name) && !(excludesMark(name, other) && other < name),
  )

/** Whether the schema puts letters into a block, and not other blocks. */
export const holdsLetters = (name: string): boolean =>
  /\b(?:inline|text)\b/.test(definitionOf(name)?.schema.content ?? '')

/** From 1 to 6; null for a block that heads no section. */
export const headingLevelOf = (name: string, attributes: StoredAttributes): number | null =>
  definitionOf(name)?.headingLevel?.(attributes) ?? null
