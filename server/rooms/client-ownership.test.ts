import { describe, expect, test } from 'vitest'
import { Awareness, encodeAwarenessUpdate } from 'y-protocols/awareness'
import * as Y from 'yjs'
import { forgeStruct as forged, GC, STRING } from '../fixtures/forged-struct.ts'
import { RECOVERY_MS } from './client-owners.ts'
import {
  docOf,
  type RoomsFixture,
  openRoomsFixtureForFile,
  refusalOf,
  RoomWindow,
} from './fixtures/rooms-fixture.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { hasSameState } from './fixtures/editing-session.ts'
import { writeUpdate } from './fixtures/update-writer.ts'

let fixture: RoomsFixture
openRoomsFixtureForFile((opened) => (fixture = opened))

const STRING_BEHIND = 0x80 | STRING

const lettersOf = (text: string): number[] => [text.length, ...new TextEncoder().encode(text)]

const clockOf = ({ doc }: RoomWindow): number => Y.getState(doc.store, doc.clientID)

/** A document of Alice's, in which she and Mallory may write, each with a window on it. */
async function openForAliceAndMallory() {
  const { id, owner } = await fixture.document()
  const mallory = (await fixture.createPerson()).principal
  const { token } = await fixture.access.createShareLink(id, 'editor', owner)
  await fixture.access.redeemShareLink(mallory, id, token)
  const open = (principal = owner, doc?: Y.Doc) => RoomWindow.open(fixture.rooms, id, principal, doc)
  return { id, owner, mallory, open, aliceWindow: await open(), malloryWindow: await open(mallory) }
}

const expectSameText = async (id: string, ...windows: RoomWindow[]): Promise<void> => {
  const stored = await fixture.read(id)
  await waitUntil(() => windows.every(({ doc }) => hasSameState(doc, stored)))
}

