/** What bad input gets on each transport of the real server: a reason, the end of its link, and nothing else. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import type { OpenDocument } from '../lib/client.ts'
import type { CloseCode, CloseReason } from '../lib/protocol/close.ts'
import { packFrames } from '../lib/protocol/framing.ts'
import { paths } from '../lib/protocol/http.ts'
import { MAX_FRAME_BYTES, MAX_MESSAGE_BYTES } from '../lib/protocol/limits.ts'
import { LinkHeadReader, type LinkKey, encodeLinkHead } from '../lib/protocol/link-key.ts'
import type { ClientMessage } from '../lib/protocol/message.ts'
import { encodeClientMessage, encodeServerMessage } from '../lib/protocol/message.ts'
import { writePresenceUpdate } from '../lib/protocol/presence-update.ts'
import { encodeRecords } from '../lib/protocol/records.ts'
import { transportDescriptors } from '../lib/transports/descriptors.ts'
import type { FetchInit, NetworkPlatform } from '../lib/transports/net/net.ts'
import { createNet } from '../lib/transports/net/node.ts'
import { transports } from '../lib/transports/registry.ts'
import { forgeStruct, GC } from './fixtures/forged-struct.ts'
import { stateVectorOf } from './fixtures/long-state-vector.ts'
import { createAttachMessage, createEditMessage, helloMessage, RawClient } from './fixtures/raw-client.ts'
import { embedUpdateOf, nestedArrays } from './rooms/fixtures/update-writer.ts'
import { RealServer, type TransportRoute } from './fixtures/real-server.ts'
import type { SharedDocument } from './fixtures/shared-document.ts'
import { waitUntil } from '../lib/fixtures/wait.ts'

const docOf = (text: string): Y.Doc => {
  const doc = new Y.Doc()
  doc.getText('trace').insert(0, text)
  return doc
}

const createOrphanUpdate = (): Uint8Array => {
  const doc = docOf('never sent')
  const before = Y.encodeStateVector(doc)
  doc.getText('trace').insert(0, 'sent')
  return Y.encodeStateAsUpdate(doc, before)
}

const randomBytes = Uint8Array.from({ length: 200 }, (_, index) => (index * 167 + 91) % 256)
const longStateVector = stateVectorOf(500_000)
const longPresence = writePresenceUpdate(
  Array.from({ length: 100_000 }, (_, client) => ({ client, clock: 1, json: '' })),
)
const messageFrame = (...numbers: number[]): Uint8Array[] => [Uint8Array.of(0, ...numbers)]

type Sent = ClientMessage | readonly Uint8Array[] | ((document: string) => ClientMessage[])

interface BadInput {
  readonly what: string
  readonly code: CloseCode
  /** Sent once the document is attached; without it, `beforeAttach` is sent first of all. */
  readonly afterAttach?: Sent
  readonly beforeAttach?: Sent
  /** Part of the reason. */
  readonly detail?: string
  /** The reply before the link ends. */
  readonly expectedReply?: 'refused' | 'detached'
}

