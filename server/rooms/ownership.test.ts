import { describe, expect, test } from 'vitest'
import { Awareness, encodeAwarenessUpdate } from 'y-protocols/awareness'
import * as Y from 'yjs'
import { forgedStruct as forged, GC, STRING } from '../fixtures/forged.ts'
import { RECOVERY_MS } from './client-owners.ts'
import { docOf, type House, houseForFile, refusalOf, until, Window } from './fixtures/house.ts'
import { same } from './fixtures/typing.ts'
import { writeUpdate } from './fixtures/update-writer.ts'

let house: House
houseForFile((opened) => (house = opened))

const STRING_BEHIND = 0x80 | STRING

const lettersOf = (text: string): number[] => [text.length, ...new TextEncoder().encode(text)]

const clockOf = ({ doc }: Window): number => Y.getState(doc.store, doc.clientID)

/** A document of Alice's, in which she and Mallory may write, each with a window on it. */
async function aliceAndMallory() {
  const { id, owner } = await house.document()
  const mallory = (await house.person()).principal
  const { token } = await house.access.createLink(id, 'editor', owner)
  await house.access.redeem(mallory, id, token)
  const open = (principal = owner, doc?: Y.Doc) => Window.open(house.rooms, id, principal, doc)
  return { id, owner, mallory, open, alices: await open(), mallorys: await open(mallory) }
}

const saysTheSame = async (id: string, ...windows: Window[]): Promise<void> => {
  const stored = await house.read(id)
  await until(() => windows.every(({ doc }) => same(doc, stored)))
}

describe('[A5] new structs under somebody else’s client id are refused', () => {
  test.each<[what: string, struct: (number | [number])[]]>([
    ['letters called deleted', [GC, 100_000]],
    ['a deleted item', [[0x80 | 1], 7, 0, 100_000]],
    ['text', [[STRING], 1, ...lettersOf('trace'), ...lettersOf('mine')]],
  ])('%s at the next clock; she goes on typing, and everybody has it', async (_what, struct) => {
    const { id, alices, mallorys } = await aliceAndMallory()
    await alices.type('hello')
    const aimed = struct.map((part) => (part === 7 ? alices.doc.clientID : part))
    const refused = await refusalOf(mallorys.send(forged(alices.doc.clientID, clockOf(alices), ...aimed)))
    expect(refused).toMatchObject({ code: 'taken' })
    await alices.type(' world, typed later')
    await saysTheSame(id, alices, mallorys)
    expect(mallorys.text).toBe('hello world, typed later')
  })

  test('nothing of an edit is stored that brings text of one’s own as well', async () => {
    const { id, alices, mallorys } = await aliceAndMallory()
    await alices.type('hello')
    await until(() => mallorys.text === 'hello')
    const copy = new Y.Doc()
    Y.applyUpdate(copy, Y.encodeStateAsUpdate(mallorys.doc))
    const before = Y.encodeStateVector(copy)
    copy.getText('trace').insert(0, 'mine ')
    const under = new Y.Doc()
    Y.applyUpdate(under, Y.encodeStateAsUpdate(copy))
    under.clientID = alices.doc.clientID
    under.getText('trace').insert(0, 'forged ')
    expect(await refusalOf(mallorys.send(Y.encodeStateAsUpdate(under, before)))).toMatchObject({
      code: 'taken',
    })
    await saysTheSame(id, alices)
    expect(alices.text).toBe('hello')
  })

  test('an id that was announced is kept before it is used, and after its window left', async () => {
    const { id, owner, alices, mallorys } = await aliceAndMallory()
    const squat = forged(alices.doc.clientID, 0, GC, 1)
    expect(await refusalOf(mallorys.send(squat))).toMatchObject({ code: 'taken' })
    alices.room.leave()
    expect(await refusalOf(mallorys.send(squat))).toMatchObject({ code: 'taken' })
    const back = new Window(alices.doc)
    await back.join(house.rooms, id, owner)
    await back.type('mine')
    await saysTheSame(id, back, mallorys)
  })

  test('nobody shows a window under the id of one that is away', async () => {
    const { windows, id, owner } = await house.shared(2)
    const [ada, bob] = windows as [Window, Window]
    const viewer = await house.linkedTo(id, 'viewer', owner)
    const eve = await Window.open(house.rooms, id, viewer.principal, new Y.Doc(), { token: viewer.token })
    const stateUnder = (client: number): Uint8Array => {
      const awareness = new Awareness(Object.assign(new Y.Doc(), { clientID: client }))
      awareness.setLocalState({ user: { name: 'Eve' } })
      const update = encodeAwarenessUpdate(awareness, [client])
      awareness.destroy()
      return update
    }
    const shown = (): number => ada.presence.filter(({ whole }) => !whole).length
    await bob.type('bob')
    bob.room.leave()
    eve.room.presence(stateUnder(bob.doc.clientID))
    await ada.type('ada')
    expect(shown()).toBe(0)
    eve.room.presence(stateUnder(eve.doc.clientID))
    await until(() => shown() > 0)
  })

  test('who announces somebody else’s id is told so', async () => {
    const { id, mallory, alices } = await aliceAndMallory()
    const doc = Object.assign(new Y.Doc(), { clientID: alices.doc.clientID })
    const entering = new Window(doc).join(house.rooms, id, mallory)
    expect(await refusalOf(entering)).toMatchObject({ code: 'taken' })
  })

  test('so is who comes to another id while in the room', async () => {
    const { alices, mallorys } = await aliceAndMallory()
    const anew = (client: number) => mallorys.room.resync(Y.encodeStateVector(mallorys.doc), client)
    expect(() => anew(alices.doc.clientID)).toThrow('somebody else')
    anew(77)
    expect(await refusalOf(alices.send(forged(77, 0, GC, 1)))).toMatchObject({ code: 'taken' })
  })

  test('nobody writes under an id of the server’s', async () => {
    const { id, owner, alices } = await aliceAndMallory()
    await house.rooms.edit(id, 'body', owner, (doc) => doc.getText('trace').insert(0, 'by the server'))
    await until(() => alices.text === 'by the server')
    const [servers] = Y.decodeStateVector(Y.encodeStateVector(alices.doc)).entries().next().value!
    const update = forged(servers, alices.text.length, GC, 1)
    expect(await refusalOf(alices.send(update))).toMatchObject({ code: 'taken' })
  })

  test('a restart of the server keeps the owners', async () => {
    const before = house.openRooms()
    const { id, owner } = await house.document()
    const { principal: mallory } = await house.linkedTo(id, 'editor', owner)
    const alices = await Window.open(before, id, owner)
    await alices.type('hello')
    await before.close()

    const after = house.openRooms()
    const mallorys = await Window.open(after, id, mallory)
    const update = forged(alices.doc.clientID, 5, GC, 1)
    expect(await refusalOf(mallorys.send(update))).toMatchObject({ code: 'taken' })
    const back = await Window.open(after, id, owner, alices.doc)
    await back.type(' again')
    await until(() => mallorys.text === 'hello again')
    await after.close()
  })
})

