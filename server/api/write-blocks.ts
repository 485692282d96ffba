/** Writes structured text into a Yjs fragment, with the nodes and marks that Tiptap's binding stores. */
import * as Y from 'yjs'

export type InlineText = string | { text: string; bold?: true; italic?: true; code?: true; link?: string }

export type RichTextBlock =
  | { kind: 'heading'; level: 1 | 2 | 3; text: readonly InlineText[] }
  | { kind: 'paragraph'; text: readonly InlineText[] }
  | { kind: 'bullets'; items: readonly (readonly InlineText[])[] }
  | { kind: 'tasks'; items: readonly (readonly InlineText[])[] }
  | { kind: 'quote'; text: readonly InlineText[] }
  | { kind: 'code'; language: string; text: string }
  | { kind: 'rule' }

/** Appends the blocks. A transaction of the caller makes them one update. */
export const writeBlocks = (fragment: Y.XmlFragment, blocks: readonly RichTextBlock[]): void =>
  fragment.insert(fragment.length, blocks.map(createNode))

function createNode(block: RichTextBlock): Y.XmlElement {
  switch (block.kind) {
    case 'heading':
      return createElement('heading', [createInlineText(block.text)], { level: block.level })
    case 'paragraph':
      return createParagraph(block.text)
    case 'bullets':
      return createElement(
        'bulletList',
        block.items.map((item) => createElement('listItem', [createParagraph(item)])),
      )
    case 'tasks':
      return createElement(
        'taskList',
        block.items.map((item) => createElement('taskItem', [createParagraph(item)], { checked: false })),
      )
    case 'quote':
      return createElement('blockquote', [createParagraph(block.text)])
    case 'code':
      return createElement('codeBlock', [createInlineText([block.text])], { language: block.language })
    case 'rule':
      return createElement('horizontalRule', [])
  }
}

type NodeAttributes = Record<string, string | number | boolean>

function createElement(
  name: string,
  children: (Y.XmlElement | Y.XmlText)[],
  attributes: NodeAttributes = {},
): Y.XmlElement {
  const node = new Y.XmlElement<NodeAttributes>(name)
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value)
  node.insert(0, children)
  return node as unknown as Y.XmlElement
}

const createParagraph = (text: readonly InlineText[]): Y.XmlElement =>
  createElement('paragraph', [createInlineText(text)])

function createInlineText(runs: readonly InlineText[]): Y.XmlText {
  const text = new Y.XmlText()
  text.applyDelta(runs.map((run) => ({ insert: runText(run), attributes: runMarks(run) })))
  return text
}

const runText = (run: InlineText): string => (typeof run === 'string' ? run : run.text)

/** Returns the marks: a mark is an attribute of the text that holds the mark's own attributes. */
function runMarks(run: InlineText): Record<string, object> {
  if (typeof run === 'string') return {}
  const { bold, italic, code, link } = run
  return {
    ...(bold && { bold: {} }),
    ...(italic && { italic: {} }),
    ...(code && { code: {} }),
    ...(link !== undefined && { link: { href: link } }),
  }
}
