import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import { type RoomsFixture, openRoomsFixture, refusalOf, RoomWindow } from './fixtures/rooms-fixture.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import type { StateCost } from './rooms.ts'
import { TextWorkerPool } from './text-worker-pool.ts'

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

test('[A4] a person who is removed is evicted at once, and nobody else; a link without new joins evicts nobody', async () => {
  const { id, owner } = await fixture.document()
  const link = await fixture.access.createShareLink(id, 'editor', owner)
  const people = [await fixture.createPerson(), await fixture.createPerson()]
  const [bob, eve] = await Promise.all(
    people.map(async ({ principal }) => {
      await fixture.access.redeemShareLink(principal, id, link.token)
      return RoomWindow.open(fixture.rooms, id, principal, undefined, { token: link.token })
    }),
  )
  await fixture.access.setShareLinkOpen(id, link.id, false, owner)
  await bob!.type('both ')
  await eve!.type('stay', 5)
  await fixture.access.setShareLinkOpen(id, link.id, true, owner)
  await fixture.access.removePerson(id, people[1]!.principal.id, owner)
  await waitUntil(() => eve!.evictionReason !== null)
  expect(eve!.evictionReason).toEqual({ code: 'forbidden' })
  await bob!.type(', and now one', 9)
  expect(bob!.evictionReason).toBeNull()
  expect(eve!.text).toBe('both stay')
  expect((await fixture.read(id)).getText('trace').toJSON()).toBe('both stay, and now one')
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

describe('[A4] a right that is lost while its holder waits', () => {
  /** A document so large that its Y.Doc is built by a worker, which begins when it is released. */
  async function openLargeDocument() {
    const textWorkers = new TextWorkerPool()
    const pieces = textWorkers.pieces.bind(textWorkers)
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const build = vi.spyOn(textWorkers, 'pieces').mockImplementation(async (...text) => {
      await released
      return pieces(...text)
    })
    const fixture = await openRoomsFixture({ textWorkers })
    const { id, owner } = await fixture.document()
    const doc = new Y.Doc()
    doc.getText('trace').insert(0, 'A long text. '.repeat(100_000))
    const update = Y.encodeStateAsUpdate(doc)
    await fixture.store.append([
      { document: id, part: 'body', update, principal: owner.id, session: 's', number: 1, clients: [1] },
    ])
    const { principal } = await fixture.createPerson()
    const viewing = await fixture.access.createShareLink(id, 'viewer', owner)
    const editing = await fixture.access.createShareLink(id, 'editor', owner)
    return {
      fixture,
      id,
      owner,
      principal,
      viewing,
      editing,
      build,
      release,
      redeem: (token: string) => fixture.access.redeemShareLink(principal, id, token),
      storedEdits: async () => (await fixture.store.load(id, 'body')).sequence,
      [Symbol.asyncDispose]: async () => {
        release()
        await fixture[Symbol.asyncDispose]()
      },
    }
  }

  test('its edit is refused when the build of a large document is done, and nothing is stored', async () => {
    await using large = await openLargeDocument()
    const { fixture, id, owner, principal, viewing, editing } = large
    for (const { token } of [viewing, editing]) await large.redeem(token)
    const guest = await RoomWindow.open(fixture.rooms, id, principal)
    const refused = refusalOf(guest.type('too late', 0))
    await waitUntil(() => large.build.mock.calls.length === 1)
    await fixture.access.revokeShareLink(id, editing.id, owner)
    await waitUntil(() => guest.roles.at(-1) === 'viewer')
    large.release()
    expect((await refused).code).toBe('forbidden')
    expect([await large.storedEdits(), guest.evictionReason]).toEqual([1, null])
  })

  test('its edit is refused after it was evicted, and that of somebody who left is stored', async () => {
    await using large = await openLargeDocument()
    const { fixture, id, owner, principal, editing } = large
    await large.redeem(editing.token)
    const guest = await RoomWindow.open(fixture.rooms, id, principal)
    const ada = await RoomWindow.open(fixture.rooms, id, owner)
    const refused = refusalOf(guest.type('too late', 0))
    const saved = ada.type('in time', 0)
    ada.membership.leave()
    await fixture.access.revokeShareLink(id, editing.id, owner)
    await waitUntil(() => guest.evictionReason !== null)
    large.release()
    expect((await refused).code).toBe('forbidden')
    await saved
    expect(await large.storedEdits()).toBe(2)
    expect((await fixture.read(id)).getText('trace').toJSON().slice(0, 9)).toBe('in timeA ')
  })

  test('its long edit is refused though it is decoded by then', async () => {
    const { id, guest } = await openSharedDocument('editor')
    const { sequence } = await fixture.store.load(id, 'body')
    const refused = refusalOf(guest.type('x'.repeat(1_000_000)))
    fixture.rooms.evict(id, { code: 'forbidden' })
    expect((await refused).code).toBe('forbidden')
    expect((await fixture.store.load(id, 'body')).sequence).toBe(sequence)
  })

  test('it receives no first state', async () => {
    const { id, owner, link, guest } = await openSharedDocument('editor')
    await guest.type('between us')
    const { promise: admitted, resolve: admit } = Promise.withResolvers<void>()
    const asked = vi.fn<(cost: StateCost) => Promise<void>>().mockReturnValue(admitted)
    const onState = vi.fn<() => void>()
    const request = {
      document: id,
      part: 'body',
      principal: link.principal,
      session: 'late',
      token: '',
    } as const
    const joining = fixture.rooms.join({ ...request, stateVector: Uint8Array.of(0), admit: asked }, {
      onState,
    } as unknown as Parameters<typeof fixture.rooms.join>[1])
    await waitUntil(() => asked.mock.calls.length === 1)
    await fixture.access.revokeShareLink(id, link.id, owner)
    admit()
    expect(await refusalOf(joining)).toEqual({ code: 'forbidden' })
    expect(onState).not.toHaveBeenCalled()
  })

  test('its edit by the API is refused, and one whose right holds is made', async () => {
    await using large = await openLargeDocument()
    const { fixture, id, owner, principal, viewing, editing } = large
    for (const { token } of [viewing, editing]) await large.redeem(token)
    const rename = (by: typeof owner, title: string) =>
      fixture.rooms.edit(id, 'body', by, (doc) => doc.getText('title').insert(0, title))
    const refused = refusalOf(rename(principal, 'Not mine'))
    const renamed = rename(owner, 'Mine')
    await waitUntil(() => large.build.mock.calls.length === 1)
    await fixture.access.revokeShareLink(id, editing.id, owner)
    large.release()
    expect((await refused).code).toBe('forbidden')
    await renamed
    expect((await fixture.read(id)).getText('title').toJSON()).toBe('Mine')
  })
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
