import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import {
  heading,
  lineBreak,
  paragraph,
  type BlockSketch,
  type RunSketch,
  sketchBlocks,
  textWith,
  appendBlocks,
} from './fixtures/text-sketches.ts'
import { restorePlace, restoreVersion } from './restore.ts'
import { treeOf } from './tree.ts'

const item = (...children: BlockSketch[]): BlockSketch => ({ name: 'listItem', children })
const list = (...texts: string[]): BlockSketch => ({
  name: 'bulletList',
  children: texts.map((text) => item(paragraph(text))),
})

const copyOf = (doc: Y.Doc): Y.Doc => {
  const copy = new Y.Doc()
  Y.applyUpdate(copy, Y.encodeStateAsUpdate(doc))
  return copy
}

const fragmentOf = (doc: Y.Doc) => doc.getXmlFragment('default')
/** Joins letters with the same marks into one run, since Yjs may keep them apart. */
const bodyOf = (doc: Y.Doc): BlockSketch[] => sketchBlocks(fragmentOf(doc)).map(joined)

function joined({ children = [], ...rest }: BlockSketch): BlockSketch {
  const result: (BlockSketch | RunSketch)[] = []
  for (const child of children) {
    const last = result.at(-1)
    if (!('text' in child)) result.push(joined(child))
    else if (last && 'text' in last && JSON.stringify(last.marks) === JSON.stringify(child.marks))
      result.splice(-1, 1, { ...last, text: last.text + child.text })
    else result.push(child)
  }
  return { ...rest, ...(result.length > 0 && { children: result }) }
}

const elementAt = (doc: Y.Doc, index: number) => fragmentOf(doc).get(index) as Y.XmlElement
const textAt = (doc: Y.Doc, index: number) => elementAt(doc, index).get(0) as Y.XmlText

/** Returns a document as it was, and as it is after some editing. */
function versionAndEdited(blocks: BlockSketch[], edit: (doc: Y.Doc) => void) {
  const past = textWith(...blocks).doc!
  const now = copyOf(past)
  now.transact(() => edit(now))
  return { past, now }
}

describe('restoring a version', () => {
  test('blocks that are the same keep their types, and letters that are the same keep theirs', () => {
    const { past, now } = versionAndEdited(
      [
        heading(1, 'Plan'),
        paragraph('We go to the sea in June.'),
        paragraph('stays'),
        paragraph('comes back'),
      ],
      (doc) => {
        textAt(doc, 1).delete(13, 3)
        textAt(doc, 1).insert(13, 'hills')
        fragmentOf(doc).delete(3)
        fragmentOf(doc).insert(2, [new Y.XmlElement('horizontalRule')])
      },
    )
    const before = [0, 1, 3].map((index) => elementAt(now, index))
    const june = Y.createRelativePositionFromTypeIndex(textAt(now, 1), 'We go to the hills '.length)
    restoreVersion(now, past)
    expect(bodyOf(now)).toEqual(bodyOf(past))
    expect([0, 1, 2].map((index) => elementAt(now, index))).toEqual(before)
    const caret = Y.createAbsolutePositionFromRelativePosition(june, now)
    expect([caret!.type, caret!.index]).toEqual([textAt(now, 1), 'We go to the sea '.length])
  })

  test('attributes, marks, line breaks and nested lists come back', () => {
    const { past, now } = versionAndEdited(
      [
        heading(2, 'Plan'),
        paragraph({ text: 'bold', marks: { bold: {} } }, ' plain', lineBreak, 'second line'),
        list('milk', 'bread'),
      ],
      (doc) => {
        elementAt(doc, 0).setAttribute('level', 3 as unknown as string)
        elementAt(doc, 0).setAttribute('id', 'new')
        textAt(doc, 1).format(0, 10, { bold: null, italic: {} })
        elementAt(doc, 1).delete(1, 2)
        elementAt(doc, 2).delete(0)
        appendBlocks(elementAt(doc, 2), [item(paragraph('eggs'), list('brown'))])
      },
    )
    restoreVersion(now, past)
    expect(bodyOf(now)).toEqual(bodyOf(past))
  })

  test('the title comes back, and other roots are left alone', () => {
    const { past, now } = versionAndEdited([paragraph('a')], (doc) => {
      doc.getText('title').insert(0, 'New title')
      doc.getMap('unknown').set('kept', 1)
    })
    past.getText('title').insert(0, 'Old title')
    restoreVersion(now, past)
    expect(now.getText('title').toJSON()).toBe('Old title')
    expect(now.getMap('unknown').toJSON()).toEqual({ kept: 1 })
  })

  test('it is one edit with its origin, and none where nothing differs', () => {
    const { past, now } = versionAndEdited([paragraph('a'), paragraph('b')], (doc) => {
      textAt(doc, 0).insert(1, '!')
      fragmentOf(doc).delete(1)
    })
    const received: unknown[] = []
    now.on('update', (_update: Uint8Array, origin: unknown) => received.push(origin))
    now.transact(() => restoreVersion(now, past), 'restored')
    now.transact(() => restoreVersion(now, past), 'restored')
    expect(received).toEqual(['restored'])
  })

  test('it can be undone', () => {
    const { past, now } = versionAndEdited([paragraph('a'), list('b')], (doc) => {
      textAt(doc, 0).insert(1, '!')
      fragmentOf(doc).delete(1)
      appendBlocks(fragmentOf(doc), [heading(1, 'new')])
    })
    const before = bodyOf(now)
    const undo = new Y.UndoManager([fragmentOf(now), now.getText('title')], {
      trackedOrigins: new Set(['restored']),
    })
    now.transact(() => restoreVersion(now, past), 'restored')
    undo.undo()
    expect(bodyOf(now)).toEqual(before)
  })

  test('what somebody else writes meanwhile is kept', () => {
    const { past, now } = versionAndEdited([paragraph('one'), paragraph('two')], (doc) =>
      textAt(doc, 0).insert(3, ' and a half'),
    )
    const other = copyOf(now)
    textAt(other, 1).insert(3, ' and more')
    restoreVersion(now, past)
    Y.applyUpdate(now, Y.encodeStateAsUpdate(other))
    expect(bodyOf(now)).toEqual([paragraph('one'), paragraph('two and more')])
  })
})

