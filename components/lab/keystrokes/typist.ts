/** Writes like a person at the keyboard: a letter at the end, and now and then a new paragraph. Knows no time. */
import * as Y from 'yjs'

const LINE = 60
const words = 'the quick brown fox jumps over the lazy dog and '

export class Typist {
  readonly #body: Y.XmlFragment
  #line: Y.XmlText | undefined
  #letters = 0

  constructor(doc: Y.Doc) {
    this.#body = doc.getXmlFragment('default')
  }

  /** What earlier measurements wrote goes: an old text would be measured along. */
  clear(): void {
    this.#line = undefined
    this.#body.delete(0, this.#body.length)
  }

  /** One edit. */
  type(): void {
    const letter = words[this.#letters % words.length]!
    const line = this.#line
    if (line && this.#letters % LINE !== 0) line.insert(line.length, letter)
    else this.#begin(letter)
    this.#letters += 1
  }

  #begin(letter: string): void {
    const paragraph = new Y.XmlElement('paragraph')
    this.#line = new Y.XmlText(letter)
    paragraph.insert(0, [this.#line])
    this.#body.push([paragraph])
  }
}
