/** Attacks on one node of a service, while the state that refuses them is at another. two-nodes.long.test.ts has the bad input. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { readSseTicket } from '../../lib/protocol/http.ts'
import { randomId } from '../../lib/protocol/ids.ts'
import type { Environment } from '../../server/config.ts'
import { forgeStruct, GC } from '../../server/fixtures/forged-struct.ts'
import {
  createAttachMessage,
  createEditMessage,
  helloMessage,
  RawClient,
} from '../../server/fixtures/raw-client.ts'
import type { RealServer } from '../../server/fixtures/real-server.ts'
import type { SharedDocument } from '../../server/fixtures/shared-document.ts'
import { updateTyping } from '../../server/fixtures/update-typing.ts'
import { describePostgres } from '../../server/store/fixtures/postgres-fixture.ts'
import { RealNodes } from '../fixtures/real-nodes.ts'

const post = (node: RealServer, path: string, body: object, headers: Record<string, string> = {}) => {
  const origin = node.origin('http')
  return fetch(origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin, ...headers },
    body: JSON.stringify(body),
  })
}

/** Something that a principal or an address may do a dozen times. */
interface LimitedAction {
  readonly what: string
  readonly setting: string
  /** Returns whether it was allowed. */
  attempt(this: void, node: RealServer, document: SharedDocument): Promise<boolean>
}

const limitedActions: readonly LimitedAction[] = [
  {
    what: 'wrong tickets from one address',
    setting: 'LIMIT_GUESSES',
    attempt: async (node) => (await post(node, '/api/tickets/look', { ticket: randomId() })).status !== 429,
  },
  {
    what: 'wrong links that one person redeems',
    setting: 'LIMIT_GUESSES',
    async attempt(node, { id, cookie }) {
      const path = `/api/documents/${id}/redeem`
      return (await post(node, path, { token: randomId() }, { cookie })).status !== 429
    },
  },
  {
    what: 'guests from one address',
    setting: 'LIMIT_NEW_GUESTS',
    attempt: async (node) => (await post(node, '/api/documents', {})).status !== 429,
  },
  {
    what: 'documents of one person',
    setting: 'LIMIT_DOCUMENTS_OF_PERSON',
    attempt: async (node, { cookie }) => (await post(node, '/api/documents', {}, { cookie })).status !== 429,
  },
  {
    what: 'links that one address opens',
    setting: 'LIMIT_CONNECTIONS',
    attempt: async (node, { tokens }) => {
      const headers = { authorization: `Bearer ${tokens.viewer}` }
      return (await post(node, '/sync/sse/ticket', {}, headers)).status !== 429
    },
  },
]

const ALLOWED = 12
/** The limits count a link as 40 people. */
const WINDOWS_OF_LINK = 40