// Generates texts as people and programs leave them.

const words = fc.array(fc.constantFrom('we', 'go', 'to', 'the', 'sea', 'hills', '👍', ' ', ', '), {
  maxLength: 6,
})
const run = fc.record({
  text: words.map((parts) => parts.join(' ')).filter((text) => text !== ''),
  marks: fc.constantFrom<Record<string, unknown>>({}, { bold: {} }, { link: { href: 'https://a.example' } }),
})
const textBlock = fc.oneof(
  fc
    .array(fc.oneof(run, fc.constant(lineBreak)), { maxLength: 3 })
    .map((children) => ({ name: 'paragraph', children })),
  fc
    .record({ level: fc.integer({ min: 1, max: 3 }) })
    .map((attributes) => ({ ...heading(1, 'head'), attributes })),
  fc.constant<BlockSketch>({ name: 'horizontalRule' }),
)
const anyBlock: fc.Arbitrary<BlockSketch> = fc.oneof(
  { weight: 4, arbitrary: textBlock },
  fc
    .array(textBlock, { minLength: 1, maxLength: 3 })
    .map((children) => ({ name: 'bulletList', children: [item(...children)] })),
  fc.array(textBlock, { maxLength: 2 }).map((children) => ({ name: 'blockquote', children })),
)
const text = fc.array(anyBlock, { maxLength: 6 })

interface RandomEdit {
  readonly at: number
  readonly does: 'insert' | 'delete' | 'type' | 'cut' | 'mark' | 'attribute'
  readonly block: BlockSketch
}
const randomEdits = fc.array(
  fc.record({
    at: fc.nat(20),
    does: fc.constantFrom<RandomEdit['does'][]>('insert', 'delete', 'type', 'cut', 'mark', 'attribute'),
    block: anyBlock,
  }),
  { maxLength: 8 },
)

function applyRandomEdit(doc: Y.Doc, { at, does, block }: RandomEdit): void {
  const fragment = fragmentOf(doc)
  if (does === 'insert') return appendBlocks(fragment, [block])
  if (fragment.length === 0) return
  const index = at % fragment.length
  if (does === 'delete') return fragment.delete(index)
  const element = elementAt(doc, index)
  if (does === 'attribute') return element.setAttribute('level', at as unknown as string)
  const letters = [...element.createTreeWalker((each) => each instanceof Y.XmlText)][0] as
    Y.XmlText | undefined
  if (!letters) return
  const from = at % (letters.length + 1)
  if (does === 'type') letters.insert(from, 'typed ')
  if (does === 'cut') letters.delete(from, letters.length - from)
  if (does === 'mark') letters.format(from, letters.length - from, { italic: {} })
}

