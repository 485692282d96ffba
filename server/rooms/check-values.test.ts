import fc from 'fast-check'
import { createDecoder } from 'lib0/decoding'
import {
  createEncoder,
  type Encoder,
  toUint8Array,
  writeAny,
  writeUint8,
  writeVarString,
  writeVarUint,
  writeVarUint8Array,
} from 'lib0/encoding'
import { describe, expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import {
  MAX_BINARY_BYTES,
  MAX_EDIT_OBJECTS,
  MAX_NAME_LENGTH,
  MAX_TYPE_DEPTH,
  MAX_VALUE_DEPTH,
  MAX_VALUE_NODES,
} from '../../lib/protocol/limits.ts'
import { checkUpdate } from './check-update.ts'
import { checkTypeDepth, ValueDecoder } from './check-values.ts'
import { embedUpdateOf, nestedArrays, rawUpdate } from './fixtures/update-writer.ts'
import { RoomRefusal } from './rooms.ts'
import { RoomDoc, integrateUpdate } from './integrate-update.ts'

/** The reason of its refusal; 'taken' if it is accepted. */
function outcomeOf(update: Uint8Array): string {
  try {
    checkUpdate(new Map(), new Uint8Array(update))
    return 'taken'
  } catch (error) {
    if (!(error instanceof RoomRefusal)) throw error
    return `${error.reason.code}: ${error.reason.detail}`
  }
}

type Write = (encoder: Encoder) => void

const OBJECT = 118
const ARRAY = 117

const repeat =
  (count: number, write: Write): Write =>
  (encoder) => {
    for (let left = count; left > 0; left--) write(encoder)
  }

const arrays = (depth: number): Write => (encoder) => {
  repeat(depth, () => {
    writeUint8(encoder, ARRAY)
    writeVarUint(encoder, 1)
  })(encoder)
  writeAny(encoder, null)
} // prettier-ignore

const objects = (depth: number): Write => (encoder) => {
  repeat(depth, () => {
    writeUint8(encoder, OBJECT)
    writeVarUint(encoder, 1)
    writeVarString(encoder, 'a')
  })(encoder)
  writeAny(encoder, null)
} // prettier-ignore

const anyOf = (write: Write): Uint8Array =>
  rawUpdate({
    as: 'any',
    write(encoder) {
      writeVarUint(encoder, 1)
      write(encoder)
    },
  })

const entryOf = (key: string): Uint8Array =>
  rawUpdate({
    as: 'any',
    key,
    write(encoder) {
      writeVarUint(encoder, 1)
      writeAny(encoder, true)
    },
  })

const formatOf = (key: string, json: string): Uint8Array =>
  rawUpdate({
    as: 'format',
    write(encoder) {
      writeVarString(encoder, key)
      writeVarString(encoder, json)
    },
  })

const jsonOf = (...texts: string[]): Uint8Array =>
  rawUpdate({
    as: 'json',
    write(encoder) {
      writeVarUint(encoder, texts.length)
      for (const text of texts) writeVarString(encoder, text)
    },
  })

const binaryOf = (bytes: number): Uint8Array =>
  rawUpdate({
    as: 'binary',
    write: (encoder) => writeVarUint8Array(encoder, new Uint8Array(bytes)),
  })

const XML_ELEMENT = 3

const elementOf = (name: string): Uint8Array =>
  rawUpdate({
    as: 'type',
    write(encoder) {
      writeVarUint(encoder, XML_ELEMENT)
      writeVarString(encoder, name)
    },
  })

const longestName = 'n'.repeat(MAX_NAME_LENGTH)
const numbers = (count: number): string => JSON.stringify(Array.from({ length: count }, () => 0))
const protoTexts = {
  '__proto__ spelt out': '{"__proto__": {}}',
  '__proto__ in escapes': '{"a": [{"\\u005f_proto__": 1}]}',
}

describe('[A6] the values of an edit', () => {
  test.each<[what: string, update: Uint8Array]>([
    ['an embed at the limit of depth', embedUpdateOf(nestedArrays(MAX_VALUE_DEPTH))],
    ['brackets within a string', embedUpdateOf(JSON.stringify({ text: `"\\"${nestedArrays(9_000)}` }))],
    ['an embed with as many values as may be', embedUpdateOf(numbers(MAX_VALUE_NODES - 1))],
    ['a format', formatOf('comment', '{"id":"1","ids":["1","2"]}')],
    ['an Any at the limit of depth', anyOf(arrays(MAX_VALUE_DEPTH))],
    ['objects at the limit of depth', anyOf(objects(MAX_VALUE_DEPTH))],
    ['a name as long as may be', entryOf(longestName)],
    ['a string longer than any name', anyOf((encoder) => writeAny(encoder, 'x'.repeat(200_000)))],
    ['what old versions of Yjs wrote for undefined', jsonOf('undefined')],
    ['undefined as an Any', anyOf((encoder) => writeAny(encoder, { a: undefined }))],
    ['bytes', binaryOf(MAX_BINARY_BYTES)],
    ['bytes within an Any', anyOf((encoder) => writeAny(encoder, [new Uint8Array(MAX_BINARY_BYTES)]))],
    ['an element', elementOf('paragraph')],
  ])('%s: taken', (_what, update) => {
    expect(outcomeOf(update)).toBe('taken')
  })

  test.each<[what: string, update: Uint8Array, why: string]>([
    ['an embed of 9,000 nested brackets', embedUpdateOf(nestedArrays(9_000)), 'MAX_VALUE_DEPTH'],
    ['an embed one level too deep', embedUpdateOf(nestedArrays(MAX_VALUE_DEPTH + 1)), 'MAX_VALUE_DEPTH'],
    ['an embed of too many values', embedUpdateOf(numbers(MAX_VALUE_NODES)), 'MAX_VALUE_NODES'],
    ['a format of nested brackets', formatOf('bold', nestedArrays(9_000)), 'MAX_VALUE_DEPTH'],
    ['a format of too long a name', formatOf(`${longestName}n`, 'true'), 'MAX_NAME_LENGTH'],
    ['a format named __proto__', formatOf('__proto__', 'true'), '__proto__'],
    ['JSON of nested brackets', jsonOf(nestedArrays(9_000)), 'MAX_VALUE_DEPTH'],
    ...Object.entries(protoTexts).map(([what, text]) => [what, embedUpdateOf(text), '__proto__'] as [string, Uint8Array, string]),
    ['an Any one level too deep', anyOf(arrays(MAX_VALUE_DEPTH + 1)), 'MAX_VALUE_DEPTH'],
    ['objects one level too deep', anyOf(objects(MAX_VALUE_DEPTH + 1)), 'MAX_VALUE_DEPTH'],
    ['an Any that is deeper than the stack', anyOf(arrays(1_000_000)), 'MAX_VALUE_DEPTH'],
    ['an Any of too many values', anyOf((encoder) => writeAny(encoder, Array.from({ length: MAX_VALUE_NODES }, () => 0))), 'MAX_VALUE_NODES'],
    ['an Any with too long a key', anyOf((encoder) => writeAny(encoder, { [`${longestName}n`]: 1 })), 'MAX_NAME_LENGTH'],
    ['an Any with a key __proto__', anyOf((encoder) => writeAny(encoder, JSON.parse('{"__proto__": 1}'))), '__proto__'],
    ['a BigInt', anyOf((encoder) => writeAny(encoder, 1n)), 'BigInt'],
    ['a BigInt within', anyOf((encoder) => writeAny(encoder, [{ a: 1n }])), 'BigInt'],
    ['an array that promises more than there is', anyOf((encoder) => { writeUint8(encoder, ARRAY); writeVarUint(encoder, 2 ** 40) }), 'not a Yjs update'],
    ['an Any of no known kind', anyOf((encoder) => writeUint8(encoder, 1)), 'not a Yjs update'],
    ['an entry of too long a name', entryOf(`${longestName}n`), 'MAX_NAME_LENGTH'],
    ['an entry named __proto__', entryOf('__proto__'), '__proto__'],
    ['a root named __proto__', rawUpdate({ as: 'string', root: '__proto__', write: (encoder) => writeVarString(encoder, 'a') }), '__proto__'],
    ['an element of too long a name', elementOf(`${longestName}n`), 'MAX_NAME_LENGTH'],
    ['too many bytes that are no text', binaryOf(MAX_BINARY_BYTES + 1), 'MAX_BINARY_BYTES'],
    ['too many bytes within an Any', anyOf((encoder) => writeAny(encoder, [new Uint8Array(MAX_BINARY_BYTES + 1)])), 'MAX_BINARY_BYTES'],
    ['a document within the document', rawUpdate({ as: 'document', write(encoder) { writeVarString(encoder, 'guid'); writeAny(encoder, {}) } }), 'a document within'],
  ])('%s: bad-update', (_what, update, why) => {
    expect(outcomeOf(update)).toMatch(/^bad-update: /)
    expect(outcomeOf(update)).toContain(why)
  }) // prettier-ignore

  test('have their objects counted before they are built, over all values of an edit', () => {
    const empty = Array.from({ length: 50_000 }, () => ({}))
    const doc = new Y.Doc()
    doc.getArray('trace').insert(
      0,
      Array.from({ length: 19 }, () => empty),
    )
    expect(outcomeOf(Y.encodeStateAsUpdate(doc))).toBe('taken')
    doc.getArray('trace').insert(0, [empty, empty])
    expect(outcomeOf(Y.encodeStateAsUpdate(doc))).toContain('MAX_EDIT_OBJECTS')
  })

  test.each([
    ['long', 50_000],
    ['short', 20],
  ])('have the objects of %s JSON texts counted as well', (_what, objects) => {
    const text = `[${Array.from({ length: objects - 1 }, () => '{}').join()}]`
    const texts = Array.from({ length: MAX_EDIT_OBJECTS / objects }, () => text)
    expect(outcomeOf(jsonOf(...texts))).toBe('taken')
    expect(outcomeOf(jsonOf(...texts, '[]'))).toContain('MAX_EDIT_OBJECTS')
  })

  test.each([
    ['deep', nestedArrays(9_000)],
    ['much', numbers(MAX_VALUE_NODES)],
  ])('JSON that is too %s is not even parsed', (_what, text) => {
    const parse = vi.spyOn(JSON, 'parse')
    try {
      expect(outcomeOf(embedUpdateOf(text))).toMatch('bad-update')
      expect(parse).not.toHaveBeenCalled()
    } finally {
      parse.mockRestore()
    }
  })

  test('are checked in an overlap with known text before anything is written again', () => {
    const doc = new Y.Doc()
    doc.clientID = 99
    doc.getText('trace').insert(0, 'x')
    const known = new Map([[99, 1]])
    expect(() => checkUpdate(known, embedUpdateOf(nestedArrays(9_000)))).toThrow('MAX_VALUE_DEPTH')
    expect(checkUpdate(known, Y.encodeStateAsUpdate(doc)).structs).toEqual([])
  })
})

test('an Any is read as in lib0', () => {
  const leaf = fc.oneof(
    fc.string(), fc.integer(), fc.double(), fc.boolean(),
    fc.constantFrom(null, undefined), fc.uint8Array(),
  ) // prettier-ignore
  const key = fc.string().filter((text) => text !== '__proto__')
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof({ maxDepth: 6 }, leaf, fc.array(tie('tree')), fc.dictionary(key, tie('tree'))),
  }))
  fc.assert(
    fc.property(tree, (value) => {
      const encoder = createEncoder()
      writeAny(encoder, value as Parameters<typeof writeAny>[1])
      const bytes = toUint8Array(encoder)
      const [ours, theirs] = [ValueDecoder, Y.UpdateDecoderV1].map((Decoder) => {
        const decoder = createDecoder(bytes)
        return { value: new Decoder(decoder).readAny() as unknown, at: decoder.pos }
      })
      expect(ours).toStrictEqual(theirs)
    }),
  )
})