describe('[A5] the same principal may', () => {
  test('[W2] bring what another of its windows wrote', async () => {
    const { id, alices, open } = await aliceAndMallory()
    const second = await open()
    alices.doc.getText('trace').insert(0, 'from the first')
    Y.applyUpdate(second.doc, Y.encodeStateAsUpdate(alices.doc)) // as windows of a browser hear each other
    second.doc.getText('trace').insert(0, '!')
    await second.send(Y.encodeStateAsUpdate(second.doc))
    await alices.send(Y.encodeStateAsUpdate(alices.doc)) // which it had already
    await saysTheSame(id, alices, second)
    expect(second.text).toBe('!from the first')
  })

  test('send text of a former page load, and go on under its id', async () => {
    const { id, alices, mallorys, open } = await aliceAndMallory()
    await alices.type('saved')
    alices.doc.getText('trace').insert(5, ', unsent')
    alices.room.leave()
    const reloaded = new Y.Doc()
    Y.applyUpdate(reloaded, Y.encodeStateAsUpdate(alices.doc))
    const next = await open(undefined, reloaded)
    await next.send(Y.encodeStateAsUpdate(reloaded))
    await saysTheSame(id, next, mallorys)
    expect(mallorys.text).toBe('saved, unsent')
  })

  test('say that letters of its own were deleted before they were sent', async () => {
    const { id, alices, mallorys } = await aliceAndMallory()
    const text = alices.doc.getText('trace')
    text.insert(0, 'x'.repeat(100_000))
    text.delete(0, 100_000)
    text.insert(0, 'kept')
    await alices.send(Y.encodeStateAsUpdate(alices.doc))
    await saysTheSame(id, alices, mallorys)
    expect(mallorys.text).toBe('kept')
  })
})

