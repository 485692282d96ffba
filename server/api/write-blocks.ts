/** Writes blocks into a Yjs fragment, with the nodes and marks that Tiptap's binding stores. */
import * as Y from 'yjs'
import { definitionOf, holdsLetters } from '../../lib/blocks/blocks.ts'
import type { JsonNode } from '../../lib/blocks/json-node.ts'

/** Appends the blocks. A transaction of the caller makes them one update. */
export const writeBlocks = (fragment: Y.XmlFragment, blocks: readonly JsonNode[]): void =>
  fragment.insert(fragment.length, blocks.map(elementOf))

function elementOf({ type, attrs = {}, content = [] }: JsonNode): Y.XmlElement {
  const element = new Y.XmlElement(type)
  // The types of Yjs allow only strings; the editor's binding writes any value.
  for (const [name, value] of Object.entries(definitionOf(type)?.storedAttributes?.(attrs) ?? attrs))
    if (value !== null) element.setAttribute(name, value as string)
  element.insert(0, holdsLetters(type) ? lineOf(content) : content.map(elementOf))
  return element
}

/** Letters that follow each other share a text node. An empty line has one, too, so that two people begin in the same. */
function lineOf(content: readonly JsonNode[]): (Y.XmlElement | Y.XmlText)[] {
  const groups: (JsonNode | JsonNode[])[] = content.length === 0 ? [[]] : []
  for (const node of content) {
    const last = groups.at(-1)
    if (node.text === undefined) groups.push(node)
    else if (Array.isArray(last)) last.push(node)
    else groups.push([node])
  }
  return groups.map((group) => (Array.isArray(group) ? textOf(group) : elementOf(group)))
}

/** A mark is an attribute of the letters, with the mark's own attributes as its value. */
function textOf(runs: readonly JsonNode[]): Y.XmlText {
  const text = new Y.XmlText()
  text.applyDelta(
    runs.map(({ text: insert, marks = [] }) => ({
      insert,
      attributes: Object.fromEntries(marks.map(({ type, attrs = {} }) => [type, attrs])),
    })),
  )
  return text
}
