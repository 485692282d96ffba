import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { clientRunsOf, newClientsIn } from './client-runs.ts'

/** Two windows' copies of a text with one paragraph. */
function openTwo() {
  const [ada, ben] = [new Y.Doc(), new Y.Doc()]
  ada.clientID = 1
  ben.clientID = 2
  const paragraph = new Y.XmlElement('paragraph')
  paragraph.insert(0, [new Y.XmlText('one three')])
  ada.getXmlFragment('default').insert(0, [paragraph])
  const sync = () => {
    Y.applyUpdate(ben, Y.encodeStateAsUpdate(ada))
    Y.applyUpdate(ada, Y.encodeStateAsUpdate(ben))
  }
  sync()
  const blockIn = (doc: Y.Doc) => doc.getXmlFragment('default').get(0) as Y.XmlElement
  const textIn = (doc: Y.Doc) => blockIn(doc).get(0) as Y.XmlText
  return { ada, ben, sync, blockIn, textIn }
}

test('each letter stands under the client id of the window that wrote it', () => {
  const { ada, ben, sync, textIn } = openTwo()
  textIn(ben).insert(4, 'two ')
  textIn(ada).delete(0, 1)
  textIn(ada).format(0, 3, { bold: {} })
  sync()
  const expected = [
    { client: 1, from: 0, to: 3 },
    { client: 2, from: 3, to: 7 },
    { client: 1, from: 7, to: 12 },
  ]
  expect(textIn(ada).toJSON()).toBe('<bold>ne </bold>two three')
  expect([clientRunsOf(textIn(ada)), clientRunsOf(textIn(ben))]).toEqual([expected, expected])
})

test('an empty text stands under no id', () => {
  const { ada, textIn } = openTwo()
  textIn(ada).delete(0, 9)
  expect(clientRunsOf(textIn(ada))).toEqual([])
})

test.each<[string, (ben: { block: Y.XmlElement; text: Y.XmlText }) => void, number[]]>([
  ['nothing', () => {}, []],
  ['letters', ({ text }) => text.insert(3, '!'), [2]],
  ['a format', ({ text }) => text.format(0, 3, { bold: {} }), [2]],
  ['an attribute', ({ block }) => block.setAttribute('align', 'end'), [2]],
  ['a deletion, which nobody signs', ({ text }) => text.delete(0, 3), []],
  ['letters that are gone again', ({ text }) => (text.insert(0, 'x'), text.delete(0, 1)), []],
])('the clients of what is new since a state: %s', (_what, change, expected) => {
  const { ada, ben, sync, blockIn, textIn } = openTwo()
  const before = Y.decodeStateVector(Y.encodeStateVector(ada))
  change({ block: blockIn(ben), text: textIn(ben) })
  sync()
  expect([...newClientsIn(blockIn(ada), before)]).toEqual(expected)
})

test('an item that goes on after the state is new', () => {
  const { ada, blockIn, textIn } = openTwo()
  textIn(ada).insert(9, ' fo')
  const before = Y.decodeStateVector(Y.encodeStateVector(ada))
  textIn(ada).insert(12, 'ur')
  expect([...newClientsIn(blockIn(ada), before)]).toEqual([1])
})
