/** Creates a document of a given length as one Yjs update, with the same bytes for every program. */
import * as Y from 'yjs'
import { createSeededRandom } from '../../lib/fixtures/seeded-random.ts'

const PARAGRAPH_LETTERS = 500
/** The Yjs client that writes the text; no window's random id is so small. */
const AUTHOR = 1

const words =
  'a about after all and as at before begins between brings by came city day each evening every first for from garden goes had harbour he her his house in into is it its kept later letter light long many morning never night not of often on once one only open or other over people quiet rain river room said sea she ship so some still stood street than that the their them then there they this those through time to town under until was water way went were what when where which while wind window winter with without would year'.split(
    ' ',
  )

/** Creates paragraphs of some 500 characters, which together have exactly `characters`. Each call returns the same. */
export function createParagraphs(characters: number): string[] {
  const random = createSeededRandom(1)
  const paragraphs: string[] = []
  for (let left = characters; left > 0;) {
    let paragraph = random.pick(words)
    while (paragraph.length < PARAGRAPH_LETTERS) paragraph += ` ${random.pick(words)}`
    paragraphs.push(paragraph.slice(0, left))
    left -= Math.min(left, paragraph.length)
  }
  return paragraphs
}

/** @param empty The number of empty paragraphs at the end, for the writers. */
export function createProseDocument(characters: number, empty: number): Uint8Array {
  const doc = new Y.Doc()
  doc.clientID = AUTHOR
  const texts = [...createParagraphs(characters), ...Array.from({ length: empty }, () => '')]
  doc.transact(() => doc.getXmlFragment('default').push(texts.map(createParagraphElement)))
  return Y.encodeStateAsUpdate(doc)
}

function createParagraphElement(text: string): Y.XmlElement {
  const element = new Y.XmlElement('paragraph')
  if (text !== '') element.insert(0, [new Y.XmlText(text)])
  return element
}