describe('[A5] new structs under somebody else’s client id are refused', () => {
  test.each<[what: string, struct: (number | [number])[]]>([
    ['letters called deleted', [GC, 100_000]],
    ['a deleted item', [[0x80 | 1], 7, 0, 100_000]],
    ['text', [[STRING], 1, ...lettersOf('trace'), ...lettersOf('mine')]],
  ])('%s at the next clock; she goes on typing, and everybody has it', async (_what, struct) => {
    const { id, aliceWindow, malloryWindow } = await openForAliceAndMallory()
    await aliceWindow.type('hello')
    const aimed = struct.map((part) => (part === 7 ? aliceWindow.doc.clientID : part))
    const refused = await refusalOf(
      malloryWindow.send(forged(aliceWindow.doc.clientID, clockOf(aliceWindow), ...aimed)),
    )
    expect(refused).toMatchObject({ code: 'taken' })
    await aliceWindow.type(' world, typed later')
    await expectSameText(id, aliceWindow, malloryWindow)
    expect(malloryWindow.text).toBe('hello world, typed later')
  })

  test('nothing of such an edit is stored, not even text of the writer’s own', async () => {
    const { id, aliceWindow, malloryWindow } = await openForAliceAndMallory()
    await aliceWindow.type('hello')
    await waitUntil(() => malloryWindow.text === 'hello')
    const copy = new Y.Doc()
    Y.applyUpdate(copy, Y.encodeStateAsUpdate(malloryWindow.doc))
    const before = Y.encodeStateVector(copy)
    copy.getText('trace').insert(0, 'mine ')
    const under = new Y.Doc()
    Y.applyUpdate(under, Y.encodeStateAsUpdate(copy))
    under.clientID = aliceWindow.doc.clientID
    under.getText('trace').insert(0, 'forged ')
    expect(await refusalOf(malloryWindow.send(Y.encodeStateAsUpdate(under, before)))).toMatchObject({
      code: 'taken',
    })
    await expectSameText(id, aliceWindow)
    expect(aliceWindow.text).toBe('hello')
  })

  test('an announced id is reserved before it is used, and after its window left', async () => {
    const { id, owner, aliceWindow, malloryWindow } = await openForAliceAndMallory()
    const squat = forged(aliceWindow.doc.clientID, 0, GC, 1)
    expect(await refusalOf(malloryWindow.send(squat))).toMatchObject({ code: 'taken' })
    aliceWindow.membership.leave()
    expect(await refusalOf(malloryWindow.send(squat))).toMatchObject({ code: 'taken' })
    const back = new RoomWindow(aliceWindow.doc)
    await back.join(fixture.rooms, id, owner)
    await back.type('mine')
    await expectSameText(id, back, malloryWindow)
  })

  test('nobody shows a window under the id of one that is away', async () => {
    const { windows, id, owner } = await fixture.documentWithWindows(2)
    const [ada, bob] = windows as [RoomWindow, RoomWindow]
    const viewer = await fixture.linkPrincipalTo(id, 'viewer', owner)
    const eve = await RoomWindow.open(fixture.rooms, id, viewer.principal, new Y.Doc(), {
      token: viewer.token,
    })
    const stateUnder = (client: number): Uint8Array => {
      const awareness = new Awareness(Object.assign(new Y.Doc(), { clientID: client }))
      awareness.setLocalState({ user: { name: 'Eve' } })
      const update = encodeAwarenessUpdate(awareness, [client])
      awareness.destroy()
      return update
    }
    const shown = (): number => ada.presence.filter(({ whole }) => !whole).length
    await bob.type('bob')
    bob.membership.leave()
    eve.membership.sendPresence(stateUnder(bob.doc.clientID))
    await ada.type('ada')
    expect(shown()).toBe(0)
    eve.membership.sendPresence(stateUnder(eve.doc.clientID))
    await waitUntil(() => shown() > 0)
  })

  test('a window that announces somebody else’s id gets a refusal', async () => {
    const { id, mallory, aliceWindow } = await openForAliceAndMallory()
    const doc = Object.assign(new Y.Doc(), { clientID: aliceWindow.doc.clientID })
    const entering = new RoomWindow(doc).join(fixture.rooms, id, mallory)
    expect(await refusalOf(entering)).toMatchObject({ code: 'taken' })
  })

  test('a window that changes to such an id within the room gets one too', async () => {
    const { aliceWindow, malloryWindow } = await openForAliceAndMallory()
    const resyncUnder = (client: number) => malloryWindow.membership.resync(new Map(), client)
    expect(await refusalOf(resyncUnder(aliceWindow.doc.clientID))).toMatchObject({ code: 'taken' })
    await resyncUnder(77)
    expect(await refusalOf(aliceWindow.send(forged(77, 0, GC, 1)))).toMatchObject({ code: 'taken' })
  })

  test('nobody writes under an id of the server’s', async () => {
    const { id, owner, aliceWindow } = await openForAliceAndMallory()
    await fixture.rooms.edit(id, 'body', owner, (doc) => doc.getText('trace').insert(0, 'by the server'))
    await waitUntil(() => aliceWindow.text === 'by the server')
    const [servers] = Y.decodeStateVector(Y.encodeStateVector(aliceWindow.doc)).entries().next().value!
    const update = forged(servers, aliceWindow.text.length, GC, 1)
    expect(await refusalOf(aliceWindow.send(update))).toMatchObject({ code: 'taken' })
  })

  test('a restart of the server keeps the owners', async () => {
    const before = fixture.openRooms()
    const { id, owner } = await fixture.document()
    const { principal: mallory } = await fixture.linkPrincipalTo(id, 'editor', owner)
    const aliceWindow = await RoomWindow.open(before, id, owner)
    await aliceWindow.type('hello')
    await before.close()

    const after = fixture.openRooms()
    const malloryWindow = await RoomWindow.open(after, id, mallory)
    const update = forged(aliceWindow.doc.clientID, 5, GC, 1)
    expect(await refusalOf(malloryWindow.send(update))).toMatchObject({ code: 'taken' })
    const back = await RoomWindow.open(after, id, owner, aliceWindow.doc)
    await back.type(' again')
    await waitUntil(() => malloryWindow.text === 'hello again')
    await after.close()
  })
})

