import fc from 'fast-check'
import { createEncoder, toUint8Array, writeVarUint, writeUint8 } from 'lib0/encoding'
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import {
  MAX_EDIT_CLIENTS,
  MAX_EDIT_DELETIONS,
  MAX_EDIT_RANGES,
  MAX_EDIT_STRUCTS,
  MAX_EDIT_VALUES,
} from '../../lib/protocol/limits.ts'
import { checkUpdate } from './check-update.ts'
import type { Clocks } from './clocks.ts'
import { editSteps, playSession, hasSameState, soundnessOf } from './fixtures/editing-session.ts'
import { RoomRefusal } from './rooms.ts'
import { RoomDoc, integrateUpdate } from './integrate-update.ts'

const KNOWN_CLIENT = 7

/** A document in which client 7 wrote 'abc', and deleted 'b'. */
function documentOfSeven(): Y.Doc {
  const doc = new Y.Doc()
  doc.clientID = KNOWN_CLIENT
  doc.getText('trace').insert(0, 'abc')
  doc.getText('trace').delete(1, 1)
  return doc
}

const clocksOf = (doc: Y.Doc): Clocks => Y.decodeStateVector(Y.encodeStateVector(doc))

const reasonOf = (doc: Y.Doc, update: Uint8Array) => {
  try {
    checkUpdate(clocksOf(doc), new Uint8Array(update))
    return undefined
  } catch (error) {
    if (error instanceof RoomRefusal) return error.reason
    throw error
  }
}

const codeOf = (doc: Y.Doc, update: Uint8Array): string => reasonOf(doc, update)?.code ?? 'taken'

/** An update written by hand: numbers are varints, those in brackets are plain bytes. */
const updateOf = (...parts: (number | [number])[]): Uint8Array => updateOfParts(parts)

const updateOfParts = (parts: readonly (number | [number])[]): Uint8Array => {
  const encoder = createEncoder()
  for (const part of parts)
    if (typeof part === 'number') writeVarUint(encoder, part)
    else writeUint8(encoder, part[0])
  return toUint8Array(encoder)
}

const GC = 0
const SKIP = 10
const DELETED = 1
const JSON_VALUES = 2
const STRING = 4
const ANY = 8
const STRING_BEHIND: [number] = [0x80 | STRING]
const STRING_BEFORE: [number] = [0x40 | STRING]
const a = 97
/** lib0 reads any number of zeros, and multiplies each by more. */
const NOT_A_NUMBER: [number][] = [...Array<[number]>(200).fill([0x80]), [0]]

describe('[A6] an honest update passes', () => {
  test('for all that authors do, one by one and as the difference of two states', () => {
    fc.assert(
      fc.property(editSteps(), (session) => {
        const server = new Y.Doc()
        const authors = playSession(session, server, (update) => {
          expect(codeOf(server, update)).toBe('taken')
          Y.transact(server, () => Y.applyUpdate(server, update))
          expect(server.store.pendingStructs ?? server.store.pendingDs).toBeNull()
        })
        for (const author of authors) {
          const rest = Y.encodeStateAsUpdate(author, Y.encodeStateVector(server))
          expect(codeOf(server, rest)).toBe('taken')
          expect(codeOf(new Y.Doc(), Y.encodeStateAsUpdate(author))).toBe('taken')
        }
        expect(soundnessOf(server)).toBe('sound')
      }),
      { numRuns: 60 },
    )
  })

  test('for several merged into one, and for a known one', () => {
    fc.assert(
      fc.property(editSteps(20), (session) => {
        const updates: Uint8Array[] = []
        const server = new Y.Doc()
        playSession(session, server, (update) => {
          updates.push(update)
          Y.applyUpdate(server, update)
        })
        if (updates.length === 0) return
        expect(codeOf(new Y.Doc(), Y.mergeUpdates(updates))).toBe('taken')
        expect(codeOf(server, Y.mergeUpdates(updates))).toBe('taken')
      }),
      { numRuns: 30 },
    )
  })

  test('with the clients and the clocks of its structs', () => {
    const doc = documentOfSeven()
    const other = new Y.Doc()
    Y.applyUpdate(other, Y.encodeStateAsUpdate(doc))
    const before = Y.encodeStateVector(other)
    other.getText('trace').insert(1, 'x')
    other.getText('trace').delete(0, 1)
    const { clocks } = checkUpdate(clocksOf(doc), Y.encodeStateAsUpdate(other, before))
    expect(clocks).toEqual(new Map([[other.clientID, 1]]))
  })
})

