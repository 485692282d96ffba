/**
 * What the editor's text may contain: nodes, what each has within it, and marks. The editor deletes, for everybody, what does not fit;
 * so nothing else may come in. A test compares it with the editor's own schema.
 */
import { Schema } from 'prosemirror-model'

export const textSchema = new Schema({
  nodes: {
    doc: { content: 'block+' },
    paragraph: { content: 'inline*', group: 'block' },
    text: { group: 'inline' },
    blockquote: { content: 'block+', group: 'block' },
    bulletList: { content: 'listItem+', group: 'block list' },
    codeBlock: { content: 'text*', marks: '', group: 'block' },
    hardBreak: { group: 'inline', inline: true },
    heading: { content: 'inline*', group: 'block' },
    horizontalRule: { group: 'block' },
    listItem: { content: 'paragraph block*' },
    orderedList: { content: 'listItem+', group: 'block list' },
    taskItem: { content: 'paragraph block*' },
    taskList: { content: 'taskItem+', group: 'block list' },
  },
  marks: { bold: {}, code: {}, italic: {}, link: {}, strike: {}, underline: {} },
})
