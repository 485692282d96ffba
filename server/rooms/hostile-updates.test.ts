/**
 * A writer sends arbitrary updates between the edits of two honest windows. HOSTILE_UPDATES makes the test longer, HOSTILE_SEED gives
 * it other updates.
 */
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { checkUpdate } from './check-update.ts'
import { fingerprint } from './fixtures/fingerprint.ts'
import { hostileBytes, hostileUpdates } from './fixtures/hostile-updates.ts'
import { type RoomsFixture, openRoomsFixtureForFile, RoomWindow } from './fixtures/rooms-fixture.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { RoomRefusal } from './rooms.ts'
import { RoomDoc, integrateUpdate } from './integrate-update.ts'
import { runs } from '../../lib/fixtures/runs.ts'

const UPDATES = Number(process.env['HOSTILE_UPDATES'] ?? runs(2_500, 10_000))
const SEED = Number(process.env['HOSTILE_SEED'] ?? 1)
/** The hostile updates for one document. */
const UPDATES_PER_DOCUMENT = 100
/** The updates that are sent at once, before any result is read. */
const UPDATES_PER_TURN = 5
/** The updates that wait for the disk together. */
const DOCUMENTS_AT_ONCE = 10
const MINUTES = 60_000
/** A client with an empty state vector receives what is stored; with this one, what the room's own Y.Doc holds. */
const SOME_STATE = Y.encodeStateVector(new Map([[2, 1]]))

let fixture: RoomsFixture
openRoomsFixtureForFile((opened) => (fixture = opened))

const createHonestDoc = (clientId: number): RoomDoc => {
  const doc = new RoomDoc()
  doc.clientID = clientId
  return doc
}

const clocksOf = (doc: Y.Doc) => Y.decodeStateVector(Y.encodeStateVector(doc))

function docOf(updates: readonly Uint8Array[]): RoomDoc {
  const doc = new RoomDoc()
  for (const update of updates) Y.applyUpdate(doc, update)
  return doc
}

/** The new part of an edit: the part that repeats known text may differ from it, and does not count. */
function acknowledged(updates: readonly Uint8Array[]): RoomDoc {
  const doc = new RoomDoc()
  for (const update of updates) integrateUpdate(doc, checkUpdate(clocksOf(doc), update))
  return doc
}

/** The same in another order, which a number decides. */
const shuffled = (updates: readonly Uint8Array[], salt: number): Uint8Array[] =>
  updates
    .map((update, index) => ({ update, rank: ((index + 1) * 7_919 * (salt + 1)) % 104_729 }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ update }) => update)

/**
 * Yjs may keep waiting for text that came meanwhile, if it came in an order in which no server sends it. A window then requests what
 * it lacks, as here.
 */
function docOfDisordered(disordered: readonly Uint8Array[], updates: readonly Uint8Array[]): RoomDoc {
  const doc = docOf(disordered)
  if (doc.store.pendingStructs || doc.store.pendingDs)
    for (const update of updates) Y.applyUpdate(doc, update)
  return doc
}

/** The states of windows that receive the same edits one by one, merged, late, and as a whole. */
function replicasOf(updates: readonly Uint8Array[], salt: number): Record<string, () => Y.Doc> {
  const half = Math.ceil(updates.length / 2)
  return {
    'one by one': () => docOf(updates),
    'all merged': () => docOf([Y.mergeUpdates([...updates])]),
    'in two halves': () => docOf([Y.mergeUpdates(updates.slice(0, half)), Y.mergeUpdates(updates.slice(half))]),
    'as one state': () => docOf([Y.encodeStateAsUpdate(docOf(updates))]),
    'in another order': () => docOfDisordered(shuffled(updates, salt), updates),
    'backwards': () => docOfDisordered([...updates].reverse(), updates),
  }
} // prettier-ignore

/** Undefined if all agree. */
function disagreement(updates: readonly Uint8Array[], salt: number): string | undefined {
  if (updates.length === 0) return undefined
  const prints = Object.entries(replicasOf(updates, salt)).map(([how, make]) => [how, fingerprint(make())])
  return prints.find(([, print]) => print !== prints[0]![1])?.[0]
}

/** Describes the first edit after which replicas differ. */
function describeFirstDisagreement(updates: readonly Uint8Array[], salt: number): string {
  const count = updates.findIndex((_, index) => disagreement(updates.slice(0, index + 1), salt) !== undefined)
  const update = updates[count]
  if (!update) return 'none by itself'
  const { structs, ds } = Y.decodeUpdate(update)
  return `${Buffer.from(update).toString('hex')}: ${JSON.stringify([structs, [...ds.clients]])}`
}