test('[A6] text that two wrote in turn passes, whichever of them is first in the update', () => {
  for (const [first, second] of [[5, 9], [9, 5]] as const) {
    const [ada, bob] = [new Y.Doc(), new Y.Doc()]
    ada.clientID = first
    bob.clientID = second
    for (let turn = 0; turn < 8; turn++) {
      const [one, other] = turn % 2 === 0 ? [ada, bob] : [bob, ada]
      one.getText('trace').insert(turn, 'x')
      Y.applyUpdate(other, Y.encodeStateAsUpdate(one))
    }
    expect(codeOf(new Y.Doc(), Y.encodeStateAsUpdate(ada))).toBe('taken')
  }
}) // prettier-ignore

test('[A6] a clock may go up to 2³²', () => {
  const known = new Map([[99, 2 ** 32 - 2]])
  const lettersOf = (length: number) => updateOf(1, 1, 99, 2 ** 32 - 2, GC, length, 0)
  expect(checkUpdate(known, lettersOf(2)).clocks).toEqual(new Map([[99, 2 ** 32]]))
  expect(() => checkUpdate(known, lettersOf(3))).toThrow('a clock over 4294967296')
})

describe('[A6] refused as bad-update', () => {
  const whole = Y.encodeStateAsUpdate(documentOfSeven())
  const [client, clock] = [KNOWN_CLIENT, 3]

  test.each<[what: string, update: Uint8Array, why: string]>([
    ['nothing at all', updateOf(), 'not a Yjs update'],
    [
      'random bytes',
      Uint8Array.from({ length: 64 }, (_, index) => (index * 151 + 43) % 256),
      'not a Yjs update',
    ],
    ['encoding V2', Y.encodeStateAsUpdateV2(documentOfSeven()), 'encoding V1'],
    ['an empty update in V2', Y.encodeStateAsUpdateV2(new Y.Doc()), 'encoding V1'],
    ['bytes behind the end', Uint8Array.of(...whole, 0), '1 bytes after the end'],
    ['more structs than there are', updateOf(1, 2 ** 40, client, clock), 'not a Yjs update'],
    ['more clients than there are', updateOf(2 ** 40), 'not a Yjs update'],
    ['an unknown kind of content', updateOf(1, 1, client, clock, 31, 1, 1, a, 0), 'not a Yjs update'],
    ['an origin that is itself', updateOf(1, 1, 99, 0, STRING_BEHIND, 99, 0, 1, a, 0), 'client 99, clock 0'],
    [
      'two that wait for each other',
      updateOf(2, 1, 99, 0, STRING_BEHIND, 98, 0, 1, a, 1, 98, 0, STRING_BEHIND, 99, 0, 1, a, 0),
      'client 99, clock 0',
    ],
    ['a hole', updateOf(1, 2, client, clock, SKIP, 2, GC, 1, 0), 'hole'],
    ['a struct without length', updateOf(1, 1, 99, 0, GC, 0, 0), 'hole'],
    ['a deleted struct without length', updateOf(1, 1, 99, 0, DELETED, 1, 1, a, 0, 0), 'hole'],
    ['two runs of one client', updateOf(2, 1, 99, 0, GC, 1, 1, 99, 1, GC, 1, 0), '2 runs'],
    ['runs from the lowest client up', updateOf(2, 1, 98, 0, GC, 1, 1, 99, 0, GC, 1, 0), 'another order'],
    ['a run of nothing', updateOf(1, 0, 99, 0, 0), '1 runs'],
    ['a deletion without length', updateOf(0, 1, 99, 1, 0, 0), 'disordered'],
    ['a client that is no number', updateOf(1, 1, ...NOT_A_NUMBER, 0, GC, 1, 0), 'client NaN'],
    ['a clock that is no number', updateOf(1, 1, 99, ...NOT_A_NUMBER, GC, 1, 0), 'clock NaN'],
    ['a length that is no number', updateOf(1, 1, 99, 0, GC, ...NOT_A_NUMBER, 0), 'a clock over'],
    ['a deletion of no number', updateOf(0, 1, client, 1, ...NOT_A_NUMBER, 1), 'disordered'],
    ['deletions laid over each other', updateOf(0, 1, client, 2, 0, 2, 1, 2), 'disordered'],
  ])('%s', (_what, update, why) => {
    const doc = documentOfSeven()
    expect(reasonOf(doc, update)).toEqual({ code: 'bad-update', detail: expect.stringContaining(why) })
    expect(hasSameState(doc, documentOfSeven())).toBe(true)
  })

  test('for an update that is cut anywhere', () => {
    const doc = new Y.Doc()
    for (let length = 0; length < whole.length; length++)
      expect(codeOf(doc, whole.subarray(0, length)), `${length} bytes`).toBe('bad-update')
    expect(codeOf(doc, whole)).toBe('taken')
  })

  test('without the cost of a product for a megabyte of ranges', () => {
    const ranges = Array.from({ length: 100_000 }, () => [0, 3]).flat()
    expect(codeOf(documentOfSeven(), updateOfParts([0, 1, KNOWN_CLIENT, 100_000, ...ranges]))).toBe(
      'bad-update',
    )
  })

  test('without recursion for a chain of waiting structs as long as the update', () => {
    const clients = MAX_EDIT_CLIENTS
    const parts: (number | [number])[] = [clients]
    for (let one = clients; one > 0; one--) {
      parts.push(1, one, 0, ...(one === 1 ? [STRING, 1, 1, a] : [STRING_BEHIND, one - 1, 0]), 1, a)
    }
    const update = updateOfParts([...parts, 0])
    const doc = new Y.Doc()
    expect(codeOf(doc, update)).toBe('taken')
    Y.applyUpdate(doc, update)
    expect(doc.store.pendingStructs).toBeNull()
  })
})

