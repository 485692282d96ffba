/** The recorded writing of a paper (automerge-paper), as the editor would hold it: paragraphs, and one update for each edit. */
import * as Y from 'yjs'
import type { TraceTransaction } from '../../server/fixtures/traces.ts'
import { readTrace } from '../../server/fixtures/traces.ts'

/** @throws {Error} when the text does not end as the recording does. */
export function updatesOfPaper(edits: number): readonly Uint8Array[] {
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

interface Paragraph {
  readonly text: Y.XmlText
  length: number
}

/** A recorded position counts a line's end as one; here it is the border of two paragraphs. */
class Paragraphs {
  readonly #fragment: Y.XmlFragment
  readonly #all: Paragraph[] = []

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
    return this.#all.map(({ text }) => plain(text)).join('\n')
  }

  #add(index: number, letters: string): void {
    const element = new Y.XmlElement('paragraph')
    const text = new Y.XmlText()
    this.#fragment.insert(index, [element])
    element.insert(0, [text])
    if (letters !== '') text.insert(0, letters)
    this.#all.splice(index, 0, { text, length: letters.length })
  }

  #find(position: number): { index: number; offset: number } {
    let offset = position
    let index = 0
    while (offset > this.#all[index]!.length) offset -= this.#all[index++]!.length + 1
    return { index, offset }
  }

  #delete(position: number, count: number): void {
    const { index, offset } = this.#find(position)
    const paragraph = this.#all[index]!
    for (let left = count; left > 0;) {
      const here = Math.min(left, paragraph.length - offset)
      if (here > 0) paragraph.text.delete(offset, here)
      paragraph.length -= here
      left -= here
      if (left > 0) {
        this.#joinNext(index)
        left--
      }
    }
  }

  #joinNext(index: number): void {
    const paragraph = this.#all[index]!
    const [next] = this.#all.splice(index + 1, 1)
    const letters = plain(next!.text)
    this.#fragment.delete(index + 1, 1)
    if (letters !== '') paragraph.text.insert(paragraph.length, letters)
    paragraph.length += letters.length
  }

  #insert(position: number, inserted: string): void {
    const { index, offset } = this.#find(position)
    const paragraph = this.#all[index]!
    const [first, ...more] = inserted.split('\n')
    const tail = more.length > 0 ? plain(paragraph.text).slice(offset) : ''
    if (tail !== '') paragraph.text.delete(offset, tail.length)
    if (first) paragraph.text.insert(offset, first)
    paragraph.length += first!.length - tail.length
    for (const [at, letters] of more.entries())
      this.#add(index + 1 + at, at === more.length - 1 ? letters + tail : letters)
  }
}

/** Without formatting there is one insert, or none. */
const plain = (text: Y.XmlText): string =>
  (text.toDelta() as { insert: string }[]).map(({ insert }) => insert).join('')
