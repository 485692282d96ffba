/**
 * How the blocks and marks of blocks.ts are written as Markdown, and read. Apart from these, because a page loads this only when it first
 * reads or writes Markdown.
 */
import { blockquoteMarkdown } from './blockquote/blockquote-markdown.ts'
import { boldMarkdown } from './bold/bold-markdown.ts'
import { bulletListMarkdown } from './bullet-list/bullet-list-markdown.ts'
import { calloutMarkdown } from './callout/callout-markdown.ts'
import { codeMarkdown } from './code/code-markdown.ts'
import { codeBlockMarkdown } from './code-block/code-block-markdown.ts'
import { dateMarkdown } from './date/date-markdown.ts'
import { dividerMarkdown } from './divider/divider-markdown.ts'
import { fileCardMarkdown } from './file-card/file-card-markdown.ts'
import { headingMarkdown } from './heading/heading-markdown.ts'
import { highlightMarkdown } from './highlight/highlight-markdown.ts'
import { italicMarkdown } from './italic/italic-markdown.ts'
import { lineBreakMarkdown } from './line-break/line-break-markdown.ts'
import { linkCardMarkdown } from './link-card/link-card-markdown.ts'
import { linkMarkdown } from './link/link-markdown.ts'
import { blockMathMarkdown, inlineMathMarkdown } from './math/math-markdown.ts'
import { mentionMarkdown } from './mention/mention-markdown.ts'
import { orderedListMarkdown } from './ordered-list/ordered-list-markdown.ts'
import { paragraph } from './paragraph/paragraph.ts'
import { paragraphMarkdown } from './paragraph/paragraph-markdown.ts'
import { pictureMarkdown } from './picture/picture-markdown.ts'
import { strikeMarkdown } from './strike/strike-markdown.ts'
import { subscriptMarkdown } from './subscript/subscript-markdown.ts'
import { superscriptMarkdown } from './superscript/superscript-markdown.ts'
import { tableMarkdown } from './table/table-markdown.ts'
import { tableOfContentsMarkdown } from './table-of-contents/table-of-contents-markdown.ts'
import { taskListMarkdown } from './task-list/task-list-markdown.ts'
import { toggleMarkdown } from './toggle/toggle-markdown.ts'
import { underlineMarkdown } from './underline/underline-markdown.ts'
import { blocks, marks } from './blocks.ts'
import type { MarkMarkdown, NodeMarkdown } from './markdown-types.ts'

/** By the block's name. The others have no form of their own. */
const markdownByBlock: Readonly<Record<string, NodeMarkdown>> = {
  paragraph: paragraphMarkdown,
  heading: headingMarkdown,
  bulletList: bulletListMarkdown,
  orderedList: orderedListMarkdown,
  taskList: taskListMarkdown,
  callout: calloutMarkdown,
  blockquote: blockquoteMarkdown,
  toggle: toggleMarkdown,
  blockMath: blockMathMarkdown,
  codeBlock: codeBlockMarkdown,
  table: tableMarkdown,
  picture: pictureMarkdown,
  fileCard: fileCardMarkdown,
  linkCard: linkCardMarkdown,
  horizontalRule: dividerMarkdown,
  tableOfContents: tableOfContentsMarkdown,
  hardBreak: lineBreakMarkdown,
  inlineMath: inlineMathMarkdown,
  mention: mentionMarkdown,
  date: dateMarkdown,
}

const markdownByMark: Readonly<Record<string, MarkMarkdown>> = {
  link: linkMarkdown,
  bold: boldMarkdown,
  italic: italicMarkdown,
  underline: underlineMarkdown,
  highlight: highlightMarkdown,
  subscript: subscriptMarkdown,
  superscript: superscriptMarkdown,
  strike: strikeMarkdown,
  code: codeMarkdown,
}

/** Undefined for a block that nobody knows, too. */
export const markdownOfBlock = (name: string): NodeMarkdown | undefined =>
  Object.hasOwn(markdownByBlock, name) ? markdownByBlock[name] : undefined

/** In the order in which the blocks are asked what a node of the parser means: what is nothing else is a paragraph. */
export const blockMarkdown: readonly NodeMarkdown[] = blocks
  .toSorted((a, b) => Number(a === paragraph) - Number(b === paragraph))
  .flatMap(({ name }) => markdownOfBlock(name) ?? [])

interface NamedMarkMarkdown extends MarkMarkdown {
  readonly name: string
}

/** From the outermost mark to the innermost. */
export const markMarkdown: readonly NamedMarkMarkdown[] = marks.map(({ name }) => ({
  ...markdownByMark[name],
  name,
}))
