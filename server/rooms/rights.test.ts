import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import { type RoomsFixture, openRoomsFixture, refusalOf, RoomWindow } from './fixtures/rooms-fixture.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'

let fixture: RoomsFixture

beforeAll(async () => {
  fixture = await openRoomsFixture()
})
afterAll(() => fixture[Symbol.asyncDispose]())

async function openSharedDocument(role: 'viewer' | 'editor') {
  const { id, owner } = await fixture.document()
  const link = await fixture.linkPrincipalTo(id, role, owner)
  const ada = await RoomWindow.open(fixture.rooms, id, owner)
  const guest = await RoomWindow.open(fixture.rooms, id, link.principal)
  return { id, owner, link, ada, guest }
}

test('[A4] a viewer receives edits, and its own is refused with a reason; nothing is stored', async () => {
  const { id, ada, guest } = await openSharedDocument('viewer')
  await ada.type('read me')
  await waitUntil(() => guest.text === 'read me')
  expect(guest.roles).toEqual(['viewer'])
  expect(await refusalOf(guest.type('scribble'))).toMatchObject({
    code: 'forbidden',
    detail: expect.any(String),
  })
  expect((await fixture.read(id)).getText('trace').toJSON()).toBe('read me')
  expect(ada.text).toBe('read me')
})

test('[A4] a member that lost its role is evicted at once and receives nothing more', async () => {
  const { id, owner, link, ada, guest } = await openSharedDocument('editor')
  await guest.type('while I may')
  await fixture.access.revokeShareLink(id, link.id, owner)
  await waitUntil(() => guest.evictionReason !== null)
  expect(guest.evictionReason).toEqual({ code: 'forbidden' })
  expect(ada.evictionReason).toBeNull()
  await ada.type(', and more')
  expect(guest.text).toBe('while I may')
  expect((await refusalOf(guest.type('too late'))).code).toBe('overloaded')
  expect((await fixture.read(id)).getText('trace').toJSON()).toBe('while I may, and more')
})

test('[A4] a changed role is sent, and holds for the next message', async () => {
  const { id, owner } = await fixture.document()
  const { principal } = await fixture.createPerson()
  const [viewing, editing] = [
    await fixture.access.createShareLink(id, 'viewer', owner),
    await fixture.access.createShareLink(id, 'editor', owner),
  ]
  await fixture.access.redeemShareLink(principal, id, viewing.token)
  const guest = await RoomWindow.open(fixture.rooms, id, principal)
  await fixture.access.redeemShareLink(principal, id, editing.token)
  await waitUntil(() => guest.roles.length === 2)
  await guest.type('mine')
  await fixture.access.revokeShareLink(id, editing.id, owner)
  await waitUntil(() => guest.roles.length === 3)
  expect(guest.roles).toEqual(['viewer', 'editor', 'viewer'])
  expect((await refusalOf(guest.type('not any more'))).code).toBe('forbidden')
  expect(guest.evictionReason).toBeNull()
})

test('[A4] a role is revoked while its owner joins', async () => {
  const { id, owner } = await fixture.document()
  const link = await fixture.linkPrincipalTo(id, 'editor', owner)
  const guest = new RoomWindow()
  const entering = guest.join(fixture.rooms, id, link.principal).catch(() => 'refused')
  await fixture.access.revokeShareLink(id, link.id, owner)
  if ((await entering) !== 'refused') await waitUntil(() => guest.evictionReason !== null)
  const ada = await RoomWindow.open(fixture.rooms, id, owner)
  await ada.type('between us')
  expect(guest.text).toBe('')
})

test('[A4] the rights of many members are read again a few at a time, and the last one loses its role as well', async () => {
  const { id, owner } = await fixture.document()
  const link = await fixture.linkPrincipalTo(id, 'viewer', owner)
  const guests = await Promise.all(
    Array.from({ length: 40 }, () => RoomWindow.open(fixture.rooms, id, link.principal)),
  )
  const { roleOf } = fixture.access
  let [running, most] = [0, 0]
  const counted = vi.spyOn(fixture.access, 'roleOf').mockImplementation(async (...asked) => {
    most = Math.max(most, ++running)
    await new Promise((resolve) => setTimeout(resolve, 1))
    return roleOf(...asked).finally(() => (running -= 1))
  })
  await fixture.access.revokeShareLink(id, link.id, owner)
  fixture.rooms.recheckAllRights()
  await waitUntil(() => guests.every(({ evictionReason }) => evictionReason !== null))
  expect(most).toBeLessThanOrEqual(8)
  expect(counted.mock.calls.length).toBeLessThan(2 * guests.length)
  counted.mockRestore()
})

test('everybody is evicted from a deleted document', async () => {
  const { id, ada, guest } = await openSharedDocument('editor')
  fixture.rooms.evict(id, { code: 'forbidden', detail: 'deleted' })
  expect([ada.evictionReason, guest.evictionReason]).toEqual(
    Array(2).fill({ code: 'forbidden', detail: 'deleted' }),
  )
})

test('a server edit reaches everybody after its commit', async () => {
  const { id, owner, ada, guest } = await openSharedDocument('viewer')
  fixture.store.hold()
  const edited = fixture.rooms.edit(id, 'body', owner, (doc) => doc.getText('title').insert(0, 'Plan'))
  const titles = () => [ada, guest].map(({ doc }) => doc.getText('title').toJSON())
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(titles()).toEqual(['', ''])
  fixture.store.release()
  await edited
  expect(titles()).toEqual(['Plan', 'Plan'])
  expect(Y.encodeStateVector(ada.doc)).toEqual(Y.encodeStateVector(guest.doc))
})
