import { type Extensions, getSchema } from '@tiptap/core'
import { Blockquote } from '@tiptap/extension-blockquote'
import { Bold } from '@tiptap/extension-bold'
import { Code } from '@tiptap/extension-code'
import { Document } from '@tiptap/extension-document'
import { HardBreak } from '@tiptap/extension-hard-break'
import { Heading } from '@tiptap/extension-heading'
import { HorizontalRule } from '@tiptap/extension-horizontal-rule'
import { Italic } from '@tiptap/extension-italic'
import { BulletList, ListItem, ListKeymap, OrderedList, TaskList } from '@tiptap/extension-list'
import { Paragraph } from '@tiptap/extension-paragraph'
import { Strike } from '@tiptap/extension-strike'
import { Text } from '@tiptap/extension-text'
import { Underline } from '@tiptap/extension-underline'
import { Gapcursor } from '@tiptap/extensions/gap-cursor'
import { DropCursor } from './paste/drop-cursor.ts'
import { SafeCodeBlock, SafeLink } from './safe-markup.ts'
import { MarkdownTaskItem } from './markdown-task-rule.ts'
import { strings } from '@/lib/strings/editor.ts'

/**
 * Drawn and not stored: the direction of a block follows from its letters. A paragraph gets no attribute, because an item or a quote would
 * then ignore its letters. app/text.css gives each paragraph its own direction.
 */
const ownDirection = { HTMLAttributes: { dir: 'auto' } }

/**
 * The extensions that define what a text may contain. They are Tiptap's StarterKit, in its order, without its undo, which would also take
 * back other people's edits, and without the paragraph that it adds to the end of the shared text, once in every window that opens it.
 */
export const schemaExtensions: Extensions = [
  Bold,
  Blockquote.configure(ownDirection),
  BulletList,
  Code,
  Document,
  DropCursor,
  Gapcursor,
  HardBreak,
  Heading.configure(ownDirection),
  HorizontalRule,
  Italic,
  ListItem.configure(ownDirection),
  ListKeymap,
  OrderedList,
  Paragraph,
  Strike,
  Text,
  Underline,
  SafeLink,
  SafeCodeBlock.configure({ enableTabIndentation: true, tabSize: 2 }),
  TaskList,
  MarkdownTaskItem.configure({
    nested: true,
    ...ownDirection,
    a11y: { checkboxLabel: (node) => node.textContent || strings.text.emptyTask },
  }),
]

export const textSchema = getSchema(schemaExtensions)
