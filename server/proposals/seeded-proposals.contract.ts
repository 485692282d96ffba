/** Seeded proposals: what accepting makes of a document is compared with Yjs's own merge, and what rejecting leaves with what was there. */
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { createSeededRandom, type SeededRandom } from '../../lib/fixtures/seeded-random.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { docOfUpdates } from '../fixtures/doc-of-updates.ts'
import { hasSameState, soundnessOf } from '../rooms/fixtures/editing-session.ts'
import type { RoomWindow } from '../rooms/fixtures/rooms-fixture.ts'
import { RoomText } from '../rooms/room-text.ts'
import { packUpdates } from '../store/batch.ts'
import { mergeUpdates } from '../store/merge-updates.ts'
import { openProposalFixture, type ProposalFixture } from './fixtures/proposal-fixture.ts'
import { editAtRandom } from './fixtures/random-writing.ts'

interface Runs {
  /** What accepting merges is checked and integrated as by a room. */
  readonly withoutServer: number
  /** By the API, while windows are open. */
  readonly withRooms: number
}

const AT_ONCE = { withoutServer: 500, withRooms: 20 }

export function describeSeededProposals({ withoutServer, withRooms }: Runs): void {
  test.each(seedsOf(withoutServer, AT_ONCE.withoutServer))(
    'without a server each that is accepted is a direct merge: %i to %i',
    (first, last) => {
      for (let seed = first; seed <= last; seed++) mergeOne(seed)
    },
  )

  test.each(seedsOf(withRooms, AT_ONCE.withRooms))(
    'each that is accepted is a direct merge, and each that is rejected leaves the original as it was: %i to %i',
    async (first, last) => {
      await using fixture = await openProposalFixture()
      for (let seed = first; seed <= last; seed++) await decideOne(fixture, seed)
    },
  )
}

/** The first and the last seed of each test. */
const seedsOf = (count: number, atOnce: number): [number, number][] =>
  Array.from({ length: count / atOnce }, (_, index) => [index * atOnce + 1, (index + 1) * atOnce])

function mergeOne(seed: number): void {
  const random = createSeededRandom(seed)
  const begun = copyOf(new Y.Doc(), random)
  for (let step = random.between(0, 6); step > 0; step--) editAtRandom(begun, random)
  const base = Y.encodeStateAsUpdate(begun)
  const original = Y.encodeStateAsUpdate(writeByTwo(begun, random))
  const proposal = Y.encodeStateAsUpdate(writeByTwo(begun, random))

  const updates = packUpdates([proposal])
  const since = new Uint8Array(gzipSync(base))
  const { state } = mergeUpdates({ updates, gzip: false, title: null, since })!
  const text = RoomText.fromLoaded({
    updates: [original],
    sequence: 1,
    logLength: 1,
  })
  text.integrate(text.check(state))

  expect(hasSameState(text.doc, docOfUpdates([original, proposal])), `seed ${seed}`).toBe(true)
  expect(soundnessOf(text.doc), `seed ${seed}`).toBe('sound')
  // A second time brings nothing.
  expect(text.integrate(text.check(state)), `seed ${seed}`).toBe(false)
}

/** Two windows that begin with the same text and exchange theirs now and then. */
function writeByTwo(begun: Y.Doc, random: SeededRandom): Y.Doc {
  const windows = [copyOf(begun, random), copyOf(begun, random)]
  for (let step = random.between(0, 8); step > 0; step--) {
    editAtRandom(random.pick(windows), random)
    if (random.next() < 0.5) exchange(windows)
  }
  exchange(windows)
  return windows[0]!
}

/** The client id decides where letters stand that were typed at one place, so it follows from the seed, too. */
const copyOf = (doc: Y.Doc, random: SeededRandom): Y.Doc => {
  const copy = new Y.Doc()
  copy.clientID = random.between(1, 2 ** 31)
  Y.applyUpdate(copy, Y.encodeStateAsUpdate(doc))
  return copy
}

function exchange(docs: readonly Y.Doc[]): void {
  for (const doc of docs)
    for (const other of docs) Y.applyUpdate(doc, Y.encodeStateAsUpdate(other, Y.encodeStateVector(doc)))
}

async function decideOne(fixture: ProposalFixture, seed: number): Promise<void> {
  const { open, load, stateOf, callDocuments: call } = fixture
  const random = createSeededRandom(seed)
  const opened = await fixture.openProposal('A text of some words.')
  const { document, proposal, path, owner, author, editor, ownerWindow } = opened
  const others = [open(document, editor), open(proposal, author), open(proposal, editor)]
  const windows = [ownerWindow, ...(await Promise.all(others))]
  for (let step = 0; step < 12; step++) await writeAtRandom(random.pick(windows), random)
  const [before, written] = await Promise.all([stateOf(document), stateOf(proposal)])
  const direct = docOfUpdates([before, written])
  if (seed % 4 === 0) {
    await call(owner, 'POST', `${path}/reject`)
    expect(await stateOf(document), `seed ${seed}`).toEqual(before)
  } else {
    expect((await call(owner, 'POST', `${path}/accept`, {})).status, `seed ${seed}`).toBe(200)
    expect(hasSameState(await load(document), direct), `seed ${seed}`).toBe(true)
    // A plain window of Yjs also deletes marks that have become superfluous.
    await waitUntil(() => lettersOf(ownerWindow.doc) === lettersOf(direct))
  }
  for (const { membership } of windows) membership.leave()
}

const lettersOf = (doc: Y.Doc): string =>
  doc.getText('trace').toJSON() + doc.getXmlFragment('default').toJSON()

async function writeAtRandom(window: RoomWindow, random: SeededRandom): Promise<void> {
  const before = Y.encodeStateVector(window.doc)
  editAtRandom(window.doc, random)
  await window.send(Y.encodeStateAsUpdate(window.doc, before))
}