describePostgres('two nodes', () => {
  describe('with low limits', () => {
    let service: RealNodes
    let document: SharedDocument
    beforeAll(async () => {
      const limits = limitedActions.map(({ setting }) => [setting, `${ALLOWED}/0.001`])
      service = await RealNodes.start(Object.fromEntries(limits) as Environment)
      document = await service.createDocument()
    })
    afterAll(() => service[Symbol.asyncDispose]())

    test.each(limitedActions)(
      '[A6] $what: the other node counts what one node allowed',
      async ({ attempt }) => {
        const [first, second] = service.nodes as [RealServer, RealServer]
        while (await attempt(first, document));
        let admitted = 0
        // Each node tells the other what it allowed, within 100 ms on a quick machine.
        do await new Promise((resolve) => setTimeout(resolve, 200))
        while ((await attempt(second, document)) && ++admitted < ALLOWED)
        expect(admitted).toBeLessThan(ALLOWED / 2)
      },
    )
  })

  describe('with one session for each person', () => {
    let service: RealNodes
    let first: RealServer
    let second: RealServer
    let shared: SharedDocument
    beforeAll(async () => {
      service = await RealNodes.start({ LIMIT_SESSIONS_OF_PERSON: '1' })
      ;[first, second] = service.nodes as [RealServer, RealServer]
      shared = await service.createDocument()
    })
    afterAll(() => service[Symbol.asyncDispose]())

    const attach = async (node: RealServer, token: string): Promise<RawClient> => {
      const client = await RawClient.open('websocket', node.origin('http'), token)
      client.send(helloMessage, createAttachMessage(shared.id))
      await client.waitForMessage('attached')
      return client
    }

    test('[A3] a one-use ticket for an event stream that one node took is used up on both', async () => {
      const headers = { authorization: `Bearer ${shared.tokens.editor}` }
      const answer = await post(first, '/sync/sse/ticket', {}, headers)
      const { ticket } = readSseTicket(await answer.text())!
      const open = (node: RealServer) =>
        fetch(`${node.origin('http')}/sync/sse?ticket=${ticket}`, { headers })
      const stream = await open(second)
      expect(stream.status).toBe(200)
      expect([(await open(first)).status, (await open(second)).status]).toEqual([403, 403])
      await stream.body?.cancel()
    })

    test('[A3] a one-use ticket of a stock client that one node took is used up on both', async () => {
      const headers = { authorization: `Bearer ${shared.tokens.editor}` }
      const answer = await post(first, `/yjs/${shared.id}/ticket`, {}, headers)
      const { ticket } = (await answer.json()) as { ticket: string }
      const outcomeAt = (node: RealServer): Promise<number> =>
        new Promise((resolve) => {
          const socket = new WebSocket(
            `${node.origin('http').replace('http', 'ws')}/yjs/${shared.id}?ticket=${ticket}`,
          )
          socket.once('open', () => socket.send(Uint8Array.of(0, 0, 1, 0)))
          socket.once('message', () => socket.close(1000))
          socket.once('close', resolve).once('error', () => {})
        })
      expect([await outcomeAt(second), await outcomeAt(first), await outcomeAt(second)]).toEqual([
        1000, 4401, 4401,
      ])
    })

    test('[A3] a ticket that signed a device in at one node signs in nobody at the other', async () => {
      const { cookie } = shared
      const { ticket } = (await (await post(first, '/api/me/tickets', {}, { cookie })).json()) as {
        ticket: string
      }
      const redeemAt = async (node: RealServer) =>
        (await post(node, '/api/tickets/redeem', { ticket })).status
      expect([await redeemAt(second), await redeemAt(first), await redeemAt(second)]).toEqual([200, 404, 404])
    })

    test('[A2] a session of one node is resumed by the other only for its owner', async () => {
      using own = await attach(first, shared.tokens.editor)
      const { id, secret } = await own.waitForMessage('welcome')
      const resume = { id, secret, received: 1, take: true }
      const welcomeAt = async (client: RawClient, fields: object) => {
        client.send({ ...helloMessage, resume: { ...resume, ...fields } })
        return client.waitForMessage('welcome')
      }
      const open = (token: string) => RawClient.open('websocket', second.origin('http'), token)
      using thief = await open(shared.tokens.other)
      using guesser = await open(shared.tokens.editor)
      expect(await welcomeAt(thief, {})).toMatchObject({ resumed: false })
      expect(await welcomeAt(guesser, { secret: 'x'.repeat(22) })).toMatchObject({ resumed: false })
      own.send({ type: 'ping', token: 3 })
      await own.waitForMessage('pong')
      using owner = await open(shared.tokens.editor)
      expect(await welcomeAt(owner, {})).toMatchObject({ resumed: true, id })
    })

    test('[A5] the client id of a window that has not written yet is taken by nobody at the other node, not even by its link', async () => {
      const client = 1_234_567
      using own = await RawClient.open('websocket', first.origin('http'), shared.tokens.editor)
      own.send(helloMessage, { ...createAttachMessage(shared.id), client })
      await own.waitForMessage('attached')
      const before = await service.storedBytes(shared.id)
      for (const token of [shared.tokens.editor, shared.tokens.other]) {
        using announcing = await RawClient.open('websocket', second.origin('http'), token)
        announcing.send(helloMessage, { ...createAttachMessage(shared.id), client })
        expect(await announcing.waitForMessage('detached')).toMatchObject({ reason: { code: 'taken' } })
        using writing = await attach(second, token)
        writing.send(createEditMessage(forgeStruct(client, 0, GC, 1)))
        expect(await writing.waitForMessage('refused')).toMatchObject({ reason: { code: 'taken' } })
      }
      expect(await service.storedBytes(shared.id)).toBe(before)
    })

    test('[A6] once one node has all windows that a link may open, the other opens none', async () => {
      const { tokens } = await service.createDocument()
      await using open = new AsyncDisposableStack()
      const openWindow = async (node: RealServer) => {
        const client = open.use(await RawClient.open('websocket', node.origin('http'), tokens.editor))
        client.send(helloMessage)
        return Promise.race([client.closed, client.waitForMessage('welcome')])
      }
      for (let n = 0; n < WINDOWS_OF_LINK; n++) expect(await openWindow(first)).toHaveProperty('secret')
      let admitted = 0
      while ('secret' in (await openWindow(second)) && ++admitted < WINDOWS_OF_LINK)
        await new Promise((resolve) => setTimeout(resolve, 50))
      expect(admitted).toBeLessThan(WINDOWS_OF_LINK / 2)
      expect(await openWindow(second)).toMatchObject({ code: 'overloaded' })
    })

    test('[A4] when one node revokes a link, windows at the other lose their rights, and write nothing more', async () => {
      const { cookie, id } = shared
      const made = await post(first, `/api/documents/${id}/links`, { role: 'editor' }, { cookie })
      const { token, id: link } = (await made.json()) as { token: string; id: string }
      using client = await attach(second, token)
      const before = await service.storedBytes(id)
      const origin = first.origin('http')
      const revoked = await fetch(`${origin}/api/documents/${id}/links/${link}`, {
        method: 'DELETE',
        headers: { origin, cookie },
      })
      expect(revoked.status).toBe(204)
      await waitUntil(() => client.received.some(({ type }) => type === 'detached'))
      expect(await client.waitForMessage('detached')).toMatchObject({ reason: { code: 'forbidden' } })
      client.send(createEditMessage(updateTyping('too late')))
      client.send({ ...createAttachMessage(id), number: 3 })
      await waitUntil(() => client.received.filter(({ type }) => type === 'detached').length === 2)
      expect(await service.storedBytes(id)).toBe(before)
    })
  })
})