describe('[A6] refused as too large, with the limit in the reason', () => {
  const structs = (count: number): Uint8Array =>
    updateOfParts([1, count, 99, 0, ...Array(count).fill([GC, 1]).flat(), 0])
  const clients = (count: number): Uint8Array =>
    updateOfParts([
      count,
      ...Array.from({ length: count }, (_, index) => [1, 10_000 - index, 0, GC, 1]).flat(),
      0,
    ])
  const deletions = (count: number): Uint8Array =>
    updateOf(1, 2, 99, 0, GC, count - 1, DELETED, 1, 1, a, 1, 0)

  test.each<[make: (count: number) => Uint8Array, limit: number, name: string]>([
    [structs, MAX_EDIT_STRUCTS, 'MAX_EDIT_STRUCTS'],
    [clients, MAX_EDIT_CLIENTS, 'MAX_EDIT_CLIENTS'],
    [deletions, MAX_EDIT_DELETIONS, 'MAX_EDIT_DELETIONS'],
  ])('%o', (make, limit, name) => {
    expect(codeOf(new Y.Doc(), make(limit))).toBe('taken')
    const detail = expect.stringContaining(`${limit} (${name})`) as string
    expect(reasonOf(new Y.Doc(), make(limit + 1))).toEqual({ code: 'too-large', detail })
  })

  const rangeless = (clients: number): Uint8Array =>
    updateOfParts([0, clients, ...Array.from({ length: clients }, (_, client) => [client, 0]).flat()])

  test('clients of deletions without a range count as ranges', () => {
    expect(codeOf(new Y.Doc(), rangeless(MAX_EDIT_RANGES))).toBe('taken')
    expect(codeOf(new Y.Doc(), rangeless(MAX_EDIT_RANGES + 1))).toBe('too-large')
  })

  test.each<[update: Uint8Array, name: string]>([
    [updateOf(0, 1, 99, MAX_EDIT_RANGES, 1), 'MAX_EDIT_RANGES'],
    [updateOf(1, 1, 99, 0, ANY, 1, 1, a, MAX_EDIT_VALUES + 1, 0), 'MAX_EDIT_VALUES'],
    [updateOf(1, 1, 99, 0, JSON_VALUES, 1, 1, a, MAX_EDIT_VALUES + 1, 0), 'MAX_EDIT_VALUES'],
    [structs(MAX_EDIT_STRUCTS + 1), 'MAX_EDIT_STRUCTS'],
    [clients(MAX_EDIT_CLIENTS + 1), 'MAX_EDIT_CLIENTS'],
    [updateOf(1, 2, 99, 0, GC, MAX_EDIT_DELETIONS + 1, GC, 1, 0), 'MAX_EDIT_DELETIONS'],
  ])('before the rest of it is read (%#)', (update, name) => {
    // No decoder would take the rest.
    const { detail } = reasonOf(new Y.Doc(), update.subarray(0, -1))!
    expect(detail).toContain(name)
  })
})

