import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { checkUpdate } from './check-update.ts'
import { type WrittenStruct, writeUpdate } from './fixtures/update-writer.ts'
import { IntegrationCost, UNITS } from './integration-cost.ts'
import { RoomDoc, integrateUpdate } from './integrate-update.ts'
import { checkRepeats } from './check-repeats.ts'

const MiB = 1024 * 1024

describe('[A6] what an edit may cost', () => {
  test.each([
    [0, 50_000],
    [MiB, 100_000],
    [24 * MiB, 1_250_000],
  ])('is, of %i bytes, %i units', (bytes, units) => {
    const cost = new IntegrationCost(bytes)
    cost.countSteps(units / UNITS.step)
    cost.check()
    expect(() => cost.countSteps()).toThrow(`more than ${units} units of work`)
  })

  test.each<[what: string, count: (cost: IntegrationCost) => void]>([
    ['items that are compared', (cost) => cost.countComparisons(62_501)],
    ['structs that are visited', (cost) => cost.countSteps(1_000_001)],
    ['structs that are moved', (cost) => cost.countMoved(204_800_001)],
    ['values that are copied', (cost) => cost.countCopied(12_800_001)],
    ['letters that are copied', (cost) => cost.countLetters(102_400_001)],
  ])('limits %s', (_what, count) => {
    expect(() => count(new IntegrationCost(0))).toThrow('units of work')
  })

  test('does not limit what grows with the edit alone, nor what it deletes', () => {
    const cost = new IntegrationCost(0)
    cost.countRead(400_000)
    cost.countIntegrated(400_000)
    cost.countDeletions(400_000)
    cost.countBytes(24 * MiB)
    cost.addUnits(1_000_000)
    cost.check()
    expect(cost.spentUnits).toBeGreaterThan(2_000_000)
  })

  test('is checked before more is done, and not when it is done', () => {
    const cost = new IntegrationCost(0)
    cost.countDone(50_001)
    expect(() => cost.check()).toThrow('units of work')
  })

  test('is charged beyond an honest edit, and all of it if no honest client sends the edit', () => {
    const cost = new IntegrationCost(MiB)
    expect(cost.excessUnits).toBe(0)
    cost.countDeletions(60_000)
    const excess = cost.excessUnits
    expect([excess > 30_000, excess < 31_000]).toEqual([true, true])
    cost.setNewBytes(0)
    expect(cost.excessUnits).toBeCloseTo(excess + 50_000)
    cost.countAllUnits()
    expect(cost.excessUnits).toBe(cost.spentUnits)
  })
})

describe('[A6] an edit that costs too much is stopped in the middle', () => {
  const AUTHOR = 50
  const COUNT = 10_000

  /** Each letter is before the last one, so none are merged. */
  const letters = (count: number, content: WrittenStruct['content'] = { kind: 'string', text: 'x' }) =>
    writeUpdate({
      runs: [
        {
          client: AUTHOR,
          clock: 0,
          structs: Array.from({ length: count }, (_, clock) => ({
            content,
            origin: null,
            rightOrigin: clock === 0 ? null : { client: AUTHOR, clock: clock - 1 },
            parent: 'trace',
            key: null,
          })),
        },
      ],
      deletions: [],
    })

  const check = (update: Uint8Array, known = new Map<number, number>()) =>
    checkUpdate(known, update.slice(), undefined, new IntegrationCost(update.length))

  function docOfLetters(count = COUNT): RoomDoc {
    const doc = new RoomDoc()
    integrateUpdate(doc, check(letters(count)))
    return doc
  }

  /** Has this many units left. */
  function almostSpentCost(unitsLeft: number): IntegrationCost {
    const cost = new IntegrationCost(0)
    cost.countDone(50_000 - unitsLeft)
    return cost
  }

  test('while it is compared with what is stored', () => {
    const doc = docOfLetters()
    const { structs, ds } = Y.decodeUpdate(letters(COUNT))
    const known = new Map([[AUTHOR, COUNT]])
    checkRepeats(doc, known, structs, ds, almostSpentCost(1_010))
    expect(() => checkRepeats(doc, known, structs, ds, almostSpentCost(900))).toThrow('units of work')
  })

  test('while its items are placed', () => {
    const doc = new RoomDoc()
    const behindOne = Array.from({ length: COUNT }, (_, clock): WrittenStruct => ({
      content: { kind: 'string', text: 'x' },
      origin: clock === 0 ? null : { client: AUTHOR, clock: 0 },
      rightOrigin: null,
      parent: 'trace',
      key: null,
    }))
    const update = writeUpdate({ runs: [{ client: AUTHOR, clock: 0, structs: behindOne }], deletions: [] })
    const cost = new IntegrationCost(0)
    expect(() => integrateUpdate(doc, check(update), cost)).toThrow('units of work')
    expect(Y.getState(doc.store, AUTHOR)).toBeLessThan(400)
    expect(doc.isHalfIntegrated).toBe(true)
  })

  test('while it deletes again what is deleted', () => {
    const doc = docOfLetters()
    const ranges = Array.from({ length: COUNT / 2 }, (_, index): [number, number] => [2 * index, 1])
    const removal = writeUpdate({ runs: [], deletions: [{ client: AUTHOR, ranges }] })
    const known = new Map([[AUTHOR, COUNT]])
    integrateUpdate(doc, check(removal, known))
    expect(() => integrateUpdate(doc, check(removal, known), almostSpentCost(200))).toThrow('units of work')
  })

  test('before a further transaction, by what the end of the last one cost', () => {
    const doc = new RoomDoc()
    const checked = check(letters(COUNT))
    expect(() => integrateUpdate(doc, checked, almostSpentCost(100))).toThrow('units of work')
    expect(Y.getState(doc.store, AUTHOR)).toBe(4_096)
  })
})