describe('[A5] an edit that repeats known text', () => {
  test('is taken where it says the same, however it is cut', async () => {
    const { id, alices, mallorys } = await aliceAndMallory()
    for (const letter of 'hello') await alices.type(letter)
    alices.doc.getText('trace').insert(5, ' world')
    await alices.send(Y.encodeStateAsUpdate(alices.doc))
    await alices.send(Y.encodeStateAsUpdate(alices.doc))
    alices.doc.getText('trace').delete(1, 3)
    await alices.send(Y.encodeStateAsUpdate(alices.doc))
    await saysTheSame(id, alices, mallorys)
    expect(mallorys.text).toBe('ho world')
  })

  test.each<[what: string, of: (client: number) => Uint8Array]>([
    ['other letters', (client) => forged(client, 0, [STRING], 1, ...lettersOf('trace'), ...lettersOf('jello'))],
    ['the same and others behind', (client) => forged(client, 0, [STRING], 1, ...lettersOf('trace'), ...lettersOf('hellO world'))],
    ['the same in another place', (client) => forged(client, 0, [STRING], 1, ...lettersOf('title'), ...lettersOf('hello'))],
    ['the same behind something else', (client) => forged(client, 3, [STRING_BEHIND], client, 0, ...lettersOf('lo'))],
    ['another kind of content', (client) => forged(client, 0, [8], 1, ...lettersOf('trace'), 1, [0x7e])],
    ['letters called deleted that nobody deleted', (client) => forged(client, 0, GC, 5)],
  ])('is refused where it says something else: %s', async (_what, of) => {
    const { id, alices, mallorys } = await aliceAndMallory()
    await alices.type('hello')
    for (const window of [mallorys, alices]) {
      expect(await refusalOf(window.send(of(alices.doc.clientID)))).toMatchObject({
        code: 'bad-update',
        detail: expect.stringContaining('known with other content'),
      })
    }
    await saysTheSame(id, alices, mallorys)
  }) // prettier-ignore

  test('and text on its way to the disk counts as known', async () => {
    const { alices } = await aliceAndMallory()
    house.store.hold()
    const typing = alices.type('hello')
    const other = forged(alices.doc.clientID, 0, [STRING], 1, ...lettersOf('trace'), ...lettersOf('jello'))
    expect(await refusalOf(alices.send(other))).toMatchObject({ code: 'bad-update' })
    house.store.release()
    await typing
  })

  test('a letter of two code units that was cut in half is the same letter', async () => {
    const { id, alices, mallorys } = await aliceAndMallory()
    await alices.type('a😀b')
    await until(() => mallorys.text === 'a😀b')
    const doc = new Y.Doc()
    Y.applyUpdate(doc, Y.encodeStateAsUpdate(mallorys.doc))
    doc.clientID = mallorys.doc.clientID
    doc.getText('trace').insert(2, '|')
    await mallorys.send(Y.encodeStateAsUpdate(doc))
    await saysTheSame(id, alices)
  })
})

test('[A5] ids that nobody is known to own are whose who uses them next', async () => {
  const { id, owner } = await house.document()
  const old = docOf('of an older store')
  const edit = { document: id, part: 'body', principal: owner.id, session: 's', number: 1 } as const
  await house.store.append([{ ...edit, update: Y.encodeStateAsUpdate(old), clients: [old.clientID] }])
  const back = await Window.open(house.rooms, id, owner, old)
  await back.type('!')
  const other = await Window.open(house.rooms, id, owner)
  await until(() => other.text === 'of an older store!')
})