test('whatever was written since, the text is the version’s, in every window; blocks that did not change keep their types', () => {
  fc.assert(
    fc.property(text, randomEdits, (blocks, taken) => {
      const { past, now } = versionAndEdited(blocks, (doc) =>
        taken.forEach((step) => applyRandomEdit(doc, step)),
      )
      const types = new Set(fragmentOf(now).toArray())
      const sameIds = new Set(
        fragmentOf(past)
          .toArray()
          .map((type) => idOf(type)),
      )
      const other = copyOf(now)
      restoreVersion(now, past)
      Y.applyUpdate(other, Y.encodeStateAsUpdate(now))
      for (const doc of [now, other]) expect(bodyOf(doc)).toEqual(bodyOf(past))
      // Nothing moved here, so every block that still had its id had to stay.
      const kept = fragmentOf(now)
        .toArray()
        .filter((type) => types.has(type))
      expect(kept.filter((type) => sameIds.has(idOf(type)))).toHaveLength(
        [...types].filter((type) => sameIds.has(idOf(type))).length,
      )
    }),
    { numRuns: 300 },
  )
})

test('any text can be restored to any other', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const [now, past] = [textWith(...before).doc!, textWith(...after).doc!]
      restoreVersion(now, past)
      expect(bodyOf(now)).toEqual(bodyOf(past))
    }),
    { numRuns: 300 },
  )
})

const idOf = (type: unknown): string => {
  const { client, clock } = (type as Y.XmlElement)._item!.id
  return `${client}-${clock}`
}

describe('restoring one place', () => {
  const edited = () =>
    versionAndEdited(
      [paragraph('We go to the sea.'), paragraph('comes back'), list('one', 'two'), paragraph('stays')],
      (doc) => {
        textAt(doc, 0).insert(0, 'Tomorrow: ')
        fragmentOf(doc).delete(1)
        const text = (elementAt(doc, 1).get(0) as Y.XmlElement).get(0) as Y.XmlElement
        ;(text.get(0) as Y.XmlText).insert(3, ' and a half')
        fragmentOf(doc).insert(2, [new Y.XmlElement('horizontalRule')])
      },
    )
  const idsOf = (doc: Y.Doc) => treeOf(fragmentOf(doc)).map(({ id }) => id)
  const placesIn = (past: Y.Doc, now: Y.Doc) => {
    const [was, is] = [idsOf(past), idsOf(now)]
    return [
      { current: is[0]!, past: was[0]! },
      { current: null, past: was[1]! },
      { current: is[1]!, past: was[2]! },
      { current: is[2]!, past: null },
    ]
  }

  test.each([
    ['letters', 0],
    ['a block that was removed', 1],
    ['a list', 2],
    ['a block that was added', 3],
  ])('%s, and nothing else', (_what, index) => {
    const { past, now } = edited()
    const before = bodyOf(now)
    const was = bodyOf(past)
    restorePlace(now, past, placesIn(past, now)[index]!)
    const expected = [
      [was[0], ...before.slice(1)],
      [before[0], was[1], ...before.slice(1)],
      [before[0], was[2], ...before.slice(2)],
      [...before.slice(0, 2), before[3]],
    ][index]
    expect(bodyOf(now)).toEqual(expected)
  })

  test('each in any order leads to the version', () => {
    const order = fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 })
    fc.assert(
      fc.property(order, (indexes) => {
        const { past, now } = edited()
        const places = placesIn(past, now)
        for (const index of indexes) restorePlace(now, past, places[index]!)
        expect(bodyOf(now)).toEqual(bodyOf(past))
      }),
    )
  })

  test('what the tree leaves out, as another program writes it, stays', () => {
    const { past, now } = edited()
    const foreign = new Y.Map<unknown>()
    fragmentOf(now).push([foreign as unknown as Y.XmlElement])
    restorePlace(now, past, placesIn(past, now)[3]!)
    expect(fragmentOf(now).toArray()).toContain(foreign)
  })

  test('a place that is gone meanwhile changes nothing', () => {
    const { past, now } = edited()
    const before = Y.encodeStateVector(now)
    restorePlace(now, past, { current: 'gone', past: null })
    expect(Y.encodeStateVector(now)).toEqual(before)
  })
})
