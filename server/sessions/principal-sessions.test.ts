import { afterEach, beforeEach, expect, test } from 'vitest'
import { createMemoryTransport } from '../../lib/transports/memory.ts'
import type { NetworkPlatform } from '../../lib/transports/net/net.ts'
import { silentLogger } from '../fixtures/silent-logger.ts'
import type { Principal } from '../access/principal.ts'
import { createAttachMessage, helloMessage, RawClient } from '../fixtures/raw-client.ts'
import { type RoomsFixture, openRoomsFixture } from '../rooms/fixtures/rooms-fixture.ts'
import { createSessions } from './create-sessions.ts'
import { type EvictableSession, PrincipalSessions } from './principal-sessions.ts'
import type { Sessions } from './create-sessions.ts'

let fixture: RoomsFixture
let sessions: Sessions

beforeEach(async () => {
  fixture = await openRoomsFixture()
  const principalSessions = new PrincipalSessions(3)
  sessions = createSessions({ rooms: fixture.rooms, log: silentLogger, principalSessions })
})
afterEach(async () => {
  await sessions.drain()
  await fixture[Symbol.asyncDispose]()
})

const noNet = { dispose: () => {} } as unknown as NetworkPlatform

async function openAttachedClient(principal: Principal, id: string): Promise<RawClient> {
  const transport = createMemoryTransport((end) => sessions.accept(end, principal))
  const client = await RawClient.openOver(transport, { origin: 'memory:', net: noNet })
  client.send(helloMessage, createAttachMessage(id))
  return client
}

test('[A6] at a limit of three, a person’s fourth window is refused with a reason; other people get in', async () => {
  const { owner, id } = await fixture.document()
  for (let n = 0; n < 3; n++) await (await openAttachedClient(owner, id)).waitForMessage('attached')
  const fourth = await openAttachedClient(owner, id)
  expect(await fourth.closed).toMatchObject({
    code: 'overloaded',
    detail: '3 windows are open already (LIMIT_SESSIONS_OF_PERSON)',
  })
  const other = await fixture.document()
  await (await openAttachedClient(other.owner, other.id)).waitForMessage('attached')
  expect(sessions.count).toBe(4)
})

test('[A6] a window that lost its link gives way to a new one, and its later end does not count twice', async () => {
  const { owner, id } = await fixture.document()
  const clients: RawClient[] = []
  for (let n = 0; n < 3; n++) {
    clients.push(await openAttachedClient(owner, id))
    await clients[n]!.waitForMessage('attached')
  }
  clients[1]!.close()
  await (await openAttachedClient(owner, id)).waitForMessage('attached')
  expect(sessions.count).toBe(3)
  const fifth = await openAttachedClient(owner, id)
  expect(await fifth.closed).toMatchObject({ code: 'overloaded' })
  clients[0]!.send({ type: 'bye' })
  await clients[0]!.closed
  await (await openAttachedClient(owner, id)).waitForMessage('attached')
  expect(sessions.count).toBe(3)
})

test('[A6] a window that has a link again does not give way', async () => {
  const { owner, id } = await fixture.document()
  const clients: RawClient[] = []
  for (let n = 0; n < 3; n++) {
    clients.push(await openAttachedClient(owner, id))
    await clients[n]!.waitForMessage('attached')
  }
  const { id: session, secret } = await clients[1]!.waitForMessage('welcome')
  clients[1]!.close()
  const transport = createMemoryTransport((end) => sessions.accept(end, owner))
  const back = await RawClient.openOver(transport, { origin: 'memory:', net: noNet })
  back.send({ ...helloMessage, resume: { id: session, secret, received: 0, take: true } })
  expect(await back.waitForMessage('welcome')).toMatchObject({ resumed: true })
  expect(await (await openAttachedClient(owner, id)).closed).toMatchObject({ code: 'overloaded' })
  expect(sessions.count).toBe(3)
})

test('[A6] a link’s token stands for many people', async () => {
  const { owner, id } = await fixture.document()
  const viaLink: Principal = { ...owner, token: 'token' }
  for (let n = 0; n < 5; n++) await (await openAttachedClient(viaLink, id)).waitForMessage('attached')
  expect(sessions.count).toBe(5)
})

test('[A6] at a limit of 500 a person, a link’s token has 20,000 at most; the session longest without a link gives way', () => {
  const all = new PrincipalSessions(500)
  const ended: EvictableSession[] = []
  const open = (principal: Principal) => {
    all.evictOldestIfFull(principal)
    const session = { principal, linklessSince: null as number | null, end }
    all.add(session)
    return session
    function end() {
      ended.push(session)
      all.remove(session)
    }
  }
  const person: Principal = { id: 'user:a', name: 'A', credential: 'c' }
  const link: Principal = { id: 'link:a', name: 'B', credential: 'd', token: 'token' }
  for (const [principal, limit] of [[person, 500], [link, 20_000]] as const) {
    const sessions = Array.from({ length: limit }, () => open(principal))
    expect(() => open(principal)).toThrow(`${limit} windows are open already`)
    const [later, , first] = sessions as [(typeof sessions)[0], unknown, (typeof sessions)[0]]
    for (const [session, since] of [[later, 2], [first, 1]] as const) {
      session.linklessSince = since
      all.onLinkChanged(session)
    }
    for (const session of [first, later]) {
      open(principal)
      expect(ended.splice(0)).toEqual([session])
    }
    expect(() => open(principal)).toThrow(`${limit} windows are open already`)
  }
}) // prettier-ignore
