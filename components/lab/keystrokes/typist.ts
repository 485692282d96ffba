/** Types like a person: a letter at the end, and now and then a new paragraph. Knows no time. */
import * as Y from 'yjs'

const LETTERS_PER_PARAGRAPH = 60
const sampleText = 'the quick brown fox jumps over the lazy dog and '

export class Typist {
  readonly #body: Y.XmlFragment
  #lastParagraph: Y.XmlText | undefined
  #letterCount = 0

  constructor(doc: Y.Doc) {
    this.#body = doc.getXmlFragment('default')
  }

  /** Removes what earlier measurements wrote: an old text would influence the measurement. */
  clear(): void {
    this.#lastParagraph = undefined
    this.#body.delete(0, this.#body.length)
  }

  /** Makes one edit. */
  typeLetter(): void {
    const letter = sampleText[this.#letterCount % sampleText.length]!
    const line = this.#lastParagraph
    if (line && this.#letterCount % LETTERS_PER_PARAGRAPH !== 0) line.insert(line.length, letter)
    else this.#startParagraph(letter)
    this.#letterCount += 1
  }

  #startParagraph(letter: string): void {
    const paragraph = new Y.XmlElement('paragraph')
    this.#lastParagraph = new Y.XmlText(letter)
    paragraph.insert(0, [this.#lastParagraph])
    this.#body.push([paragraph])
  }
}
