/** [A6] What files cost somebody, and what is told to whom when it is too much. */
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { Transfers } from '../files/transfers.ts'
import { RealServer } from '../fixtures/real-server.ts'
import { FileClient } from './fixtures/file-client.ts'

test('files fill the space of the owner, who alone is told how full it is', async () => {
  await using server = await RealServer.start({ environment: { LIMIT_STORAGE_OF_PERSON: '1' } })
  const { id, cookie, tokens } = await server.createDocument()
  const client = new FileClient(server, id)
  await client.upload({ token: tokens.editor }, randomBytes(900_000))
  const [owner, editor] = [
    await client.begin({ cookie }, 200_000),
    await client.begin({ token: tokens.editor }, 200_000),
  ]
  expect([owner.status, owner.body.toString()]).toEqual([507, expect.stringMatching(/You|you use/)])
  expect([editor.status, editor.body.toString()]).toEqual([507, expect.stringContaining('’s space is full')])
  expect(editor.body.toString()).not.toContain('MB')
  const copied = await fetch(`${server.origin('http')}/api/documents/${id}/copies`, {
    method: 'POST',
    headers: { cookie, origin: server.origin('http') },
  })
  expect(copied.status).toBe(507)
})

test('bytes that are sent and received are paid for', async () => {
  await using server = await RealServer.start({ environment: { LIMIT_WORK: '20000/10' } })
  const { id, cookie } = await server.createDocument()
  const client = new FileClient(server, id)
  const file = await client.upload({ cookie }, randomBytes(1_000_000))
  const statuses: number[] = []
  for (let reads = 0; reads < 4; reads++) statuses.push((await client.call({ cookie }, 'GET', file)).status)
  expect(statuses.slice(-2)).toEqual([429, 429])
})

test('one person has so many transfers at once, and all have more', () => {
  const transfers = new Transfers({ roleOf: async () => 'viewer', onChanged: () => () => {} })
  const of = (id: string) => ({ id, name: '', credential: '' })
  const begin = (id: string) =>
    transfers.begin({ document: 'd', principal: of(id), right: 'read', end: () => {} })
  const ends = Array.from({ length: 200 }, () => begin('user:ada'))
  expect([transfers.hasRoomFor(of('user:ada')), transfers.hasRoomFor(of('user:bob'))]).toEqual([false, true])
  ends[0]!()
  expect(transfers.hasRoomFor(of('user:ada'))).toBe(true)
  for (let person = 0; person < 801; person++) begin(`user:${person}`)
  expect(transfers.hasRoomFor(of('user:bob'))).toBe(false)
})
