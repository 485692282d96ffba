import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { checkRepeats } from './check-repeats.ts'
import { checkUpdate } from './check-update.ts'
import { editSteps, playSession } from './fixtures/editing-session.ts'
import { writeUpdate } from './fixtures/update-writer.ts'
import { RoomDoc } from './integrate-update.ts'

const clocksOf = (doc: Y.Doc) => Y.decodeStateVector(Y.encodeStateVector(doc))

const reasonOf = (doc: Y.Doc, update: Uint8Array): string | undefined => {
  const known = clocksOf(doc)
  try {
    checkUpdate(known, update.slice(), (structs, ds) => checkRepeats(doc, known, structs, ds))
    return undefined
  } catch (error) {
    return String(error)
  }
}

test('[A5] an edit that authors sent is a repeat when it is sent again, in whatever pieces', () => {
  fc.assert(
    fc.property(editSteps(), fc.nat(), fc.nat(), (session, from, to) => {
      const server = new RoomDoc()
      const updates: Uint8Array[] = []
      const authors = playSession(session, server, (update) => {
        updates.push(update)
        Y.transact(server, () => Y.applyUpdate(server, update))
        expect(reasonOf(server, update)).toBeUndefined()
      })
      for (const update of updates) expect(reasonOf(server, update)).toBeUndefined()
      for (const author of authors) expect(reasonOf(server, Y.encodeStateAsUpdate(author))).toBeUndefined()
      const first = from % Math.max(1, updates.length)
      const merged = updates.slice(0, first + (to % Math.max(1, updates.length)))
      if (merged.length > 0) expect(reasonOf(server, Y.mergeUpdates(merged))).toBeUndefined()
      expect(reasonOf(server, Y.encodeStateAsUpdate(server))).toBeUndefined()
    }),
    { numRuns: Number(process.env['FUZZ_RUNS'] ?? 60) },
  )
})

/** Both authors begin under one client id, and continue differently. */
test.each<[what: string, write: (doc: Y.Doc, which: string) => void]>([
  ['letters', (doc, which) => doc.getText('trace').insert(0, `a ${which} text`)],
  ['a list', (doc, which) => doc.getArray('list').insert(0, [1, 2, { which }])],
  ['bytes', (doc, which) => doc.getArray('list').insert(0, [new TextEncoder().encode(which)])],
  ['an embed', (doc, which) => doc.getText('trace').insertEmbed(0, { image: which })],
  ['a key', (doc, which) => doc.getMap('map').set(which, 1)],
  ['a root', (doc, which) => doc.getText(which).insert(0, 'text')],
  ['an element', (doc, which) => doc.getXmlFragment('default').insert(0, [new Y.XmlElement(which)])],
  ['a type', (doc, which) => doc.getMap('map').set('key', which === 'one' ? new Y.Map() : new Y.Array())],
  ['a format', (doc, which) => doc.getText('trace').insert(0, 'text', { [which]: true })],
  ['a kind of content', (doc, which) => {
    if (which === 'one') doc.getText('root').insert(0, 'a')
    else doc.getArray('root').insert(0, [new TextEncoder().encode('a')])
  }],
  ['a type around it', (doc, which) => {
    for (const key of ['one', 'two']) doc.getMap('map').set(key, new Y.Map())
    ;(doc.getMap('map').get(which) as Y.Map<number>).set('key', 1)
  }],
  ['a letter of two code units', (doc, which) => doc.getText('trace').insert(0, which === 'one' ? 'a😀b' : 'a😎b')],
  ['a letter where there were two', (doc, which) => doc.getText('trace').insert(0, which === 'one' ? 'axxb' : 'a😀b')],
  ['a right neighbour', (doc, which) => {
    doc.getText('trace').insert(0, 'text')
    doc.getText('trace').insert(which === 'one' ? 0 : 2, 'x')
  }],
])('[A5] %s that differs is no repeat', (_what, write) => {
  const [one, other] = ['one', 'two'].map((which) => {
    const doc = new Y.Doc()
    doc.clientID = 7
    write(doc, which)
    return doc
  }) as [Y.Doc, Y.Doc]
  expect(reasonOf(one, Y.encodeStateAsUpdate(one))).toBeUndefined()
  expect(reasonOf(one, Y.encodeStateAsUpdate(other))).toContain('known with other content')
}) // prettier-ignore

test.each<[what: string, clock: number, place: { left: number; right: number | null }]>([
  ['left', 4, { left: 0, right: 2 }],
  ['right', 4, { left: 1, right: null }],
  ['left', 2, { left: 0, right: null }],
])(
  '[A5] an edit that differs only by its %s neighbour is no repeat (clock %i)',
  (_what, clock, { left, right }) => {
    const doc = new Y.Doc()
    doc.clientID = 7
    doc.getText('trace').insert(0, 'text')
    doc.getText('trace').insert(2, 'x') // after 7:1, before 7:2
    const at = (clock: number) => ({ client: 7, clock })
    const refusalFor = (left: number, right: number | null) => {
      const content = { kind: 'string', text: clock === 4 ? 'x' : 'xt' } as const
      const place = { origin: at(left), rightOrigin: right === null ? null : at(right) }
      const structs = [{ content, ...place, parent: 'trace', key: null }]
      return reasonOf(doc, writeUpdate({ runs: [{ client: 7, clock, structs }], deletions: [] }))
    }
    expect(refusalFor(left, right)).toContain('known with other content')
    expect(clock === 4 ? refusalFor(1, 2) : refusalFor(1, null)).toBeUndefined()
  },
)

test('[A5] deleted content is a repeat only if the edit brings the deletion itself', () => {
  const [server, author] = [new Y.Doc(), new Y.Doc()]
  author.getText('trace').insert(0, 'abcdef')
  Y.applyUpdate(server, Y.encodeStateAsUpdate(author))
  author.getText('trace').delete(1, 2)
  author.getText('trace').delete(2, 1)
  const deleted = Y.encodeStateAsUpdate(author)
  expect(reasonOf(server, deleted)).toBeUndefined()
  const { structs } = Y.decodeUpdate(deleted)
  const known = clocksOf(server)
  const nothing = Y.decodeUpdate(Y.encodeStateAsUpdate(new Y.Doc())).ds
  expect(() => checkRepeats(server, known, structs, nothing)).toThrow('known with other content')
})
