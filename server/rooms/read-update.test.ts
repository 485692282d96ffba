import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { lettersBehindOne } from './fixtures/costly-updates.ts'
import { editSteps, playSession } from './fixtures/editing-session.ts'
import { type WrittenContent, writeUpdate } from './fixtures/update-writer.ts'
import { IntegrationCost } from './integration-cost.ts'
import { runAllSteps } from './run-steps.ts'
import { type DecodedUpdate, readUpdateInSteps } from './read-update.ts'
import { RoomRefusal } from './rooms.ts'
import { removeKnownStructs } from './remove-known-structs.ts'

const MiB = 1024 * 1024

const readUpdate = (update: Uint8Array): DecodedUpdate =>
  runAllSteps(readUpdateInSteps(update, new IntegrationCost(update.length)))

/** What a session's authors send, and all of it merged. */
function updatesOf(session: Parameters<typeof playSession>[0]): Uint8Array[] {
  const server = new Y.Doc()
  const updates: Uint8Array[] = []
  playSession(session, server, (update) => {
    updates.push(update)
    Y.applyUpdate(server, update)
  })
  return [...updates, Y.encodeStateAsUpdate(server)].map((update) => new Uint8Array(update))
}

const runsOf = ({ structs }: DecodedUpdate) => Map.groupBy(structs, ({ id }) => id.client)

test('[A6] an edit is decoded as in Yjs', () => {
  fc.assert(
    fc.property(editSteps(), (session) => {
      for (const update of updatesOf(session)) expect(readUpdate(update)).toEqual(Y.decodeUpdate(update))
    }),
    { numRuns: 60 },
  )
})

test('[A6] damaged bytes are accepted only if Yjs accepts them, and are read the same', () => {
  const damage = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 3 })
  fc.assert(
    fc.property(editSteps(12), damage, (session, changes) => {
      for (const update of updatesOf(session)) {
        for (const [at, byte] of changes) update[at % update.length] = byte
        let decoded: DecodedUpdate
        try {
          decoded = readUpdate(update)
        } catch (error) {
          expect(error).toBeInstanceOf(RoomRefusal)
          continue
        }
        expect(decoded).toEqual(Y.decodeUpdate(update))
      }
    }),
    { numRuns: 60 },
  )
})

test('[A6] every kind of content and of shared type', () => {
  const doc = new Y.Doc()
  const types = [
    new Y.Array(),
    new Y.Map(),
    new Y.Text(),
    new Y.XmlElement('paragraph'),
    new Y.XmlFragment(),
    new Y.XmlHook('hook'),
    new Y.XmlText(),
  ]
  doc.getArray('list').insert(0, [...types, Uint8Array.of(1, 2), { any: [1, null, undefined] }, 'words'])
  doc.getText('text').insert(0, 'bold', { bold: true })
  doc.getText('text').insertEmbed(0, { image: 'x' })
  doc.getText('text').delete(1, 2)
  const update = new Uint8Array(Y.encodeStateAsUpdate(doc))
  expect(readUpdate(update)).toEqual(Y.decodeUpdate(update))
})

test('the known part is cut off as in Yjs, anywhere in a struct', () => {
  fc.assert(
    fc.property(
      editSteps(),
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 3 }),
      (session, shares) => {
        const update = updatesOf(session).at(-1)!
        const whole = Y.decodeStateVector(Y.encodeStateVectorFromUpdate(update))
        const known = new Map(
          [...whole].map(([client, clock], index) => [
            client,
            Math.round(clock * shares[index % shares.length]!),
          ]),
        )
        const decoded = readUpdate(update)
        const remaining = removeKnownStructs(runsOf(decoded), decoded.ds, known)
        const expected = Y.diffUpdate(update, Y.encodeStateVector(known))
        expect(remaining.update).toEqual(expected)
        expect(remaining.structs).toEqual(Y.decodeUpdate(expected).structs)
      },
    ),
    { numRuns: 60 },
  )
})

test('clocks without content are cut too', () => {
  const origins = { origin: null, rightOrigin: null, parent: 'trace', key: null }
  const update = writeUpdate({
    runs: [{ client: 9, clock: 0, structs: [{ content: { kind: 'collected', length: 8 }, ...origins }] }],
    deletions: [],
  })
  const decoded = readUpdate(update)
  const remaining = removeKnownStructs(runsOf(decoded), decoded.ds, new Map([[9, 3]]))
  expect(remaining.update).toEqual(Y.diffUpdate(update, Y.encodeStateVector(new Map([[9, 3]]))))
})

const place = { origin: null, rightOrigin: null, parent: 'trace', key: null }
const oneStruct = (content: WrittenContent): Uint8Array =>
  writeUpdate({ runs: [{ client: 9, clock: 0, structs: [{ ...place, content }] }], deletions: [] })

test.each([
  ['of many structs', lettersBehindOne(MiB)],
  ['of many values', oneStruct({ kind: 'any', values: Array.from({ length: MiB }, () => null) })],
  ['of many values as JSON', oneStruct({ kind: 'json', texts: Array.from({ length: MiB / 3 }, () => '{}') })],
])('[A6] a megabyte %s is read with a pause after each 32 KiB', (_what, update) => {
  const steps = readUpdateInSteps(update, new IntegrationCost(MiB))
  let pauses = 0
  while (!steps.next().done) pauses += 1
  expect(Math.abs(pauses - update.length / (32 * 1024))).toBeLessThan(2)
})
