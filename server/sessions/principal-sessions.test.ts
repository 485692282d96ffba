import { afterEach, beforeEach, expect, test } from 'vitest'
import { memoryTransport } from '../../lib/transports/memory.ts'
import type { Net } from '../../lib/transports/net/net.ts'
import { log } from '../access/fixture.ts'
import type { Principal } from '../access/principal.ts'
import { attach, hello, RawClient } from '../fixtures/raw-client.ts'
import { type House, openHouse } from '../rooms/fixtures/house.ts'
import { createSessions } from './create-sessions.ts'
import { type HeldSession, PrincipalSessions } from './principal-sessions.ts'
import type { Sessions } from './sessions.ts'

let house: House
let sessions: Sessions

beforeEach(async () => {
  house = await openHouse()
  sessions = createSessions({ rooms: house.rooms, log, maxOfPerson: 3 })
})
afterEach(async () => {
  await sessions.drain()
  await house[Symbol.asyncDispose]()
})

const noNet = { dispose: () => {} } as unknown as Net

async function said(principal: Principal, id: string): Promise<RawClient> {
  const transport = memoryTransport((end) => sessions.accept(end, principal))
  const client = await RawClient.over(transport, { origin: 'memory:', net: noNet })
  client.say(hello, attach(id))
  return client
}

test('[A6] a fourth window of one person is sent away with a reason, where three are the limit; others come in', async () => {
  const { owner, id } = await house.document()
  for (let n = 0; n < 3; n++) await (await said(owner, id)).hears('attached')
  const fourth = await said(owner, id)
  expect(await fourth.closed).toMatchObject({
    code: 'overloaded',
    detail: '3 windows are open already (LIMIT_SESSIONS_OF_PERSON)',
  })
  const other = await house.document()
  await (await said(other.owner, other.id)).hears('attached')
  expect(sessions.count).toBe(4)
})

test('[A6] a window that lost its link gives way to a new one, and leaves no room behind when it ends', async () => {
  const { owner, id } = await house.document()
  const clients: RawClient[] = []
  for (let n = 0; n < 3; n++) {
    clients.push(await said(owner, id))
    await clients[n]!.hears('attached')
  }
  clients[1]!.close()
  await (await said(owner, id)).hears('attached')
  expect(sessions.count).toBe(3)
  const fifth = await said(owner, id)
  expect(await fifth.closed).toMatchObject({ code: 'overloaded' })
  clients[0]!.say({ type: 'bye' })
  await clients[0]!.closed
  await (await said(owner, id)).hears('attached')
  expect(sessions.count).toBe(3)
})

test('[A6] a link’s token is many people', async () => {
  const { owner, id } = await house.document()
  const viaLink: Principal = { ...owner, token: 'token' }
  for (let n = 0; n < 5; n++) await (await said(viaLink, id)).hears('attached')
  expect(sessions.count).toBe(5)
})

test('[A6] of 500 for a person a link’s token has 20,000, and no more; the longest without a link gives way', () => {
  const all = new PrincipalSessions(500)
  const ended: string[] = []
  const held = (principal: Principal, name: string, linklessSince: number | null = null): HeldSession => ({
    principal,
    linklessSince,
    end: () => ended.push(name),
  })
  const person: Principal = { id: 'user:a', name: 'A', credential: 'c' }
  const link: Principal = { id: 'link:a', name: 'B', credential: 'd', token: 'token' }
  for (const [principal, most] of [[person, 500], [link, 20_000]] as const) {
    for (let n = 0; n < most; n++) {
      all.makeRoom(principal)
      all.add(held(principal, 'linked'))
    }
    expect(() => all.makeRoom(principal)).toThrow(`${most} windows are open already`)
    all.add(held(principal, `${most} later`, 2))
    all.add(held(principal, `${most} first`, 1))
    all.makeRoom(principal)
  }
  expect(ended).toEqual(['500 first', '20000 first'])
}) // prettier-ignore