const badInputs: BadInput[] = [
  { what: 'an empty frame', beforeAttach: [new Uint8Array()], code: 'bad-frame' },
  { what: 'random bytes', beforeAttach: [Uint8Array.of(0, ...randomBytes)], code: 'bad-frame' },
  { what: 'a message of no known kind', beforeAttach: messageFrame(99), code: 'bad-frame' },
  { what: 'a message that only a server sends', beforeAttach: [Uint8Array.of(0, ...encodeServerMessage({ type: 'drained' }))], code: 'bad-frame' },
  { what: 'a hello cut short', beforeAttach: messageFrame(1, 1), code: 'bad-frame' },
  { what: 'a length beyond the frame', afterAttach: messageFrame(24, 2, 1, 0xff, 0xff, 0x7f, 1), code: 'bad-frame' },
  { what: 'a number beyond 2⁵³', afterAttach: messageFrame(7, ...Array<number>(9).fill(0xff), 1), code: 'bad-frame' },
  { what: 'anything before hello', beforeAttach: { type: 'ping', token: 1 }, code: 'bad-message' },
  { what: 'an edit before hello', beforeAttach: createEditMessage(Y.encodeStateAsUpdate(docOf('x'))), code: 'bad-message' },
  { what: 'an edit on a channel never attached', afterAttach: { ...createEditMessage(Uint8Array.of(0, 0)), channel: 7 }, code: 'bad-message' },
  { what: 'a document part that does not exist', beforeAttach: () => [helloMessage, { ...createAttachMessage('a'), part: 'margin' as 'body' }], code: 'bad-message' },
  { what: 'an acknowledgement of what was never sent', afterAttach: { type: 'received', number: 1_000 }, code: 'bad-message' },
  { what: 'a take of what was never sent', afterAttach: { type: 'take', received: 1_000 }, code: 'bad-message' },
  { what: 'a gap after everything that was ever sent', afterAttach: { type: 'gap', expected: 1_000 }, code: 'bad-message' },
  { what: 'a gap before the first', afterAttach: { type: 'gap', expected: 0 }, code: 'bad-message' },
  { what: 'a document id of 4 KiB and more', beforeAttach: () => [helloMessage, createAttachMessage('a'.repeat(5_000))], code: 'bad-message' },
  { what: 'an invalid document id', beforeAttach: () => [helloMessage, createAttachMessage('../../etc/passwd')], code: 'bad-document', expectedReply: 'detached' },
  { what: 'an invalid state vector', beforeAttach: (id) => [helloMessage, { ...createAttachMessage(id), stateVector: randomBytes }], code: 'bad-message', expectedReply: 'detached' },
  { what: 'a state vector of 500,000 entries', beforeAttach: (id) => [helloMessage, { ...createAttachMessage(id), stateVector: longStateVector }], code: 'bad-message', detail: 'MAX_UNKNOWN_CLIENTS', expectedReply: 'detached' },
  { what: 'such a state vector once it is attached', afterAttach: (id) => [{ ...createAttachMessage(id), number: 2, stateVector: longStateVector }], code: 'bad-message', detail: 'MAX_UNKNOWN_CLIENTS', expectedReply: 'detached' },
  { what: 'an update of random bytes', afterAttach: createEditMessage(randomBytes), code: 'bad-update', expectedReply: 'refused' },
  { what: 'an empty update', afterAttach: createEditMessage(new Uint8Array()), code: 'bad-update', expectedReply: 'refused' },
  { what: 'an update cut short', afterAttach: createEditMessage(Y.encodeStateAsUpdate(docOf('cut')).subarray(0, -2)), code: 'bad-update', expectedReply: 'refused' },
  { what: 'a V2 update', afterAttach: createEditMessage(Y.encodeStateAsUpdateV2(docOf('second'))), code: 'bad-update', expectedReply: 'refused' },
  { what: 'sixteen embeds of 9,000 nested brackets in one turn', afterAttach: createNestedEdits(), code: 'bad-update', expectedReply: 'refused' },
  { what: 'presence of random bytes', afterAttach: { type: 'presence', channel: 1, whole: false, update: randomBytes }, code: 'bad-frame' },
  { what: 'presence of 100,000 clients', afterAttach: { type: 'presence', channel: 1, whole: false, update: longPresence }, code: 'bad-frame', detail: 'MAX_UNKNOWN_PRESENCES' },
  { what: 'another version of the protocol', beforeAttach: { ...helloMessage, protocol: 99 }, code: 'version' },
  { what: 'an older schema', beforeAttach: { ...helloMessage, schema: 0 }, code: 'version' },
  { what: 'a message over 32 MiB', afterAttach: createEndlessMessage(), code: 'too-large' },
] // prettier-ignore

/** Each has 18 KB: merged with others of the same turn, they would overflow the stack where they are encoded again. */
function createNestedEdits(): Uint8Array[] {
  const edits = Array.from({ length: 16 }, (_, index) =>
    createEditMessage(embedUpdateOf(nestedArrays(9_000), 1_000 + index), index + 2),
  )
  return packFrames(edits.map(encodeClientMessage))
}

