/** Edits that are made to block the server for everybody, and honest ones that are as large. */
import { describe, expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import {
  lettersBehindOne,
  manyClients,
  valuesOfOneKey,
  variedRightOrigins,
} from './fixtures/costly-updates.ts'
import { Meter } from '../metering/meter.ts'
import { ClientIdBudget } from './client-id-budget.ts'
import { fingerprint } from './fixtures/fingerprint.ts'
import {
  type RoomsFixture,
  openRoomsFixtureForFile,
  openRoomsFixture,
  refusalOf,
  RoomWindow,
} from './fixtures/rooms-fixture.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { RoomDoc } from './integrate-update.ts'
import { TextWorkerPool } from './text-worker-pool.ts'
import { triesAll } from '../../lib/fixtures/runs.ts'

const KiB = 1024
const MiB = 1024 * KiB

let fixture: RoomsFixture
openRoomsFixtureForFile((opened) => (fixture = opened))

async function openScenario(roomsFixture = fixture) {
  const { windows, id, owner } = await roomsFixture.documentWithWindows(3)
  const [ada, bob] = windows as [RoomWindow, RoomWindow, RoomWindow]
  await ada.type('others’ text')
  await waitUntil(() => bob.text === ada.text)
  const { principal, token } = await roomsFixture.linkPrincipalTo(id, 'editor', owner)
  const mallory = await RoomWindow.open(roomsFixture.rooms, id, principal, new Y.Doc(), { token })
  return { id, ada, bob, mallory }
}

function documentOf(paragraphs: number, letters: number): Uint8Array {
  const doc = new Y.Doc()
  const paragraphList = Array.from({ length: paragraphs }, () => {
    const paragraph = new Y.XmlElement('paragraph')
    paragraph.insert(0, [new Y.XmlText('x'.repeat(letters))])
    return paragraph
  })
  doc.getXmlFragment('default').insert(0, paragraphList)
  return Y.encodeStateAsUpdate(doc)
}

/** Writes letters behind each other, each of them a struct of its own, since another one was typed and deleted in between. */
function writeOffline(doc: Y.Doc, count: number): Uint8Array {
  const before = Y.encodeStateVector(doc)
  const text = doc.getText('trace')
  for (let index = 0; index < count; index++) {
    text.insert(index, 'xy')
    text.delete(index + 1, 1)
  }
  return Y.encodeStateAsUpdate(doc, before)
}

/** Nobody is evicted, and everybody can go on. */
async function expectOthersUnaffected({
  id,
  ada,
  bob,
  mallory,
}: Awaited<ReturnType<typeof openScenario>>): Promise<void> {
  await bob.type(' goes on')
  await waitUntil(() => ada.text === bob.text)
  expect(ada.text).toContain('others’ text goes on')
  expect([ada, bob, mallory].map(({ evictionReason }) => evictionReason)).toEqual([null, null, null])
  const stored = new RoomDoc()
  for (const update of (await fixture.store.load(id, 'body')).updates) Y.applyUpdate(stored, update)
  expect(fingerprint(stored)).toBe(fingerprint(bob.doc))
}

/** How many items Yjs compares to place others: it adds each of them to two sets. */
async function countComparisons(run: () => Promise<unknown>): Promise<number> {
  const { add } = Set.prototype
  let count = 0
  Set.prototype.add = function (this: Set<unknown>, value: unknown) {
    count += 1
    return add.call(this, value)
  }
  try {
    await run()
  } finally {
    Set.prototype.add = add
  }
  return count / 2
}

describe('[A6] an edit that is made to block everybody is refused before it does', () => {
  test.each<[what: string, make: () => Uint8Array, code: string]>([
    ['4,000 client ids without neighbours, 36 KB', () => manyClients(4_000), 'too-large'],
    ['1 MB of client ids without neighbours', () => manyClients(MiB / 9), 'too-large'],
    ['1,000 client ids without neighbours', () => manyClients(1_000), 'too-costly'],
    ['60 KB of one client with varied right neighbours', () => variedRightOrigins(60 * KiB), 'too-costly'],
    ['1 MB of the same', () => variedRightOrigins(MiB), 'too-costly'],
    ['60 KB of letters behind one', () => lettersBehindOne(60 * KiB), 'too-costly'],
    ['1 MB of the same', () => lettersBehindOne(MiB), 'too-costly'],
    ['1 MB of values of one key', () => valuesOfOneKey(MiB), 'too-costly'],
  ])('%s', async (_what, make, code) => {
    const scenario = await openScenario()
    const update = make()
    const { sequence } = await fixture.store.load(scenario.id, 'body')
    const compared = await countComparisons(async () => {
      expect((await refusalOf(scenario.mallory.send(update))).code).toBe(code)
    })
    expect(compared).toBeLessThan(200_000)
    expect((await fixture.store.load(scenario.id, 'body')).sequence).toBe(sequence)
    await expectOthersUnaffected(scenario)
  })

  test('in a busy room the edits beside it are saved', async () => {
    const { windows, id, owner } = await fixture.documentWithWindows(25)
    await Promise.all(windows.map((window) => window.type('.')))
    const { principal, token } = await fixture.linkPrincipalTo(id, 'editor', owner)
    const mallory = await RoomWindow.open(fixture.rooms, id, principal, new Y.Doc(), { token })
    const [ada, bob] = windows as [RoomWindow, RoomWindow]
    const sent = [ada.type('one'), refusalOf(mallory.send(variedRightOrigins(60 * KiB))), bob.type('two')]
    expect((await Promise.all(sent))[1]).toMatchObject({ code: 'too-costly' })
    await waitUntil(() => windows.every(({ text }) => text.includes('one') && text.includes('two')))
    expect(windows.every(({ evictionReason }) => evictionReason === null)).toBe(true)
  })

  test('a principal that repeats it is asked to wait, and nobody else is', async () => {
    const small = { atOnce: 200_000, perSecond: 10_000 }
    await using ownFixture = await openRoomsFixture({
      meter: new Meter({ rate: small, clock: { now: () => 0, after: () => () => {} } }),
    })
    const { ada, mallory } = await openScenario(ownFixture)
    const update = lettersBehindOne(60 * KiB)
    let reason = await refusalOf(mallory.send(update))
    while (reason.code === 'too-costly') reason = await refusalOf(mallory.send(update))
    expect(reason).toMatchObject({ code: 'overloaded', retryAfterMs: expect.any(Number) as number })
    await ada.type(' goes on')
  })
})

test('[A6] known text that is sent again is charged, however long it is', async () => {
  const meter = new Meter()
  await using ownFixture = await openRoomsFixture({ meter })
  const { windows } = await ownFixture.documentWithWindows(1)
  const [ada] = windows as [RoomWindow]
  const text = documentOf(2_000, 500)
  await ada.send(text)
  const charge = vi.spyOn(meter, 'charge')
  await ada.send(text)
  expect(charge.mock.calls.reduce((sum, [, units]) => sum + units, 0)).toBeGreaterThan(4_000)
})

test('[A6] client ids by the thousand make their writer wait, and nobody else', async () => {
  const few = { atOnce: 100, perSecond: 1 }
  await using ownFixture = await openRoomsFixture({
    clientIds: new ClientIdBudget(() => 0, few, { ...few, atOnce: 150 }),
  })
  const { id, ada, mallory } = await openScenario(ownFixture)
  await mallory.send(manyClients(90, 100))
  expect(await refusalOf(mallory.send(manyClients(20, 1_000)))).toMatchObject({
    code: 'overloaded',
    retryAfterMs: expect.any(Number) as number,
  })
  await mallory.type('under an id that is known')
  await ada.type(' goes on')
  const stored = await ownFixture.read(id)
  expect(stored.store.clients.has(1_000)).toBe(false)
})

test('[A6] an edit is answered and charged alike on a machine that is a thousand times slower', async () => {
  const charges = async (): Promise<[string, number]> => {
    const meter = new Meter()
    const charge = vi.spyOn(meter, 'charge')
    await using ownFixture = await openRoomsFixture({ meter })
    const { ada, mallory } = await openScenario(ownFixture)
    const offline = new Y.Doc()
    offline.clientID = 7 // decides where Yjs puts its letters beside others, and so what they are compared with
    await ada.send(writeOffline(offline, 2_000))
    const { detail = '' } = await refusalOf(mallory.send(variedRightOrigins(60 * KiB)))
    return [detail, charge.mock.calls.reduce((sum, [, units]) => sum + units, 0)]
  }
  const onThisMachine = await charges()
  let microseconds = 0
  const passSecond = () => ({ user: (microseconds += 1_000_000), system: 0 })
  using _threadClock = vi.spyOn(process, 'threadCpuUsage').mockImplementation(passSecond)
  using _clock = vi.spyOn(process, 'cpuUsage').mockImplementation(passSecond)
  expect(await charges()).toEqual(onThisMachine)
})

describe('[A6] an honest edit passes, however large', () => {
  test('a megabyte is pasted as one text, and as paragraphs', async () => {
    const { ada, bob } = await openScenario()
    await ada.type('x'.repeat(MiB))
    const paragraphs = documentOf(2_000, 500)
    await ada.send(paragraphs)
    await waitUntil(() => bob.doc.getXmlFragment('default').length === 2_000)
  })

  test.each([
    ['at the end', ''],
    ['before a last line', 'the last line'],
  ])('two windows write a thousand words each without a link, %s of one text', async (_where, end) => {
    const { id, owner, windows } = await fixture.documentWithWindows(1)
    const [ada] = windows as [RoomWindow]
    await ada.type(end)
    const doc = new Y.Doc()
    doc.clientID = ada.doc.clientID - 1 // Yjs puts his words before hers, with all of hers between them and the end
    const bob = await RoomWindow.open(fixture.rooms, id, owner, doc)
    const words = [ada, bob].map(({ doc }) => writeOffline(doc, 1_000))
    for (const [index, window] of [ada, bob].entries()) await window.send(words[index]!)
    await waitUntil(() => ada.text === bob.text && ada.text.length === 2_000 + end.length)
  })

  test.runIf(triesAll)('20 MB are imported first, and then all of it is deleted', async () => {
    const { windows, id } = await fixture.documentWithWindows(1)
    const [ada] = windows as [RoomWindow]
    await ada.send(documentOf(20_000, 1_000))
    const doc = new Y.Doc()
    Y.applyUpdate(doc, Y.mergeUpdates([...(await fixture.store.load(id, 'body')).updates]))
    const body = doc.getXmlFragment('default')
    expect(body.length).toBe(20_000)
    let update: Uint8Array = new Uint8Array()
    doc.on('update', (paragraphList: Uint8Array) => (update = paragraphList))
    body.delete(0, body.length)
    await ada.send(update)
  })
})

describe('[A6] while a long edit is integrated', () => {
  /** Each letter is before the last one, so Yjs merges none of them. */
  function lettersOf(count: number): Y.Doc {
    const doc = new Y.Doc()
    doc.transact(() => {
      for (let index = 0; index < count; index++) doc.getText('many').insert(0, 'x')
    })
    return doc
  }

  const many = ({ doc }: RoomWindow): number => doc.getText('many').length

  test('[D1] other documents take edits, a new member gets only what is on disk, and other edits of the document wait', async () => {
    const { id, owner, open, windows } = await fixture.documentWithWindows(1)
    const [ada] = windows as [RoomWindow]
    await ada.type('known')
    const [other, before] = [await fixture.documentWithWindows(1), await fixture.read(id)]
    const order: string[] = []
    const long = ada.send(Y.encodeStateAsUpdate(lettersOf(100_000))).then(() => order.push('the long one'))
    const typed = ada.type('typed behind it', 5).then(() => order.push('behind it'))
    const quick = other.windows[0]!.type('quick').then(() => order.push('another document'))
    const opened = Promise.all([open(), RoomWindow.open(fixture.rooms, id, owner, before)]).then((both) => {
      expect([0, 100_000]).toEqual(expect.arrayContaining(both.map(many)))
      return both
    })
    const [[carol, bob]] = await Promise.all([opened, long, typed, quick])
    expect(order).toEqual(['another document', 'the long one', 'behind it'])
    await waitUntil(() =>
      [carol, bob].every((window) => many(window) === 100_000 && window.text.includes('behind')),
    )
    expect(fingerprint(await fixture.read(id))).toBe(fingerprint(carol.doc))
  })

  test('the room’s close waits for it', async () => {
    await using ownFixture = await openRoomsFixture()
    const { id, windows } = await ownFixture.documentWithWindows(1)
    const saved = windows[0]!.send(Y.encodeStateAsUpdate(lettersOf(20_000)))
    await ownFixture.rooms.close()
    await saved
    expect((await ownFixture.read(id)).getText('many').length).toBe(20_000)
  })

  test('its refusal makes a worker build a large Y.Doc again, and its writer is charged for it', async () => {
    const meter = new Meter()
    const textWorkers = new TextWorkerPool()
    const charge = vi.spyOn(meter, 'charge')
    const pieces = vi.spyOn(textWorkers, 'pieces')
    await using ownFixture = await openRoomsFixture({ meter, textWorkers })
    const scenario = await openScenario(ownFixture)
    const { ada, bob, mallory } = scenario
    await ada.send(documentOf(3_000, 500))
    charge.mockClear()
    const refused = refusalOf(mallory.send(variedRightOrigins(60 * KiB)))
    const typed = [ada.type(' one'), bob.type(' two', 0)]
    const [{ code }] = await Promise.all([refused, ...typed])
    expect(code).toBe('too-costly')
    expect(charge.mock.calls.reduce((sum, [, units]) => sum + units, 0)).toBeGreaterThan(140_000)
    expect(pieces).toHaveBeenCalledTimes(1)
    await waitUntil(() => ada.text === bob.text)
    expect(ada.text).toBe(' twoothers’ text one')
    expect(fingerprint(await ownFixture.read(scenario.id))).toBe(fingerprint(bob.doc))
    expect([ada, bob, mallory].map(({ evictionReason }) => evictionReason)).toEqual([null, null, null])
  })
})
