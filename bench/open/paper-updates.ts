/** Turns the recorded writing of a paper (automerge-paper) into one update for each edit, with the paragraphs of an editor. */
import * as Y from 'yjs'
import type { TraceTransaction } from '../../server/fixtures/traces.ts'
import { readTrace } from '../../server/fixtures/traces.ts'

/** @throws {Error} when the text does not end as the recording does. */
export function createPaperUpdates(edits: number): readonly Uint8Array[] {
  const { txns, endContent } = readTrace('automerge-paper')
  const doc = new Y.Doc()
  const updates: Uint8Array[] = []
  doc.on('update', (update: Uint8Array) => updates.push(update))
  const paper = new Paragraphs(doc.getXmlFragment('default'))
  for (const transaction of txns.slice(0, edits)) paper.edit(transaction)
  if (edits >= txns.length && paper.toString() !== endContent)
    throw new Error('the paper does not end as recorded')
  return updates
}

/** Applies edits to paragraphs. A recorded position counts a line break as one letter; here it is the border of two paragraphs. */
class Paragraphs {
  readonly #fragment: Y.XmlFragment
  readonly #texts: Y.XmlText[] = []

  constructor(fragment: Y.XmlFragment) {
    this.#fragment = fragment
    this.#add(0, '')
  }

  edit({ patches }: TraceTransaction): void {
    this.#fragment.doc!.transact(() => {
      for (const [position, deleted, inserted] of patches) {
        if (deleted > 0) this.#delete(position, deleted)
        if (inserted !== '') this.#insert(position, inserted)
      }
    })
  }

  toString(): string {
    return this.#texts.map(lettersOf).join('\n')
  }

  #add(index: number, letters: string): void {
    const element = new Y.XmlElement('paragraph')
    const text = new Y.XmlText()
    this.#fragment.insert(index, [element])
    element.insert(0, [text])
    if (letters !== '') text.insert(0, letters)
    this.#texts.splice(index, 0, text)
  }

  #find(position: number): { index: number; offset: number } {
    let offset = position
    let index = 0
    while (offset > this.#texts[index]!.length) offset -= this.#texts[index++]!.length + 1
    return { index, offset }
  }

  #delete(position: number, count: number): void {
    const { index, offset } = this.#find(position)
    const text = this.#texts[index]!
    for (let left = count; left > 0;) {
      const here = Math.min(left, text.length - offset)
      if (here > 0) text.delete(offset, here)
      left -= here
      if (left > 0) {
        this.#joinNext(index)
        left--
      }
    }
  }

  #joinNext(index: number): void {
    const text = this.#texts[index]!
    const [next] = this.#texts.splice(index + 1, 1)
    const letters = lettersOf(next!)
    this.#fragment.delete(index + 1, 1)
    if (letters !== '') text.insert(text.length, letters)
  }

  #insert(position: number, inserted: string): void {
    const { index, offset } = this.#find(position)
    const text = this.#texts[index]!
    const [first, ...more] = inserted.split('\n')
    const tail = more.length > 0 ? lettersOf(text).slice(offset) : ''
    if (tail !== '') text.delete(offset, tail.length)
    if (first) text.insert(offset, first)
    for (const [at, letters] of more.entries())
      this.#add(index + 1 + at, at === more.length - 1 ? letters + tail : letters)
  }
}

/** XmlText's own `toString` would escape them. */
const lettersOf = (text: Y.XmlText): string =>
  (text.toDelta() as { insert: string }[]).map(({ insert }) => insert).join('')
