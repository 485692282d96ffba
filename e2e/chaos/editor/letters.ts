/**
 * Letters with a name of their own: each is written once in a run, so that it is known who wrote it and who deleted it. Every tenth is a
 * surrogate pair, which nothing may tear apart.
 */
import type { Node } from '@tiptap/pm/model'
import * as Y from 'yjs'
import { layoutTable, shownCellsOf } from '../../../lib/blocks/table/table-layout.ts'

const FIRST = 0x4e00
const FIRST_PAIR = 0x20000
const letterPattern = /[\u4e00-\u9fff]|[\u{20000}-\u{2a6df}]/gu

/** How often each letter occurs. */
export type LetterCounts = ReadonlyMap<string, number>

export class LetterSource {
  #count = 0

  next(): string {
    const n = this.#count++
    return String.fromCodePoint((n % 10 === 9 ? FIRST_PAIR : FIRST) + n)
  }

  word(length: number): string {
    return Array.from({ length }, () => this.next()).join('')
  }
}

export const lettersIn = (text: string): readonly string[] => text.match(letterPattern) ?? []

/** The letters in the document's text, wherever they stand: in texts within texts, too, and among elements. */
export function countStoredLetters(doc: Y.Doc): LetterCounts {
  const counts = new Map<string, number>()
  // The stack is our own: a tree may be deeper than the engine's.
  const waiting: unknown[] = [doc.getXmlFragment('default')]
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    if (part instanceof Y.XmlFragment) waiting.push(...(part.toArray() as unknown[]))
    else if (part instanceof Y.Text)
      for (const { insert } of part.toDelta() as { readonly insert: unknown }[])
        if (typeof insert === 'string') addLetters(counts, insert)
        else waiting.push(insert)
  }
  return counts
}

/** The cells of tables that are not shown, because somebody else has deleted their column: they go with their row. */
export function hiddenCellsIn(part: Y.XmlFragment): string[] {
  const parts: readonly unknown[] = part.toArray()
  const inner = parts.flatMap((one) => (one instanceof Y.XmlElement ? hiddenCellsIn(one) : []))
  const layout = part instanceof Y.XmlElement && part.nodeName === 'table' ? layoutTable(part) : null
  if (!layout) return inner
  const shown = new Set<unknown>(
    layout.rows.flatMap(
      (_row, index) => shownCellsOf(index, layout)?.flatMap(({ sources }) => sources) ?? [],
    ),
  )
  const cells = layout.rows.flatMap((row) => row.toArray() as unknown as Y.XmlElement[])
  const hidden = cells.filter((cell) => !shown.has(cell))
  return [...inner, ...hidden.map((cell) => cell.toJSON())]
}

export function countShownLetters(shown: Node): LetterCounts {
  const counts = new Map<string, number>()
  shown.descendants((node) => {
    if (node.text !== undefined) addLetters(counts, node.text)
  })
  return counts
}

function addLetters(counts: Map<string, number>, text: string): void {
  for (const letter of lettersIn(text)) counts.set(letter, (counts.get(letter) ?? 0) + 1)
}

/** The letters that occur more rarely in the second. */
export const missingLetters = (before: LetterCounts, after: LetterCounts): string[] =>
  [...before].filter(([letter, count]) => (after.get(letter) ?? 0) < count).map(([letter]) => letter)
