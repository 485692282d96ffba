import { afterAll, beforeAll, expect, test } from 'vitest'
import * as Y from 'yjs'
import { type House, openHouse, refusalOf, until, Window } from './fixtures/house.ts'

let house: House

beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

async function sharedBy(role: 'viewer' | 'editor') {
  const { id, owner } = await house.document()
  const link = await house.linkedTo(id, role, owner)
  const ada = await Window.open(house.rooms, id, owner)
  const guest = await Window.open(house.rooms, id, link.principal)
  return { id, owner, link, ada, guest }
}

test('[A4] a viewer hears, and its write is refused with a reason; nothing is stored', async () => {
  const { id, ada, guest } = await sharedBy('viewer')
  await ada.type('read me')
  await until(() => guest.text === 'read me')
  expect(guest.roles).toEqual(['viewer'])
  expect(await refusalOf(guest.type('scribble'))).toMatchObject({
    code: 'forbidden',
    detail: expect.any(String),
  })
  expect((await house.read(id)).getText('trace').toJSON()).toBe('read me')
  expect(ada.text).toBe('read me')
})

test('[A4] who lost the right is out at once and hears nothing more', async () => {
  const { id, owner, link, ada, guest } = await sharedBy('editor')
  await guest.type('while I may')
  await house.access.revokeLink(id, link.id, owner)
  await until(() => guest.evicted !== null)
  expect(guest.evicted).toEqual({ code: 'forbidden' })
  expect(ada.evicted).toBeNull()
  await ada.type(', and more')
  expect(guest.text).toBe('while I may')
  expect((await refusalOf(guest.type('too late'))).code).toBe('overloaded')
  expect((await house.read(id)).getText('trace').toJSON()).toBe('while I may, and more')
})

test('[A4] a role that changes is told, and holds for the next message', async () => {
  const { id, owner } = await house.document()
  const { principal } = await house.person()
  const [viewing, editing] = [
    await house.access.createLink(id, 'viewer', owner),
    await house.access.createLink(id, 'editor', owner),
  ]
  await house.access.redeem(principal, id, viewing.token)
  const guest = await Window.open(house.rooms, id, principal)
  await house.access.redeem(principal, id, editing.token)
  await until(() => guest.roles.length === 2)
  await guest.type('mine')
  await house.access.revokeLink(id, editing.id, owner)
  await until(() => guest.roles.length === 3)
  expect(guest.roles).toEqual(['viewer', 'editor', 'viewer'])
  expect((await refusalOf(guest.type('not any more'))).code).toBe('forbidden')
  expect(guest.evicted).toBeNull()
})

test('[A4] a right taken away while its bearer comes in', async () => {
  const { id, owner } = await house.document()
  const link = await house.linkedTo(id, 'editor', owner)
  const guest = new Window()
  const entering = guest.join(house.rooms, id, link.principal).catch(() => 'refused')
  await house.access.revokeLink(id, link.id, owner)
  if ((await entering) !== 'refused') await until(() => guest.evicted !== null)
  const ada = await Window.open(house.rooms, id, owner)
  await ada.type('between us')
  expect(guest.text).toBe('')
})

test('everybody is put out of a document that is deleted', async () => {
  const { id, ada, guest } = await sharedBy('editor')
  house.rooms.evict(id, { code: 'forbidden', detail: 'deleted' })
  expect([ada.evicted, guest.evicted]).toEqual(Array(2).fill({ code: 'forbidden', detail: 'deleted' }))
})

test('the server’s own edit reaches everybody after its commit', async () => {
  const { id, owner, ada, guest } = await sharedBy('viewer')
  house.store.hold()
  const edited = house.rooms.edit(id, 'body', owner, (doc) => doc.getText('title').insert(0, 'Plan'))
  const titles = () => [ada, guest].map(({ doc }) => doc.getText('title').toJSON())
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(titles()).toEqual(['', ''])
  house.store.release()
  await edited
  expect(titles()).toEqual(['Plan', 'Plan'])
  expect(Y.encodeStateVector(ada.doc)).toEqual(Y.encodeStateVector(guest.doc))
})