describe('[A5] the same principal may', () => {
  test('[W2] bring what another of its windows wrote', async () => {
    const { id, aliceWindow, open } = await openForAliceAndMallory()
    const second = await open()
    aliceWindow.doc.getText('trace').insert(0, 'from the first')
    Y.applyUpdate(second.doc, Y.encodeStateAsUpdate(aliceWindow.doc)) // as windows of a browser exchange edits
    second.doc.getText('trace').insert(0, '!')
    await second.send(Y.encodeStateAsUpdate(second.doc))
    await aliceWindow.send(Y.encodeStateAsUpdate(aliceWindow.doc)) // which the server had already
    await expectSameText(id, aliceWindow, second)
    expect(second.text).toBe('!from the first')
  })

  test('send text of a former page load, and continue under its id', async () => {
    const { id, aliceWindow, malloryWindow, open } = await openForAliceAndMallory()
    await aliceWindow.type('saved')
    aliceWindow.doc.getText('trace').insert(5, ', unsent')
    aliceWindow.membership.leave()
    const reloaded = new Y.Doc()
    Y.applyUpdate(reloaded, Y.encodeStateAsUpdate(aliceWindow.doc))
    const next = await open(undefined, reloaded)
    await next.send(Y.encodeStateAsUpdate(reloaded))
    await expectSameText(id, next, malloryWindow)
    expect(malloryWindow.text).toBe('saved, unsent')
  })

  test('send that letters of its own were deleted before they were sent', async () => {
    const { id, aliceWindow, malloryWindow } = await openForAliceAndMallory()
    const text = aliceWindow.doc.getText('trace')
    text.insert(0, 'x'.repeat(100_000))
    text.delete(0, 100_000)
    text.insert(0, 'kept')
    await aliceWindow.send(Y.encodeStateAsUpdate(aliceWindow.doc))
    await expectSameText(id, aliceWindow, malloryWindow)
    expect(malloryWindow.text).toBe('kept')
  })
})

describe('[A5] an edit that repeats known text', () => {
  test('is accepted if its content is the same, however it is cut', async () => {
    const { id, aliceWindow, malloryWindow } = await openForAliceAndMallory()
    for (const letter of 'hello') await aliceWindow.type(letter)
    aliceWindow.doc.getText('trace').insert(5, ' world')
    await aliceWindow.send(Y.encodeStateAsUpdate(aliceWindow.doc))
    await aliceWindow.send(Y.encodeStateAsUpdate(aliceWindow.doc))
    aliceWindow.doc.getText('trace').delete(1, 3)
    await aliceWindow.send(Y.encodeStateAsUpdate(aliceWindow.doc))
    await expectSameText(id, aliceWindow, malloryWindow)
    expect(malloryWindow.text).toBe('ho world')
  })

  test.each<[what: string, of: (client: number) => Uint8Array]>([
    ['other letters', (client) => forged(client, 0, [STRING], 1, ...lettersOf('trace'), ...lettersOf('jello'))],
    ['the same and others behind', (client) => forged(client, 0, [STRING], 1, ...lettersOf('trace'), ...lettersOf('hellO world'))],
    ['the same in another place', (client) => forged(client, 0, [STRING], 1, ...lettersOf('title'), ...lettersOf('hello'))],
    ['the same behind something else', (client) => forged(client, 3, [STRING_BEHIND], client, 0, ...lettersOf('lo'))],
    ['another kind of content', (client) => forged(client, 0, [8], 1, ...lettersOf('trace'), 1, [0x7e])],
    ['letters called deleted that nobody deleted', (client) => forged(client, 0, GC, 5)],
  ])('is refused if its content differs: %s', async (_what, of) => {
    const { id, aliceWindow, malloryWindow } = await openForAliceAndMallory()
    await aliceWindow.type('hello')
    for (const window of [malloryWindow, aliceWindow]) {
      expect(await refusalOf(window.send(of(aliceWindow.doc.clientID)))).toMatchObject({
        code: 'bad-update',
        detail: expect.stringContaining('known with other content'),
      })
    }
    await expectSameText(id, aliceWindow, malloryWindow)
  }) // prettier-ignore

  test('is compared with text on its way to the disk too', async () => {
    const { aliceWindow } = await openForAliceAndMallory()
    fixture.store.hold()
    const typing = aliceWindow.type('hello')
    const other = forged(
      aliceWindow.doc.clientID,
      0,
      [STRING],
      1,
      ...lettersOf('trace'),
      ...lettersOf('jello'),
    )
    expect(await refusalOf(aliceWindow.send(other))).toMatchObject({ code: 'bad-update' })
    fixture.store.release()
    await typing
  })

  test('may hold a letter of two code units that was cut in half', async () => {
    const { id, aliceWindow, malloryWindow } = await openForAliceAndMallory()
    await aliceWindow.type('a😀b')
    await waitUntil(() => malloryWindow.text === 'a😀b')
    const doc = new Y.Doc()
    Y.applyUpdate(doc, Y.encodeStateAsUpdate(malloryWindow.doc))
    doc.clientID = malloryWindow.doc.clientID
    doc.getText('trace').insert(2, '|')
    await malloryWindow.send(Y.encodeStateAsUpdate(doc))
    await expectSameText(id, aliceWindow)
  })
})

