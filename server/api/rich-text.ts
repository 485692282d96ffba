/** Writes text with structure into a Yjs fragment, node for node and mark for mark as Tiptap's binding stores it. */
import * as Y from 'yjs'

export type Inline = string | { text: string; bold?: true; italic?: true; code?: true; link?: string }

export type Block =
  | { kind: 'heading'; level: 1 | 2 | 3; text: readonly Inline[] }
  | { kind: 'paragraph'; text: readonly Inline[] }
  | { kind: 'bullets'; items: readonly (readonly Inline[])[] }
  | { kind: 'tasks'; items: readonly (readonly Inline[])[] }
  | { kind: 'quote'; text: readonly Inline[] }
  | { kind: 'code'; language: string; text: string }
  | { kind: 'rule' }

/** Appends. One transaction of the caller's makes it one update. */
export const writeBlocks = (fragment: Y.XmlFragment, blocks: readonly Block[]): void =>
  fragment.insert(fragment.length, blocks.map(toNode))

function toNode(block: Block): Y.XmlElement {
  switch (block.kind) {
    case 'heading':
      return element('heading', [inlineText(block.text)], { level: block.level })
    case 'paragraph':
      return paragraph(block.text)
    case 'bullets':
      return element(
        'bulletList',
        block.items.map((item) => element('listItem', [paragraph(item)])),
      )
    case 'tasks':
      return element(
        'taskList',
        block.items.map((item) => element('taskItem', [paragraph(item)], { checked: false })),
      )
    case 'quote':
      return element('blockquote', [paragraph(block.text)])
    case 'code':
      return element('codeBlock', [inlineText([block.text])], { language: block.language })
    case 'rule':
      return element('horizontalRule', [])
  }
}

type Attributes = Record<string, string | number | boolean>

function element(
  name: string,
  children: (Y.XmlElement | Y.XmlText)[],
  attributes: Attributes = {},
): Y.XmlElement {
  const node = new Y.XmlElement<Attributes>(name)
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value)
  node.insert(0, children)
  return node as unknown as Y.XmlElement
}

const paragraph = (text: readonly Inline[]): Y.XmlElement => element('paragraph', [inlineText(text)])

function inlineText(parts: readonly Inline[]): Y.XmlText {
  const text = new Y.XmlText()
  text.applyDelta(parts.map((part) => ({ insert: textOf(part), attributes: marksOf(part) })))
  return text
}

const textOf = (part: Inline): string => (typeof part === 'string' ? part : part.text)

/** A mark is an attribute of the text that holds the mark's own attributes. */
function marksOf(part: Inline): Record<string, object> {
  if (typeof part === 'string') return {}
  const { bold, italic, code, link } = part
  return {
    ...(bold && { bold: {} }),
    ...(italic && { italic: {} }),
    ...(code && { code: {} }),
    ...(link !== undefined && { link: { href: link } }),
  }
}