/** Frames that each announce another one. */
function createEndlessMessage(): Uint8Array[] {
  const frame = new Uint8Array(MAX_FRAME_BYTES)
  frame[0] = 1
  return Array.from({ length: MAX_MESSAGE_BYTES / MAX_FRAME_BYTES + 1 }, () => frame)
}

const disposableNet = (net: NetworkPlatform) => ({ net, [Symbol.dispose]: () => net.dispose() })

type Body = Uint8Array<ArrayBuffer>

/**
 * A session treats its messages alike on all transports. Polls at an interval differ from held ones by their pauses alone, and both
 * schemes carry them alike.
 */
function isTestedRoute({ transport, scheme }: TransportRoute): boolean {
  const { downstream } = transportDescriptors[transport]
  return downstream === 'stream' || (downstream === 'held requests' && scheme === 'https')
}

/** One server, or several behind one origin. */
export type AttackedService = AsyncDisposable &
  Pick<RealServer, 'origin' | 'createDocument' | 'openDocument' | 'readStoredDocument' | 'stop'> & {
    storedBytes(document: string): string | Promise<string>
  }

/** Who writes under the client id of a window, and by which link. */
const forgers = [
  ['another principal', 'other'],
  ['who shares a link with its window', 'editor'],
] as const

export interface BadInputOptions {
  /** Starts what is attacked. */
  readonly start?: () => Promise<AttackedService>
}

