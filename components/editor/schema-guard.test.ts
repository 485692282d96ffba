import { expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import { unknownSchemaName, watchUnknownNames } from './schema-guard.ts'

const names = { nodes: { paragraph: {}, blockquote: {} }, marks: { bold: {}, link: {} } }

type WriteBody = (body: Y.XmlFragment) => void

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

const cases: readonly (readonly [string, WriteBody, string | null])[] = [
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
  expect(unknownSchemaName(doc.getXmlFragment('default'), names)).toBe(expected)
})

test.each(cases)('%s from another client is reported before any observer runs', (_what, write, expected) => {
  const [local, remote] = [new Y.Doc(), new Y.Doc()]
  remote.on('update', (update: Uint8Array) => Y.applyUpdate(local, update))
  remote.getXmlFragment('default').push([paragraph()])
  const calls: string[] = []
  local.getXmlFragment('default').observeDeep(() => calls.push('observed'))
  const stop = watchUnknownNames(local, names, (name) => calls.push(name))
  write(remote.getXmlFragment('default'))
  expect(calls[0] ?? null).toBe(expected ?? (calls.length > 0 ? 'observed' : null))
  stop()
  const count = calls.length
  remote.getXmlFragment('default').push([new Y.XmlElement('hologram')])
  expect(calls.slice(count)).toEqual(['observed'])
})

test('only a new remote block itself is checked, however long the text is', () => {
  const [local, remote] = [new Y.Doc(), new Y.Doc()]
  remote.getXmlFragment('default').push(Array.from({ length: 1_000 }, () => paragraph()))
  local.getXmlFragment('default')
  Y.applyUpdate(local, Y.encodeStateAsUpdate(remote))
  remote.on('update', (update: Uint8Array) => Y.applyUpdate(local, update))
  const stop = watchUnknownNames(local, names, () => {})
  const childReads = vi.spyOn(Y.XmlFragment.prototype, 'toArray')
  remote.getXmlFragment('default').push([paragraph()])
  expect(childReads).toHaveBeenCalledTimes(2)
  childReads.mockRestore()
  stop()
})