/** Deterministic, and spread over the whole document. */
function typeHonestly({ doc }: RoomWindow, turn: number): Uint8Array {
  const before = Y.encodeStateVector(doc)
  const text = doc.getText('trace')
  const body = doc.getXmlFragment('default')
  const at = (turn * 31) % (text.length + 1)
  doc.transact(() => {
    if (turn % 4 === 0) text.insert(at, 'honest')
    if (turn % 4 === 1) doc.getMap('map').set('a', turn)
    if (turn % 4 === 2) body.insert(turn % (body.length + 1), [new Y.XmlElement('p')])
    if (turn % 4 === 3 && text.length > at) text.delete(at, 1)
    if (turn % 4 === 3) text.insert(text.length, '.')
  })
  return Y.encodeStateAsUpdate(doc, before)
}

/** @param refused Counts the refusals by their reason. @returns The acknowledged updates. */
async function attackDocument(index: number, refused: Map<string, number>): Promise<Uint8Array[]> {
  fixture.clock.at += 1_000 // the limit of new guests
  const { id, owner } = await fixture.document()
  const windows = [
    await RoomWindow.open(fixture.rooms, id, owner, createHonestDoc(77)),
    await RoomWindow.open(fixture.rooms, id, owner, createHonestDoc(78)),
  ] as const
  const mallory = await RoomWindow.open(fixture.rooms, id, owner, createHonestDoc(1))
  const accepted: Uint8Array[] = []
  const send = async (from: RoomWindow, update: Uint8Array): Promise<void> => {
    const copy = update.slice()
    await from.send(update)
    accepted.push(copy)
  }
  const attack = async (update: Uint8Array): Promise<void> => {
    try {
      await send(mallory, update)
    } catch (error) {
      if (!(error instanceof RoomRefusal)) throw error
      const { code } = error.reason
      refused.set(code, (refused.get(code) ?? 0) + 1)
    }
  }
  const plans = hostileUpdates(SEED + index, UPDATES_PER_DOCUMENT)
  for (let turn = 0; turn < UPDATES_PER_DOCUMENT / UPDATES_PER_TURN; turn++) {
    const typist = windows[turn % 2]!
    const known = clocksOf(windows[0].doc)
    const some = plans.slice(turn * UPDATES_PER_TURN, (turn + 1) * UPDATES_PER_TURN)
    await Promise.all([
      send(typist, typeHonestly(typist, turn + index)),
      ...some.map((plan) => attack(hostileBytes(plan, known))),
    ])
  }
  const evicted = [...windows, mallory].filter((window) => window.evictionReason !== null)
  expect(evicted, `document ${index}: put out`).toEqual([])
  const { updates } = await fixture.store.load(id, 'body')
  const stored = fingerprint(docOf(updates))
  const about = `seed ${SEED}, document ${index}`
  const disagreeingReplica = disagreement(updates, index)
  if (disagreeingReplica !== undefined) throw new Error(`${about}: replicas that receive it ${disagreeingReplica} differ, by ${describeFirstDisagreement(updates, index)}`)
  expect(fingerprint(acknowledged(accepted)), `${about}: what is stored is what was acknowledged`).toBe(stored)
  for (const window of windows) expect(fingerprint(window.doc), `${about}: a window`).toBe(stored)
  const returned = new RoomWindow(createHonestDoc(2))
  await returned.join(fixture.rooms, id, owner, SOME_STATE)
  await waitUntil(() => returned.receivedKinds.length > 0)
  expect(fingerprint(returned.doc), `${about}: what the room itself holds`).toBe(stored)
  for (const window of [...windows, mallory, returned]) window.membership.leave()
  return accepted
} // prettier-ignore

test(
  '[A6] whatever is sent, nothing is stored that was not acknowledged, and all who receive it have the same',
  async () => {
    const refused = new Map<string, number>()
    const accepted: Uint8Array[] = []
    const remainingIndices = Array.from(
      { length: Math.ceil(UPDATES / UPDATES_PER_DOCUMENT) },
      (_, index) => index,
    )
    const attackDocuments = async (): Promise<void> => {
      for (let index = remainingIndices.shift(); index !== undefined; index = remainingIndices.shift())
        accepted.push(...(await attackDocument(index, refused)))
    }
    await Promise.all(Array.from({ length: DOCUMENTS_AT_ONCE }, attackDocuments))
    const total = [...refused.values()].reduce((sum, count) => sum + count, 0)
    // Otherwise the test would only send what the first check refuses.
    expect(accepted.length).toBeGreaterThan(UPDATES / 10)
    expect(total).toBeGreaterThan(UPDATES / 10)
  },
  60 * MINUTES,
)
