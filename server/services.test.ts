/** Tests limits that hold only where the composition root connects them. */
import { DatabaseSync } from 'node:sqlite'
import { afterEach, expect, test, vi } from 'vitest'
import { newDocumentId } from '../lib/protocol/ids.ts'
import type { Environment } from './config.ts'
import { createAttachMessage, helloMessage, RawClient } from './fixtures/raw-client.ts'
import { RealServer } from './fixtures/real-server.ts'
import { createSharedDocument } from './fixtures/shared-document.ts'
import { waitUntil, settle } from '../lib/fixtures/wait.ts'

let server: RealServer
const clients: RawClient[] = []
const startWith = async (environment: Environment): Promise<void> => {
  server = await RealServer.start({ environment })
}

afterEach(async () => {
  for (const client of clients.splice(0)) client[Symbol.dispose]()
  vi.useRealTimers()
  await server[Symbol.asyncDispose]()
})

test.each(['/sync/poll', '/sync/farewell', '/yjs/x/ticket'])(
  '[A6] a request to %s counts among the links of its address',
  async (path) => {
    await startWith({ LIMIT_CONNECTIONS: '2/0.001' })
    const statuses: number[] = []
    for (let n = 0; n < 3; n++) {
      const answer = await fetch(server.origin('http') + path, { method: 'POST' })
      await answer.arrayBuffer()
      statuses.push(answer.status)
    }
    expect(statuses.map((status) => status === 429)).toEqual([false, false, true])
  },
)

test('[A6] sessions are counted: if a person may have one, a link’s token may have 40', async () => {
  await startWith({ LIMIT_SESSIONS_OF_PERSON: '1' })
  const { tokens } = await createSharedDocument(server.origin('http'))
  const openClient = async (): Promise<RawClient> => {
    const client = await RawClient.open('websocket', server.origin('http'), tokens.viewer)
    clients.push(client)
    client.send(helloMessage)
    return client
  }
  for (let n = 0; n < 40; n++) await (await openClient()).waitForMessage('welcome')
  expect(await (await openClient()).closed).toMatchObject({
    code: 'overloaded',
    detail: expect.stringContaining('LIMIT_SESSIONS_OF_PERSON') as string,
  })
})

test('[A6] wrong ids are counted within a session', async () => {
  await startWith({ LIMIT_GUESSES: '2/0.001' })
  const { tokens } = await createSharedDocument(server.origin('http'))
  const client = await RawClient.open('websocket', server.origin('http'), tokens.viewer)
  clients.push(client)
  client.send(helloMessage)
  for (let number = 1; number <= 3; number++)
    client.send({ ...createAttachMessage(newDocumentId()), number, channel: number })
  await waitUntil(() => detachCodesOf(client).length === 3)
  expect(detachCodesOf(client).toSorted()).toEqual(['forbidden', 'forbidden', 'overloaded'])
})

const detachCodesOf = ({ received }: RawClient): string[] =>
  received.flatMap((message) => (message.type === 'detached' ? [message.reason.code] : []))

test('[A6] a minute after the start due documents leave the disk', async () => {
  await startWith({})
  const { id } = await createSharedDocument(server.origin('http'))
  using database = new DatabaseSync(server.databaseFile)
  database.prepare('update documents set deleted_at = 1 where id = ?').run(id)
  const isStored = () => database.prepare('select id from documents where id = ?').get(id) !== undefined
  await server.stop()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await server.start()
  vi.advanceTimersByTime(59_000)
  expect(isStored()).toBe(true)
  vi.advanceTimersByTime(1_000)
  while (isStored()) {
    await settle()
    vi.advanceTimersByTime(20)
  }
})