test('[A5] an id without an owner belongs to whoever uses it next', async () => {
  const { id, owner } = await fixture.document()
  const old = docOf('of an older store')
  const edit = { document: id, part: 'body', principal: owner.id, session: 's', number: 1 } as const
  await fixture.store.append([{ ...edit, update: Y.encodeStateAsUpdate(old), clients: [old.clientID] }])
  const back = await RoomWindow.open(fixture.rooms, id, owner, old)
  await back.type('!')
  const other = await RoomWindow.open(fixture.rooms, id, owner)
  await waitUntil(() => other.text === 'of an older store!')
})

describe('[A5] after a restore of the store', () => {
  /** The state after a restore: Alice's id is known up to 'kept', and Bob's replica has all that she wrote. */
  async function openRestoredRooms(restoredAt = Date.now()) {
    const { id, owner } = await fixture.document()
    const { principal: bob } = await fixture.linkPrincipalTo(id, 'editor', owner)
    const before = fixture.openRooms()
    const aliceWindow = await RoomWindow.open(before, id, owner)
    await aliceWindow.type('kept')
    await before.close()
    await fixture.db.updateTable('clients').set({ recoverable: 1 }).execute()
    aliceWindow.doc.getText('trace').insert(4, ' lost')
    const replica = new Y.Doc()
    Y.applyUpdate(replica, Y.encodeStateAsUpdate(aliceWindow.doc))
    replica.getText('trace').insert(9, ', by Bob too')
    const recoveredDocuments: string[] = []
    const rooms = fixture.openRooms({
      restoredAt,
      onRecovered: (document) => recoveredDocuments.push(document),
    })
    return { id, owner, bob, rooms, recoveredDocuments, aliceWindow, replica }
  }

  test('another editor brings back what it lost, and onRecovered is called once for the document', async () => {
    const { id, bob, rooms, recoveredDocuments, replica } = await openRestoredRooms()
    const bobWindow = await RoomWindow.open(rooms, id, bob, replica)
    await bobWindow.send(Y.encodeStateAsUpdate(replica))
    await expectSameText(id, bobWindow)
    expect(bobWindow.text).toBe('kept lost, by Bob too')
    expect(recoveredDocuments).toEqual([id])
    await rooms.close()
  })

  test('its owner may come at the same time, before or after, and continues under its id', async () => {
    const { id, owner, bob, rooms, aliceWindow, replica } = await openRestoredRooms()
    const back = await RoomWindow.open(rooms, id, owner, aliceWindow.doc)
    const bobWindow = await RoomWindow.open(rooms, id, bob, replica)
    await bobWindow.send(Y.encodeStateAsUpdate(replica))
    await back.send(Y.encodeStateAsUpdate(aliceWindow.doc))
    await back.type(', again')
    await expectSameText(id, bobWindow, back)
    await rooms.close()
  })

  test('an id that the backup never had may come back with anybody, and stays its owner’s', async () => {
    const { id, owner, bob, rooms } = await openRestoredRooms()
    const lost = docOf('unknown to the backup')
    const replica = new Y.Doc()
    Y.applyUpdate(replica, Y.encodeStateAsUpdate(lost))
    const aliceWindow = await RoomWindow.open(rooms, id, owner, lost)
    const bobWindow = await RoomWindow.open(rooms, id, bob, replica)
    await bobWindow.send(Y.encodeStateAsUpdate(replica))
    await aliceWindow.type('!')
    expect(await refusalOf(bobWindow.send(forged(lost.clientID, clockOf(aliceWindow), GC, 1)))).toMatchObject(
      {
        code: 'taken',
      },
    )
    await rooms.close()
  })

  test('when its owner has written under an id again, nobody else may', async () => {
    const { id, owner, bob, rooms, aliceWindow } = await openRestoredRooms()
    const back = await RoomWindow.open(rooms, id, owner, aliceWindow.doc)
    await back.send(Y.encodeStateAsUpdate(aliceWindow.doc))
    await rooms.close()
    const later = fixture.openRooms({ restoredAt: Date.now() })
    const bobWindow = await RoomWindow.open(later, id, bob)
    const update = forged(aliceWindow.doc.clientID, clockOf(back), GC, 1)
    expect(await refusalOf(bobWindow.send(update))).toMatchObject({ code: 'taken' })
    await later.close()
  })

  test('a window that opens later is as safe as before', async () => {
    const { id, owner, bob, rooms } = await openRestoredRooms()
    const fresh = await RoomWindow.open(rooms, id, owner)
    const bobWindow = await RoomWindow.open(rooms, id, bob)
    const forge = (clock: number) => refusalOf(bobWindow.send(forged(fresh.doc.clientID, clock, GC, 1)))
    expect(await forge(0)).toMatchObject({ code: 'taken' })
    await fresh.type('!')
    expect(await forge(1)).toMatchObject({ code: 'taken' })
    await rooms.close()
  })

  test('the recovery ends', async () => {
    const { id, bob, rooms, replica } = await openRestoredRooms(Date.now() - RECOVERY_MS)
    const bobWindow = await RoomWindow.open(rooms, id, bob, replica)
    expect(await refusalOf(bobWindow.send(Y.encodeStateAsUpdate(replica)))).toMatchObject({ code: 'taken' })
    await rooms.close()
  })
})

test('[A5] in a busy room an id whose first edit is refused is claimed by the one that is stored', async () => {
  const { id, owner, windows } = await fixture.documentWithWindows(25)
  await windows[0]!.type('.')
  const { principal } = await fixture.createPerson()
  const { token } = await fixture.access.createShareLink(id, 'editor', owner)
  await fixture.access.redeemShareLink(principal, id, token)
  const mallory = await RoomWindow.open(fixture.rooms, id, principal)
  const client = mallory.doc.clientID
  // One neighbour is not to the right of the other, which only the document shows.
  const root = { client: windows[0]!.doc.clientID, clock: 0 }
  const letter = { content: { kind: 'string', text: 'x' }, parent: 'trace', key: null } as const
  const structs = [{ ...letter, origin: root, rightOrigin: root }]
  const refused = writeUpdate({ runs: [{ client, clock: 0, structs }], deletions: [] })
  expect((await refusalOf(mallory.send(refused))).code).toBe('bad-update')
  await mallory.type('x')
  expect((await fixture.store.load(id, 'body')).owners?.get(client)).toBe(principal.id)
})