describe('[A6] nested types', () => {
  const nestMaps = (from: Y.Map<unknown>, levels: number): Y.Map<unknown> => {
    let current = from
    for (let left = levels; left > 0; left--) current = current.set('in', new Y.Map<unknown>())
    return current
  }
  const checkAndIntegrate = (server: RoomDoc, update: Uint8Array): boolean =>
    integrateUpdate(
      server,
      checkUpdate(Y.decodeStateVector(Y.encodeStateVector(server)), new Uint8Array(update)),
    )

  test('may be as deep as the limit, and no deeper, in one edit or over several', () => {
    const [author, server] = [new Y.Doc(), new RoomDoc()]
    const innermost = nestMaps(author.getMap('trace'), MAX_TYPE_DEPTH)
    expect(checkAndIntegrate(server, Y.encodeStateAsUpdate(author))).toBe(true)
    const before = Y.encodeStateVector(server)
    nestMaps(innermost, 1)
    expect(() => checkAndIntegrate(server, Y.encodeStateAsUpdate(author, before))).toThrow('MAX_TYPE_DEPTH')
  })

  test('are refused by the thousand before they cost the square of their number', () => {
    const author = new Y.Doc()
    author.transact(() => nestMaps(author.getMap('trace'), 3_000))
    expect(() => checkAndIntegrate(new RoomDoc(), Y.encodeStateAsUpdate(author))).toThrow('MAX_TYPE_DEPTH')
  })

  test('within a parent that is none, or no type, are not deep', () => {
    for (const parent of [null, undefined, Y.createID(1, 0)])
      expect(() =>
        checkTypeDepth({ parent, content: new Y.ContentType(new Y.Map<unknown>()) } as unknown as Y.Item),
      ).not.toThrow()
  })
})