export function describeBadInput(
  routes: readonly TransportRoute[],
  { start = () => RealServer.start() }: BadInputOptions = {},
): void {
  const openRawClient = (route: TransportRoute, token: string): Promise<RawClient> =>
    RawClient.open(route.transport, server.origin(route.scheme), token)

  let server: AttackedService
  let shared: SharedDocument
  let otherWindow: OpenDocument

  beforeAll(async () => {
    server = await start()
    shared = await server.createDocument()
    otherWindow = server.openDocument(shared, { transport: 'websocket', scheme: 'http' })
    await otherWindow.whenSynced
  })
  afterAll(async () => {
    await otherWindow.close()
    await server[Symbol.asyncDispose]()
  })

  /** Everybody else's typing continues, over the same link, and is all that the document contains. */
  async function expectStillTyping(text: string): Promise<void> {
    const trace = otherWindow.doc.getText('trace')
    trace.insert(trace.length, text)
    await otherWindow.whenSaved()
    expect(otherWindow.stats().links).toBe(1)
  }

  async function sendBadInput(
    client: RawClient,
    { beforeAttach, afterAttach, expectedReply }: BadInput,
  ): Promise<CloseReason> {
    const send = (what: Sent): void => {
      if (typeof what === 'function') client.send(...what(shared.id))
      else if ('type' in what) client.send(what)
      else client.sendFrames(what)
    }
    if (beforeAttach) send(beforeAttach)
    if (afterAttach) {
      client.send(helloMessage, createAttachMessage(shared.id))
      await client.waitForMessage('attached')
      send(afterAttach)
    }
    const reason = await client.closed
    if (expectedReply)
      expect(client.received).toContainEqual(
        expect.objectContaining({
          type: expectedReply,
          reason: expect.objectContaining({ code: reason.code }),
        }),
      )
    return reason
  }

  describe.each(routes.filter(isTestedRoute))('[A6] bad input by $transport over $scheme', (route) => {
    test.each(badInputs)('$what: $code', async (input) => {
      await expectStillTyping('.')
      const before = await server.storedBytes(shared.id)
      using client = await openRawClient(route, shared.tokens.editor)
      expect(await sendBadInput(client, input)).toMatchObject({
        code: input.code,
        detail: expect.stringMatching(input.detail ?? /./),
      })
      expect(await server.storedBytes(shared.id)).toBe(before)
      await expectStillTyping('!')
    })

    test('[S1] a number too high is a gap: the expected one is named, nothing is stored, and the link stays', async () => {
      const before = await server.storedBytes(shared.id)
      using client = await openRawClient(route, shared.tokens.editor)
      client.send(helloMessage, createAttachMessage(shared.id))
      await client.waitForMessage('attached')
      client.send(createEditMessage(Y.encodeStateAsUpdate(docOf('from the future')), 7))
      expect(await client.waitForMessage('gap')).toEqual({ type: 'gap', expected: 2 })
      expect(await server.storedBytes(shared.id)).toBe(before)
      client.send({ type: 'ping', token: 5 })
      expect(await client.waitForMessage('pong')).toEqual({ type: 'pong', token: 5 })
    })

    // A person's windows receive each other's edits at once, so the server may not have the text that an edit builds on (W2): this
    // alone is no attack.
    test('an update on text nobody has: refused as behind, what follows is not examined, and the link stays', async () => {
      const before = await server.storedBytes(shared.id)
      using client = await openRawClient(route, shared.tokens.editor)
      client.send(helloMessage, createAttachMessage(shared.id))
      await client.waitForMessage('attached')
      client.send(
        ...Array.from({ length: 4_000 }, (_, index) => createEditMessage(createOrphanUpdate(), index + 2)),
      )
      client.send({ type: 'ping', token: 5 })
      expect(await client.waitForMessage('refused')).toMatchObject({ refused: 2, reason: { code: 'behind' } })
      await client.waitForMessage('pong')
      expect(client.received.filter(({ type }) => type === 'refused')).toHaveLength(1)
      expect(await server.storedBytes(shared.id)).toBe(before)
      await expectStillTyping('~')
    })

    test('[S3] one that is refused after an attach has offered it again: what follows that attach is received', async () => {
      const { id, tokens } = await server.createDocument()
      using client = await openRawClient(route, tokens.editor)
      client.send(helloMessage, createAttachMessage(id))
      await client.waitForMessage('attached')
      client.send(createEditMessage(createOrphanUpdate()), { ...createAttachMessage(id), number: 3 })
      await waitUntil(() => client.received.filter(({ type }) => type === 'attached').length === 2)
      client.send(createEditMessage(Y.encodeStateAsUpdate(docOf('offered anew')), 4))
      expect(await client.waitForMessage('saved')).toMatchObject({ upTo: 4 })
    })

    test('one that is sent nine times with text on text nobody has: bad-update', async () => {
      const before = await server.storedBytes(shared.id)
      using client = await openRawClient(route, shared.tokens.editor)
      client.send(helloMessage)
      for (let turn = 0; turn < 9; turn++) {
        client.send({ ...createAttachMessage(shared.id), number: 2 * turn + 1 })
        await waitUntil(() => client.received.filter(({ type }) => type === 'attached').length === turn + 1)
        client.send(createEditMessage(createOrphanUpdate(), 2 * turn + 2))
        await waitUntil(() => client.received.filter(({ type }) => type === 'refused').length === turn + 1)
      }
      expect(await client.closed).toMatchObject({
        code: 'bad-update',
        detail: expect.stringContaining('builds on'),
      })
      expect(await server.storedBytes(shared.id)).toBe(before)
      await expectStillTyping('~')
    })

    test('[A4] a viewer’s write is refused with a reason, nothing is stored, and it may read on', async () => {
      const before = await server.storedBytes(shared.id)
      using client = await openRawClient(route, shared.tokens.viewer)
      client.send(helloMessage, createAttachMessage(shared.id))
      await client.waitForMessage('attached')
      client.send(createEditMessage(Y.encodeStateAsUpdate(docOf('scribble'))))
      expect(await client.waitForMessage('refused')).toMatchObject({
        refused: 2,
        reason: { code: 'forbidden' },
      })
      expect(await server.storedBytes(shared.id)).toBe(before)
      await expectStillTyping('?')
      await client.waitForMessage('change')
    })

    test.each(forgers)(
      '[A5] structs of %s under a client id: refused, the link stays, and its owner types on',
      async (_who, tokenName) => {
        await expectStillTyping('.')
        const before = await server.storedBytes(shared.id)
        using client = await openRawClient(route, shared.tokens[tokenName])
        client.send(helloMessage, createAttachMessage(shared.id))
        await client.waitForMessage('attached')
        const { clientID, store } = otherWindow.doc
        client.send(createEditMessage(forgeStruct(clientID, Y.getState(store, clientID), GC, 100_000)))
        expect(await client.waitForMessage('refused')).toMatchObject({
          refused: 2,
          reason: { code: 'taken' },
        })
        expect(await server.storedBytes(shared.id)).toBe(before)
        await expectStillTyping('!')
        await client.waitForMessage('change')
      },
    )

    test('[A5] a client id announced by somebody else: detached as taken, and the link stays', async () => {
      using client = await openRawClient(route, shared.tokens.other)
      client.send(helloMessage, { ...createAttachMessage(shared.id), client: otherWindow.doc.clientID })
      expect(await client.waitForMessage('detached')).toMatchObject({ reason: { code: 'taken' } })
      client.send({ ...createAttachMessage(shared.id), number: 2 })
      await client.waitForMessage('attached')
    })

    test('[A2] a document that is missing and one of somebody else get the same answer', async () => {
      const other = await server.createDocument()
      using client = await openRawClient(route, shared.tokens.editor)
      client.send(helloMessage, createAttachMessage(other.id), {
        ...createAttachMessage('AAAAAAAAAAAAAAAAAAAAAA'),
        number: 2,
        channel: 2,
      })
      await waitUntil(() => client.received.filter(({ type }) => type === 'detached').length === 2)
      const answers = client.received.flatMap((one) => (one.type === 'detached' ? [one.reason] : []))
      expect(answers).toEqual([{ code: 'forbidden' }, { code: 'forbidden' }])
    })
  })

  describe.each(routes)('[A2] [S10] sessions of somebody else by $transport over $scheme', (route) => {
    /** A session that is attached, and the messages that open it. */
    async function openSession() {
      const client = await openRawClient(route, shared.tokens.editor)
      client.send(helloMessage, createAttachMessage(shared.id))
      await client.waitForMessage('attached')
      const { id, secret } = await client.waitForMessage('welcome')
      return { client, resume: { id, secret, received: 1, take: true } }
    }

    test.each([
      ['an unknown session', { id: 'a.nobody' }, 'editor'],
      ['a wrong secret', { secret: 'x'.repeat(22) }, 'editor'],
      ['somebody else’s credential', {}, 'viewer'],
    ] as const)(
      '%s: a new session opens instead, and the targeted one continues',
      async (_what, wrongFields, tokenName) => {
        const { client: own, resume } = await openSession()
        using first = own
        using other = await openRawClient(route, shared.tokens[tokenName])
        other.send({ ...helloMessage, resume: { ...resume, ...wrongFields } })
        const welcome = await other.waitForMessage('welcome')
        expect(welcome).toMatchObject({ resumed: false, received: 0 })
        expect(welcome.id).not.toBe(resume.id)
        first.send({ type: 'ping', token: 3 })
        await first.waitForMessage('pong')
      },
    )

    test('[S1] two links for one session at once: the second takes over, and what both send is taken once', async () => {
      const { client: own, resume } = await openSession()
      using first = own
      using second = await openRawClient(route, shared.tokens.editor)
      const repeatedEdit = createEditMessage(Y.encodeStateAsUpdate(docOf('_')))
      first.send(repeatedEdit)
      second.send({ ...helloMessage, resume }, repeatedEdit)
      await first.waitForMessage('drained')
      expect(await second.waitForMessage('welcome')).toMatchObject({ id: resume.id, resumed: true })
      expect(await second.waitForMessage('saved')).toMatchObject({ upTo: 2 })
      second.send({ type: 'ping', token: 3 })
      await second.waitForMessage('pong')
      expect(second.received.some(({ type }) => type === 'gap')).toBe(false)
      await waitUntil(() => otherWindow.doc.getText('trace').toJSON().includes('_'))
      const index = otherWindow.doc.getText('trace').toJSON().indexOf('_')
      otherWindow.doc.getText('trace').delete(index, 1)
      expect(otherWindow.doc.getText('trace').toJSON()).not.toContain('_')
      await otherWindow.whenSaved()
    })
  })

  const httpRoutes = routes.filter(({ transport }) => transport !== 'websocket')

  describe.each(httpRoutes)('[A6] bad uploads by $transport over $scheme', ({ transport, scheme }) => {
    /** A client, and the id of its link, read from its own first POST. */
    async function openNamedClient() {
      const net = createNet({ insecure: true })
      const keyPromise = Promise.withResolvers<LinkKey>()
      const origin = server.origin(scheme)
      const recordingNet = {
        ...net,
        fetch(url: string, init: FetchInit) {
          if (url === origin + paths.up && init.body instanceof Uint8Array)
            keyPromise.resolve(new LinkHeadReader().push(init.body)!.key)
          return net.fetch(url, init)
        },
      }
      const target = { origin, net: recordingNet, token: shared.tokens.editor, streamedBody: false }
      const client = await RawClient.openOver(transports.get(transport)!, target)
      client.send(helloMessage, createAttachMessage(shared.id))
      await client.waitForMessage('attached')
      return { client, key: await keyPromise.promise }
    }

    async function post(key: LinkKey, records: Body, token = shared.tokens.editor) {
      using net = disposableNet(createNet({ insecure: true }))
      const body = new Uint8Array(Buffer.concat([encodeLinkHead(key), records]))
      const headers = { authorization: `Bearer ${token}` }
      const answer = await net.net.fetch(server.origin(scheme) + paths.up, { method: 'POST', headers, body })
      return { status: answer.status, ...((await answer.json()) as object) }
    }

    const ping = encodeRecords(packFrames([encodeClientMessage({ type: 'ping', token: 7 })]))

    test.each([
      ['an unknown link', { id: 'a.nobody' }, 'editor', 404, 'lost'],
      ['a link of another node', { id: 'z.1' }, 'editor', 404, 'lost'],
      ['a wrong secret', { secret: new Uint8Array(16) }, 'editor', 403, 'forbidden'],
      ['another’s credential', {}, 'viewer', 403, 'lost'],
    ] as const)(
      '%s: refused, and the targeted link survives',
      async (_what, wrongFields, tokenName, status, code) => {
        const { client: own, key } = await openNamedClient()
        using client = own
        expect(await post({ ...key, ...wrongFields }, ping, shared.tokens[tokenName])).toMatchObject({
          status,
          error: { code },
        })
        client.send({ type: 'ping', token: 8 })
        expect(await client.waitForMessage('pong')).toEqual({ type: 'pong', token: 8 })
      },
    )

    const badUploads = [
      ['a length that is wrong', () => ping.subarray(0, -1), 400, 'bad-frame'],
      ['a length without an end', () => new Uint8Array(5).fill(0xff), 400, 'bad-frame'],
      [
        'a frame over the limit',
        () => encodeRecords([new Uint8Array(MAX_FRAME_BYTES + 1)]),
        413,
        'too-large',
      ],
      [
        'a body over the limit',
        () => encodeRecords(Array(5).fill(new Uint8Array(MAX_FRAME_BYTES)) as Body[]),
        413,
        'too-large',
      ],
    ] as const

    test.each(badUploads)(
      '%s: refused, and the link closed with the reason',
      async (_what, records, status, code) => {
        const { client: own, key } = await openNamedClient()
        using client = own
        expect(await post(key, records())).toMatchObject({ status, error: { code } })
        expect(await client.closed).toMatchObject({ code })
      },
    )
  })

  test('meanwhile the document has nothing but what its writer typed', async () => {
    const reader = server.openDocument(shared, { transport: 'sse', scheme: 'https' }, 'viewer')
    await reader.whenSynced
    expect(reader.doc.getText('trace').toJSON()).toBe(otherWindow.doc.getText('trace').toJSON())
    expect(reader.doc.getText('trace').toJSON()).toMatch(/^[.!?~]+$/)
    await reader.close()
    await otherWindow.close()
    await server.stop()
    const stored = await server.readStoredDocument(shared.id)
    expect(Y.encodeStateAsUpdate(stored)).toEqual(Y.encodeStateAsUpdate(otherWindow.doc))
  })
}
