import { expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import { unknownPart, watchParts } from './known-parts.ts'

const names = { nodes: { paragraph: {}, blockquote: {} }, marks: { bold: {}, link: {} } }

type Write = (body: Y.XmlFragment) => void

const paragraph = (...marks: string[]): Y.XmlElement => {
  const element = new Y.XmlElement('paragraph')
  const text = new Y.XmlText()
  element.insert(0, [text])
  text.insert(0, 'text', Object.fromEntries(marks.map((mark) => [mark, true])))
  return element
}

const within = (name: string, child: Y.XmlElement): Y.XmlElement => {
  const element = new Y.XmlElement(name)
  element.insert(0, [child])
  return element
}

const embed = (): Y.XmlElement => {
  const element = new Y.XmlElement('paragraph')
  const text = new Y.XmlText()
  element.insert(0, [text])
  text.insertEmbed(0, { image: 'x' })
  return element
}

const cases: readonly (readonly [string, Write, string | null])[] = [
  ['nothing', () => {}, null],
  ['known nodes and marks', (body) => body.push([within('blockquote', paragraph('bold'))]), null],
  ['a mark that overlaps itself', (body) => body.push([paragraph('link--aB3+/=xy')]), null],
  ['an unknown node', (body) => body.push([paragraph(), new Y.XmlElement('hologram')]), 'hologram'],
  [
    'one deep inside',
    (body) => body.push([within('blockquote', within('hologram', paragraph()))]),
    'hologram',
  ],
  ['an unknown mark', (body) => body.push([paragraph('bold', 'glow')]), 'glow'],
  ['an object in the text', (body) => body.push([embed()]), 'embed'],
  ['a name of every object', (body) => body.push([new Y.XmlElement('constructor')]), 'constructor'],
]

test.each(cases)('a document with %s', (_what, write, expected) => {
  const doc = new Y.Doc()
  write(doc.getXmlFragment('default'))
  expect(unknownPart(doc.getXmlFragment('default'), names)).toBe(expected)
})

test.each(cases)('%s that comes from elsewhere is heard of before any observer', (_what, write, expected) => {
  const [here, there] = [new Y.Doc(), new Y.Doc()]
  there.on('update', (update: Uint8Array) => Y.applyUpdate(here, update))
  there.getXmlFragment('default').push([paragraph()])
  const heard: string[] = []
  here.getXmlFragment('default').observeDeep(() => heard.push('observed'))
  const stop = watchParts(here, names, (name) => heard.push(name))
  write(there.getXmlFragment('default'))
  expect(heard[0] ?? null).toBe(expected ?? (heard.length > 0 ? 'observed' : null))
  stop()
  const count = heard.length
  there.getXmlFragment('default').push([new Y.XmlElement('hologram')])
  expect(heard.slice(count)).toEqual(['observed'])
})

test('a block that comes from elsewhere has only itself looked into, however long the text is', () => {
  const [here, there] = [new Y.Doc(), new Y.Doc()]
  there.getXmlFragment('default').push(Array.from({ length: 1_000 }, () => paragraph()))
  here.getXmlFragment('default')
  Y.applyUpdate(here, Y.encodeStateAsUpdate(there))
  there.on('update', (update: Uint8Array) => Y.applyUpdate(here, update))
  const stop = watchParts(here, names, () => {})
  const looks = vi.spyOn(Y.XmlFragment.prototype, 'toArray')
  there.getXmlFragment('default').push([paragraph()])
  expect(looks).toHaveBeenCalledTimes(2)
  looks.mockRestore()
  stop()
})