describe('[A5] after a restore of the store', () => {
  /** What a restore leaves: Alice's id is known up to 'kept', and Bob's replica has all that she wrote. */
  async function restored(restoredAt = Date.now()) {
    const { id, owner } = await house.document()
    const { principal: bob } = await house.linkedTo(id, 'editor', owner)
    const before = house.openRooms()
    const alices = await Window.open(before, id, owner)
    await alices.type('kept')
    await before.close()
    await house.db.updateTable('clients').set({ recoverable: 1 }).execute()
    alices.doc.getText('trace').insert(4, ' lost')
    const replica = new Y.Doc()
    Y.applyUpdate(replica, Y.encodeStateAsUpdate(alices.doc))
    replica.getText('trace').insert(9, ', by Bob too')
    const told: string[] = []
    const rooms = house.openRooms({ restoredAt, onRecovered: (document) => told.push(document) })
    return { id, owner, bob, rooms, told, alices, replica }
  }

  test('another editor brings back what it lost, and the document’s people are told once', async () => {
    const { id, bob, rooms, told, replica } = await restored()
    const bobs = await Window.open(rooms, id, bob, replica)
    await bobs.send(Y.encodeStateAsUpdate(replica))
    await saysTheSame(id, bobs)
    expect(bobs.text).toBe('kept lost, by Bob too')
    expect(told).toEqual([id])
    await rooms.close()
  })

  test('its owner may come at the same time, before or after, and goes on under its id', async () => {
    const { id, owner, bob, rooms, alices, replica } = await restored()
    const back = await Window.open(rooms, id, owner, alices.doc)
    const bobs = await Window.open(rooms, id, bob, replica)
    await bobs.send(Y.encodeStateAsUpdate(replica))
    await back.send(Y.encodeStateAsUpdate(alices.doc))
    await back.type(', again')
    await saysTheSame(id, bobs, back)
    await rooms.close()
  })

  test('an id that the backup never knew comes back with anybody, and stays its owner’s', async () => {
    const { id, owner, bob, rooms } = await restored()
    const lost = docOf('unknown to the backup')
    const replica = new Y.Doc()
    Y.applyUpdate(replica, Y.encodeStateAsUpdate(lost))
    const alices = await Window.open(rooms, id, owner, lost)
    const bobs = await Window.open(rooms, id, bob, replica)
    await bobs.send(Y.encodeStateAsUpdate(replica))
    await alices.type('!')
    expect(await refusalOf(bobs.send(forged(lost.clientID, clockOf(alices), GC, 1)))).toMatchObject({
      code: 'taken',
    })
    await rooms.close()
  })

  test('once its owner wrote under an id again, nobody else does', async () => {
    const { id, owner, bob, rooms, alices } = await restored()
    const back = await Window.open(rooms, id, owner, alices.doc)
    await back.send(Y.encodeStateAsUpdate(alices.doc))
    await rooms.close()
    const later = house.openRooms({ restoredAt: Date.now() })
    const bobs = await Window.open(later, id, bob)
    const update = forged(alices.doc.clientID, clockOf(back), GC, 1)
    expect(await refusalOf(bobs.send(update))).toMatchObject({ code: 'taken' })
    await later.close()
  })

  test('a window that opens later is as safe as ever', async () => {
    const { id, owner, bob, rooms } = await restored()
    const fresh = await Window.open(rooms, id, owner)
    const bobs = await Window.open(rooms, id, bob)
    const forge = (clock: number) => refusalOf(bobs.send(forged(fresh.doc.clientID, clock, GC, 1)))
    expect(await forge(0)).toMatchObject({ code: 'taken' })
    await fresh.type('!')
    expect(await forge(1)).toMatchObject({ code: 'taken' })
    await rooms.close()
  })

  test('that ends', async () => {
    const { id, bob, rooms, replica } = await restored(Date.now() - RECOVERY_MS)
    const bobs = await Window.open(rooms, id, bob, replica)
    expect(await refusalOf(bobs.send(Y.encodeStateAsUpdate(replica)))).toMatchObject({ code: 'taken' })
    await rooms.close()
  })
})

test('[A5] in a busy room an id whose first edit is refused is claimed by the one that is stored', async () => {
  const { id, owner, windows } = await house.shared(25)
  await windows[0]!.type('.')
  const { principal } = await house.person()
  const { token } = await house.access.createLink(id, 'editor', owner)
  await house.access.redeem(principal, id, token)
  const mallory = await Window.open(house.rooms, id, principal)
  const client = mallory.doc.clientID
  // One neighbour is not right of the other, which only the document knows.
  const root = { client: windows[0]!.doc.clientID, clock: 0 }
  const letter = { content: { kind: 'string', text: 'x' }, parent: 'trace', key: null } as const
  const structs = [{ ...letter, origin: root, rightOrigin: root }]
  const refused = writeUpdate({ runs: [{ client, clock: 0, structs }], deletions: [] })
  expect((await refusalOf(mallory.send(refused))).code).toBe('bad-update')
  await mallory.type('x')
  expect((await house.store.load(id, 'body')).owners?.get(client)).toBe(principal.id)
})