describe('[W2] refused as behind: the text it builds on may be on its way', () => {
  const [client, clock] = [KNOWN_CLIENT, 3]

  test.each<[what: string, update: Uint8Array, why: string]>([
    [
      'text behind text nobody has',
      updateOf(1, 1, client, clock + 1, GC, 1, 0),
      'client 7, clock 3, of which only 3',
    ],
    [
      'text of an author with an unknown past',
      updateOf(1, 1, 99, 5, GC, 1, 0),
      'client 99, clock 4, of which only 0',
    ],
    ['an origin nobody has', updateOf(1, 1, 99, 0, STRING_BEHIND, 42, 0, 1, a, 0), 'client 42, clock 0'],
    [
      'a right neighbour nobody has',
      updateOf(1, 1, 99, 0, STRING_BEFORE, 42, 0, 1, a, 0),
      'client 42, clock 0',
    ],
    [
      'an origin that is no number',
      updateOf(1, 1, 99, 0, STRING_BEHIND, client, ...NOT_A_NUMBER, 1, a, 0),
      'NaN',
    ],
    ['a parent nobody has', updateOf(1, 1, 99, 0, STRING, 0, 42, 0, 1, a, 0), 'client 42, clock 0'],
    ['a deletion of text nobody has', updateOf(0, 1, client, 1, 2, 2), 'client 7, clock 3'],
    ['a deletion in an unknown author’s text', updateOf(0, 1, 99, 1, 0, 1), 'client 99, clock 0'],
  ])('%s', (_what, update, why) => {
    const doc = documentOfSeven()
    expect(reasonOf(doc, update)).toEqual({ code: 'behind', detail: expect.stringContaining(why) })
    expect(hasSameState(doc, documentOfSeven())).toBe(true)
  })
})

function copyOf(doc: Y.Doc): RoomDoc {
  const copy = new RoomDoc()
  Y.applyUpdate(copy, Y.encodeStateAsUpdate(doc))
  return copy
}

/** The reason of the refusal, which only the document can give. */
function isRefused(run: () => void): boolean {
  try {
    run()
    return false
  } catch (error) {
    if (error instanceof RoomRefusal) return true
    throw error
  }
}

describe('an accepted update never harms the document', () => {
  const damage = fc.record({
    at: fc.nat(),
    how: fc.constantFrom('set', 'drop', 'insert', 'double'),
    byte: fc.nat(255),
  })

  function damageUpdate(
    update: Uint8Array,
    changes: readonly { at: number; how: string; byte: number }[],
  ): Uint8Array {
    const out = [...update]
    for (const { at, how, byte } of changes) {
      const place = at % Math.max(1, out.length)
      if (how === 'set') out[place] = byte
      if (how === 'drop') out.splice(place, 1 + (byte % 3))
      if (how === 'insert') out.splice(place, 0, byte)
      if (how === 'double') out.splice(place, 0, ...out.slice(place, place + 1 + (byte % 8)))
    }
    return Uint8Array.from(out)
  }

  test('honest updates with bytes changed, dropped, inserted and doubled', () => {
    const runs = Number(process.env['FUZZ_RUNS'] ?? 40)
    fc.assert(
      fc.property(
        editSteps(15),
        fc.array(fc.array(damage, { minLength: 1, maxLength: 3 }), { minLength: 20, maxLength: 20 }),
        (session, damages) => {
          const server = new Y.Doc()
          const updates: Uint8Array[] = []
          playSession(session, server, (update) => {
            updates.push(update)
            Y.transact(server, () => Y.applyUpdate(server, update))
          })
          const state = Y.encodeStateAsUpdate(server)
          for (const [index, changes] of damages.entries()) {
            const victim = index % 2 === 0 ? server : new Y.Doc()
            const update = damageUpdate(updates[index % updates.length] ?? state, changes)
            if (codeOf(victim, update) !== 'taken') continue
            const copy = copyOf(victim)
            const reader = copyOf(victim)
            const checked = checkUpdate(clocksOf(copy), update)
            if (isRefused(() => integrateUpdate(copy, checked))) continue
            Y.applyUpdate(reader, checked.update)
            const hex = Buffer.from(update).toString('hex')
            expect(soundnessOf(copy), hex).toBe('sound')
            expect(hasSameState(copy, reader), hex).toBe(true)
          }
        },
      ),
      { numRuns: runs },
    )
  })
})
