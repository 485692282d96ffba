/** A document of a given length as one Yjs update: the same bytes for everybody who is measured. */
import * as Y from 'yjs'
import { createSeededRandom } from '../../lib/fixtures/seeded-random.ts'

const PARAGRAPH = 500
/** The Yjs client that the text belongs to; no window's random id is so small. */
const AUTHOR = 1

const words =
  'a about after all and as at before begins between brings by came city day each evening every first for from garden goes had harbour he her his house in into is it its kept later letter light long many morning never night not of often on once one only open or other over people quiet rain river room said sea she ship so some still stood street than that the their them then there they this those through time to town under until was water way went were what when where which while wind window winter with without would year'.split(
    ' ',
  )

/** Paragraphs of some 500 characters that together have exactly so many. The same at each call. */
export function paragraphsOf(characters: number): string[] {
  const random = createSeededRandom(1)
  const paragraphs: string[] = []
  for (let left = characters; left > 0;) {
    let paragraph = random.pick(words)
    while (paragraph.length < PARAGRAPH) paragraph += ` ${random.pick(words)}`
    paragraphs.push(paragraph.slice(0, left))
    left -= Math.min(left, paragraph.length)
  }
  return paragraphs
}

/** @param empty Empty paragraphs at the end, to be written in. */
export function documentOf(characters: number, empty: number): Uint8Array {
  const doc = new Y.Doc()
  doc.clientID = AUTHOR
  const texts = [...paragraphsOf(characters), ...Array.from({ length: empty }, () => '')]
  doc.transact(() => doc.getXmlFragment('default').push(texts.map(paragraphElement)))
  return Y.encodeStateAsUpdate(doc)
}

function paragraphElement(text: string): Y.XmlElement {
  const element = new Y.XmlElement('paragraph')
  if (text !== '') element.insert(0, [new Y.XmlText(text)])
  return element
}
