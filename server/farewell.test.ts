/** The last message of a page that is being left, at the gateway of the real server. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OpenDocument } from '../lib/client.ts'
import { packFrames } from '../lib/protocol/framing.ts'
import { MAX_FAREWELL_BYTES } from '../lib/protocol/limits.ts'
import type { ClientMessage } from '../lib/protocol/message.ts'
import { encodeClientMessage } from '../lib/protocol/message.ts'
import { encodeRecords } from '../lib/protocol/records.ts'
import { sendFarewell } from '../lib/transports/farewell.ts'
import type { NetworkPlatform } from '../lib/transports/net/net.ts'
import { createNet } from '../lib/transports/net/node.ts'
import { createAttachMessage, createEditMessage, helloMessage, RawClient } from './fixtures/raw-client.ts'
import { RealServer, type Scheme } from './fixtures/real-server.ts'
import type { SharedDocument } from './fixtures/shared-document.ts'
import { updateTyping } from './fixtures/update-typing.ts'
import { waitUntil } from '../lib/fixtures/wait.ts'

let server: RealServer
let shared: SharedDocument
let reader: OpenDocument
let net: NetworkPlatform

beforeAll(async () => {
  server = await RealServer.start()
  shared = await server.createDocument()
  reader = server.openDocument(shared, { transport: 'websocket', scheme: 'http' })
  await reader.whenSynced
  net = createNet({ insecure: true })
})
afterAll(async () => {
  await reader.close()
  net.dispose()
  await server[Symbol.asyncDispose]()
})

const framesOf = (...messages: ClientMessage[]): Uint8Array[] => packFrames(messages.map(encodeClientMessage))

const textOf = ({ doc }: OpenDocument): string => doc.getText('trace').toJSON()

/** A window that is attached, and cut off before it could send what it typed. */
async function openAndCutOff(transport: 'websocket' | 'long-poll', scheme: Scheme) {
  const client = await RawClient.open(transport, server.origin(scheme), shared.tokens.editor)
  client.send(helloMessage, createAttachMessage(shared.id))
  await client.waitForMessage('attached')
  const { id, secret } = await client.waitForMessage('welcome')
  client.close()
  return { id, secret, received: 1, take: true }
}

describe.each(['http', 'https'] as const)('a farewell over %s', (scheme) => {
  const target = () => ({ origin: server.origin(scheme), net, token: shared.tokens.editor })
  const post = (body: Uint8Array<ArrayBuffer>, headers: Record<string, string>) =>
    net.fetch(`${server.origin(scheme)}/sync/farewell`, { method: 'POST', headers, body })
  const bearer = () => ({ authorization: `Bearer ${shared.tokens.editor}` })

  test('[S1] [D1] what was never sent arrives with the farewell, and the session ends', async () => {
    const resume = await openAndCutOff('websocket', scheme)
    const text = `left by ${scheme}`
    const frames = framesOf({ ...helloMessage, resume }, createEditMessage(updateTyping(text)), {
      type: 'bye',
    })
    expect(await sendFarewell(target(), frames)).toBe(true)
    await waitUntil(() => textOf(reader).includes(text))
    const nextClient = await RawClient.open('websocket', server.origin(scheme), shared.tokens.editor)
    nextClient.send({ ...helloMessage, resume })
    expect(await nextClient.waitForMessage('welcome')).toMatchObject({ resumed: false })
    nextClient.close()
  })

  test('[S1] edits that had arrived before are not doubled', async () => {
    const text = `once by ${scheme}`
    const client = await RawClient.open('long-poll', server.origin(scheme), shared.tokens.editor)
    client.send(helloMessage, createAttachMessage(shared.id))
    await client.waitForMessage('attached')
    const { id, secret } = await client.waitForMessage('welcome')
    client.send(createEditMessage(updateTyping(text)))
    await client.waitForMessage('saved')
    const resume = { id, secret, received: 1, take: true }
    await sendFarewell(
      target(),
      framesOf({ ...helloMessage, resume }, createEditMessage(updateTyping(text)), { type: 'bye' }),
    )
    expect((await client.closed).code).toBe('done')
    await waitUntil(() => textOf(reader).includes(text))
    expect(textOf(reader).split(text).length).toBe(2)
  })

  test('[A2] nothing is taken for an unknown session or with a wrong secret', async () => {
    const before = server.storedBytes(shared.id)
    const { id, secret } = await openAndCutOff('websocket', scheme)
    const wrongSessions = [
      { id: 'a.nobody', secret },
      { id, secret: 'x'.repeat(22) },
    ]
    for (const wrongSession of wrongSessions) {
      const resume = { ...wrongSession, received: 1, take: true }
      await sendFarewell(
        target(),
        framesOf({ ...helloMessage, resume }, createEditMessage(updateTyping('stolen')), { type: 'bye' }),
      )
    }
    expect(server.storedBytes(shared.id)).toBe(before)
    expect(textOf(reader)).not.toContain('stolen')
  })

  test('[A1] [A2] a foreign origin, a request without identity and a wrong method are refused', async () => {
    const body = encodeRecords(framesOf(helloMessage))
    const foreign = await post(body, { ...bearer(), origin: 'https://evil.example' })
    expect(foreign.status).toBe(403)
    expect((await post(body, {})).status).toBe(403)
    const get = await net.fetch(`${server.origin(scheme)}/sync/farewell`, {
      method: 'GET',
      headers: bearer(),
    })
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST'])
  })

  test.each([
    ['random bytes', () => new Uint8Array(40).fill(0xff), 400, 'bad-frame'],
    ['a record cut short', () => encodeRecords(framesOf(helloMessage)).subarray(0, -1), 400, 'bad-frame'],
    ['no conversation', () => encodeRecords(framesOf({ type: 'bye' })), 400, 'bad-message'],
    ['more than the limit', () => new Uint8Array(MAX_FAREWELL_BYTES + 1), 413, 'too-large'],
  ])('[A6] %s is refused with the reason', async (_what, body, status, code) => {
    const answer = await post(body(), bearer())
    expect([answer.status, await answer.json()]).toMatchObject([status, { error: { code } }])
  })
})

test('[A6] what does not fit into one request is not sent', async () => {
  const target = { origin: server.origin('http'), net, token: shared.tokens.editor }
  expect(await sendFarewell(target, [new Uint8Array(MAX_FAREWELL_BYTES)])).toBe(false)
})