describe('[A6] work that depends on the document is counted', () => {
  /** What an edit costs in a document, beside what it costs in an empty one of the same kind. */
  function unitsOf(source: Y.Doc, write: (doc: Y.Doc) => void): number {
    const server = new RoomDoc()
    const stored = Y.encodeStateAsUpdate(source)
    const known = () => Y.decodeStateVector(Y.encodeStateVector(server))
    integrateUpdate(server, checkUpdate(known(), stored.slice()))
    const author = new Y.Doc()
    author.clientID = 2
    Y.applyUpdate(author, stored)
    const before = Y.encodeStateVector(author)
    write(author)
    const update = Y.encodeStateAsUpdate(author, before)
    const cost = new IntegrationCost(update.length)
    integrateUpdate(server, checkUpdate(known(), update.slice(), undefined, cost), cost)
    return cost.spentUnits
  }

  function docOfValues(count: number): Y.Doc {
    const doc = new Y.Doc()
    doc.clientID = 1
    doc.getArray('list').insert(0, Array.from<number>({ length: count }).fill(0))
    return doc
  }

  function nested(depth: number): Y.Doc {
    const doc = new Y.Doc()
    let list = doc.getArray('list')
    for (let level = 0; level < depth; level++) {
      const inner = new Y.Array()
      list.insert(0, [inner])
      list = inner
    }
    return doc
  }

  function innermost(doc: Y.Doc): Y.Array<unknown> {
    let list = doc.getArray('list')
    while (list.length > 0) list = list.get(0) as Y.Array<unknown>
    return list
  }

  const append = (doc: Y.Doc): void => {
    doc.clientID = 1
    doc.getArray('list').push([1])
  }

  test.each<[what: string, least: number, small: Y.Doc, large: Y.Doc, write: (doc: Y.Doc) => void]>([
    ['a list that grows is copied', 3_000, docOfValues(1), docOfValues(1_000_000), append],
    [
      'a list is copied to be cut',
      3_000,
      docOfValues(2),
      docOfValues(1_000_000),
      (doc) => doc.getArray('list').insert(1, [1]),
    ],
    ['an event for each type around', 8, nested(1), nested(90), (doc) => innermost(doc).insert(0, [1])],
  ])('%s', (_what, least, small, large, write) => {
    expect(unitsOf(large, write) - unitsOf(small, write)).toBeGreaterThan(least)
  })

  test('a long text that was typed is copied before its first cut, and not before each', () => {
    const typed = (letters: number): Y.Doc => {
      const doc = new Y.Doc()
      doc.clientID = 1
      doc.getText('text').insert(0, 'x'.repeat(letters))
      return doc
    }
    const cut = (times: number) => (doc: Y.Doc) =>
      doc.transact(() => {
        for (let time = 1; time <= times; time++) doc.getText('text').insert(3 * time, 'y')
      })
    const once = unitsOf(typed(2 * MiB), cut(1)) - unitsOf(typed(100), cut(1))
    const often = unitsOf(typed(2 * MiB), cut(30)) - unitsOf(typed(100), cut(30))
    expect(once).toBeGreaterThan(1_000)
    expect(often).toBeCloseTo(once, 0)
  })
})
