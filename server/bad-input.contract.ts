/** What bad input gets, on each transport of the real server: a reason, the end of its link, and nothing else. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import type { OpenDocument } from '../lib/client.ts'
import type { CloseCode, CloseReason } from '../lib/protocol/close.ts'
import { packFrames } from '../lib/protocol/envelope.ts'
import { paths } from '../lib/protocol/http.ts'
import { MAX_FRAME_BYTES, MAX_MESSAGE_BYTES } from '../lib/protocol/limits.ts'
import { HeadReader, type LinkKey, writeHead } from '../lib/protocol/link-key.ts'
import type { ClientMessage } from '../lib/protocol/message.ts'
import { encodeClientMessage, encodeServerMessage } from '../lib/protocol/message.ts'
import { encodeRecords } from '../lib/protocol/records.ts'
import type { FetchInit, Net } from '../lib/transports/net/net.ts'
import { createNet } from '../lib/transports/net/node.ts'
import { transports } from '../lib/transports/registry.ts'
import { forgedStruct, GC } from './fixtures/forged.ts'
import { attach, edit, hello, RawClient } from './fixtures/raw-client.ts'
import { embedOf, nested } from './rooms/fixtures/update-writer.ts'
import { RealServer, type SharedDocument, until, type Way } from './fixtures/real-server.ts'

const docOf = (text: string): Y.Doc => {
  const doc = new Y.Doc()
  doc.getText('trace').insert(0, text)
  return doc
}

const orphan = (): Uint8Array => {
  const doc = docOf('never sent')
  const before = Y.encodeStateVector(doc)
  doc.getText('trace').insert(0, 'sent')
  return Y.encodeStateAsUpdate(doc, before)
}

const random = Uint8Array.from({ length: 200 }, (_, index) => (index * 167 + 91) % 256)
const message = (...numbers: number[]): Uint8Array[] => [Uint8Array.of(0, ...numbers)]

interface Attack {
  readonly what: string
  readonly code: CloseCode
  /** Said once the document is attached; without it, said first of all. */
  readonly attached?: ClientMessage | readonly Uint8Array[]
  readonly first?: ClientMessage | readonly Uint8Array[] | ((document: string) => ClientMessage[])
  /** What it is told before the link ends. */
  readonly hears?: 'refused' | 'detached'
}

const attacks: Attack[] = [
  { what: 'an empty frame', first: [new Uint8Array()], code: 'bad-frame' },
  { what: 'random bytes', first: [Uint8Array.of(0, ...random)], code: 'bad-frame' },
  { what: 'a message of no known kind', first: message(99), code: 'bad-frame' },
  { what: 'a message that only a server says', first: [Uint8Array.of(0, ...encodeServerMessage({ type: 'drained' }))], code: 'bad-frame' },
  { what: 'a hello cut short', first: message(1, 1), code: 'bad-frame' },
  { what: 'a length beyond the frame', attached: message(24, 2, 1, 0xff, 0xff, 0x7f, 1), code: 'bad-frame' },
  { what: 'a number beyond 2⁵³', attached: message(7, ...Array<number>(9).fill(0xff), 1), code: 'bad-frame' },
  { what: 'anything before hello', first: { type: 'ping', token: 1 }, code: 'bad-message' },
  { what: 'an edit before hello', first: edit(Y.encodeStateAsUpdate(docOf('x'))), code: 'bad-message' },
  { what: 'an edit on a channel never attached', attached: { ...edit(Uint8Array.of(0, 0)), channel: 7 }, code: 'bad-message' },
  { what: 'a document part that there is not', first: () => [hello, { ...attach('a'), part: 'margin' as 'body' }], code: 'bad-message' },
  { what: 'a confirmation of what was never said', attached: { type: 'received', number: 1_000 }, code: 'bad-message' },
  { what: 'a take of what was never said', attached: { type: 'take', received: 1_000 }, code: 'bad-message' },
  { what: 'a gap behind what was ever said', attached: { type: 'gap', expected: 1_000 }, code: 'bad-message' },
  { what: 'a gap before the first', attached: { type: 'gap', expected: 0 }, code: 'bad-message' },
  { what: 'a document id of 4 KiB and more', first: () => [hello, attach('a'.repeat(5_000))], code: 'bad-message' },
  { what: 'a document id that is not one', first: () => [hello, attach('../../etc/passwd')], code: 'bad-document', hears: 'detached' },
  { what: 'a state vector that is none', first: (id) => [hello, { ...attach(id), stateVector: random }], code: 'bad-message', hears: 'detached' },
  { what: 'an update of random bytes', attached: edit(random), code: 'bad-update', hears: 'refused' },
  { what: 'an empty update', attached: edit(new Uint8Array()), code: 'bad-update', hears: 'refused' },
  { what: 'an update cut short', attached: edit(Y.encodeStateAsUpdate(docOf('cut')).subarray(0, -2)), code: 'bad-update', hears: 'refused' },
  { what: 'a V2 update', attached: edit(Y.encodeStateAsUpdateV2(docOf('second'))), code: 'bad-update', hears: 'refused' },
  { what: 'sixteen embeds of 9,000 nested brackets in one turn', attached: sixteenNested(), code: 'bad-update', hears: 'refused' },
  { what: 'presence of random bytes', attached: { type: 'presence', channel: 1, whole: false, update: random }, code: 'bad-frame' },
  { what: 'another version of the protocol', first: { ...hello, protocol: 99 }, code: 'version' },
  { what: 'an older schema', first: { ...hello, schema: 0 }, code: 'version' },
  { what: 'a message over 32 MiB', attached: endless(), code: 'too-large' },
] // prettier-ignore

/** 18 KB each: merged with others of the same turn, they would overflow the stack where they are written again. */
function sixteenNested(): Uint8Array[] {
  const edits = Array.from({ length: 16 }, (_, index) =>
    edit(embedOf(nested(9_000), 1_000 + index), index + 2),
  )
  return packFrames(edits.map(encodeClientMessage))
}

/** Frames that each say that more is to come. */
function endless(): Uint8Array[] {
  const frame = new Uint8Array(MAX_FRAME_BYTES)
  frame[0] = 1
  return Array.from({ length: MAX_MESSAGE_BYTES / MAX_FRAME_BYTES + 1 }, () => frame)
}

const disposable = (net: Net) => ({ net, [Symbol.dispose]: () => net.dispose() })

type Body = Uint8Array<ArrayBuffer>

/** What a session makes of what it hears is the same behind all transports; `poll` differs from `long-poll` by its pauses alone. */
const isAttacked = ({ transport, scheme }: Way): boolean =>
  transport !== 'poll' && (transport !== 'long-poll' || scheme === 'https')

/** On a server of its own. */
export function describeBadInput(ways: readonly Way[]): void {
  const rawClient = (way: Way, token: string): Promise<RawClient> =>
    RawClient.open(way.transport, server.origin(way.scheme), token)

  let server: RealServer
  let shared: SharedDocument
  let bystander: OpenDocument

  beforeAll(async () => {
    server = await RealServer.start()
    shared = await server.newDocument()
    bystander = server.open(shared, { transport: 'websocket', scheme: 'http' })
    await bystander.whenSynced
  })
  afterAll(async () => {
    await bystander.close()
    await server[Symbol.asyncDispose]()
  })

  /** Everybody else's typing goes on, over the link it had, and is all there is. */
  async function typesOn(text: string): Promise<void> {
    const trace = bystander.doc.getText('trace')
    trace.insert(trace.length, text)
    await bystander.whenSaved()
    expect(bystander.stats().links).toBe(1)
  }

  async function attack(client: RawClient, { first, attached, hears }: Attack): Promise<CloseReason> {
    const say = (what: ClientMessage | readonly Uint8Array[]): void =>
      'type' in what ? client.say(what) : client.frames(what)
    if (typeof first === 'function') client.say(...first(shared.id))
    else if (first) say(first)
    if (attached) {
      client.say(hello, attach(shared.id))
      await client.hears('attached')
      say(attached)
    }
    const reason = await client.closed
    if (hears)
      expect(client.heard).toContainEqual(
        expect.objectContaining({ type: hears, reason: expect.objectContaining({ code: reason.code }) }),
      )
    return reason
  }

  describe.each(ways.filter(isAttacked))('[A6] bad input by $transport over $scheme', (way) => {
    test.each(attacks)('$what: $code', async (bad) => {
      await typesOn('.')
      const before = server.storedBytes(shared.id)
      using client = await rawClient(way, shared.tokens.editor)
      expect(await attack(client, bad)).toMatchObject({ code: bad.code, detail: expect.stringMatching(/./) })
      expect(server.storedBytes(shared.id)).toBe(before)
      await typesOn('!')
    })

    test('[S1] a number too high is a gap: the one expected is named, nothing is stored, and the link stays', async () => {
      const before = server.storedBytes(shared.id)
      using client = await rawClient(way, shared.tokens.editor)
      client.say(hello, attach(shared.id))
      await client.hears('attached')
      client.say(edit(Y.encodeStateAsUpdate(docOf('from the future')), 7))
      expect(await client.hears('gap')).toEqual({ type: 'gap', expected: 2 })
      expect(server.storedBytes(shared.id)).toBe(before)
      client.say({ type: 'ping', token: 5 })
      expect(await client.hears('pong')).toEqual({ type: 'pong', token: 5 })
    })

    // Own windows hear each other at once, so what one builds on the other may not have brought yet (W2): no attack by itself.
    test('an update on text nobody has: refused as behind, what is said behind it is not looked at, and the link stays', async () => {
      const before = server.storedBytes(shared.id)
      using client = await rawClient(way, shared.tokens.editor)
      client.say(hello, attach(shared.id))
      await client.hears('attached')
      client.say(...Array.from({ length: 4_000 }, (_, index) => edit(orphan(), index + 2)))
      client.say({ type: 'ping', token: 5 })
      expect(await client.hears('refused')).toMatchObject({ refused: 2, reason: { code: 'behind' } })
      await client.hears('pong')
      expect(client.heard.filter(({ type }) => type === 'refused')).toHaveLength(1)
      expect(server.storedBytes(shared.id)).toBe(before)
      await typesOn('~')
    })

    test('[S3] one that is refused after an attach has offered it anew: what comes behind that attach is heard', async () => {
      const { id, tokens } = await server.newDocument()
      using client = await rawClient(way, tokens.editor)
      client.say(hello, attach(id))
      await client.hears('attached')
      client.say(edit(orphan()), { ...attach(id), number: 3 })
      await until(() => client.heard.filter(({ type }) => type === 'attached').length === 2)
      client.say(edit(Y.encodeStateAsUpdate(docOf('offered anew')), 4))
      expect(await client.hears('saved')).toMatchObject({ upTo: 4 })
    })

    test('one that comes back nine times with text on text nobody has: bad-update', async () => {
      const before = server.storedBytes(shared.id)
      using client = await rawClient(way, shared.tokens.editor)
      client.say(hello)
      for (let turn = 0; turn < 9; turn++) {
        client.say({ ...attach(shared.id), number: 2 * turn + 1 })
        await until(() => client.heard.filter(({ type }) => type === 'attached').length === turn + 1)
        client.say(edit(orphan(), 2 * turn + 2))
        await until(() => client.heard.filter(({ type }) => type === 'refused').length === turn + 1)
      }
      expect(await client.closed).toMatchObject({
        code: 'bad-update',
        detail: expect.stringContaining('builds on'),
      })
      expect(server.storedBytes(shared.id)).toBe(before)
      await typesOn('~')
    })

    test('[A4] a viewer’s write is refused with a reason, nothing is stored, and it may read on', async () => {
      const before = server.storedBytes(shared.id)
      using client = await rawClient(way, shared.tokens.viewer)
      client.say(hello, attach(shared.id))
      await client.hears('attached')
      client.say(edit(Y.encodeStateAsUpdate(docOf('scribble'))))
      expect(await client.hears('refused')).toMatchObject({ refused: 2, reason: { code: 'forbidden' } })
      expect(server.storedBytes(shared.id)).toBe(before)
      await typesOn('?')
      await client.hears('change')
    })

    test.each([
      ['another principal', 'other'],
      ['who shares a link with its window', 'editor'],
    ] as const)(
      '[A5] structs of %s under a client id: refused, the link stays, and its owner types on',
      async (_who, as) => {
        await typesOn('.')
        const before = server.storedBytes(shared.id)
        using client = await rawClient(way, shared.tokens[as])
        client.say(hello, attach(shared.id))
        await client.hears('attached')
        const { clientID, store } = bystander.doc
        client.say(edit(forgedStruct(clientID, Y.getState(store, clientID), GC, 100_000)))
        expect(await client.hears('refused')).toMatchObject({ refused: 2, reason: { code: 'taken' } })
        expect(server.storedBytes(shared.id)).toBe(before)
        await typesOn('!')
        await client.hears('change')
      },
    )

    test('[A5] an announced client id of somebody else: detached as taken, and the link stays', async () => {
      using client = await rawClient(way, shared.tokens.other)
      client.say(hello, { ...attach(shared.id), client: bystander.doc.clientID })
      expect(await client.hears('detached')).toMatchObject({ reason: { code: 'taken' } })
      client.say({ ...attach(shared.id), number: 2 })
      await client.hears('attached')
    })

    test('[A2] a document that is missing and one of somebody else get the same answer', async () => {
      const other = await server.newDocument()
      using client = await rawClient(way, shared.tokens.editor)
      client.say(hello, attach(other.id), {
        ...attach('AAAAAAAAAAAAAAAAAAAAAA'),
        number: 2,
        channel: 2,
      })
      await until(() => client.heard.filter(({ type }) => type === 'detached').length === 2)
      const answers = client.heard.flatMap((one) => (one.type === 'detached' ? [one.reason] : []))
      expect(answers).toEqual([{ code: 'forbidden' }, { code: 'forbidden' }])
    })
  })

  describe.each(ways)('[A2] [S10] sessions that are not one’s own by $transport over $scheme', (way) => {
    /** A session that is attached, and what opens it. */
    async function session() {
      const client = await rawClient(way, shared.tokens.editor)
      client.say(hello, attach(shared.id))
      await client.hears('attached')
      const { id, secret } = await client.hears('welcome')
      return { client, resume: { id, secret, received: 1, take: true } }
    }

    test.each([
      ['an unknown session', { id: 'a.nobody' }, 'editor'],
      ['a wrong secret', { secret: 'x'.repeat(22) }, 'editor'],
      ['somebody else’s credential', {}, 'viewer'],
    ] as const)('%s: a new session in its place, and the one meant goes on', async (_what, wrong, as) => {
      const { client: own, resume } = await session()
      using first = own
      using other = await rawClient(way, shared.tokens[as])
      other.say({ ...hello, resume: { ...resume, ...wrong } })
      const welcome = await other.hears('welcome')
      expect(welcome).toMatchObject({ resumed: false, received: 0 })
      expect(welcome.id).not.toBe(resume.id)
      first.say({ type: 'ping', token: 3 })
      await first.hears('pong')
    })

    test('[S1] two links for one session at once: the second takes over, and what both say is taken once', async () => {
      const { client: own, resume } = await session()
      using first = own
      using second = await rawClient(way, shared.tokens.editor)
      const twice = edit(Y.encodeStateAsUpdate(docOf('_')))
      first.say(twice)
      second.say({ ...hello, resume }, twice)
      await first.hears('drained')
      expect(await second.hears('welcome')).toMatchObject({ id: resume.id, resumed: true })
      expect(await second.hears('saved')).toMatchObject({ upTo: 2 })
      second.say({ type: 'ping', token: 3 })
      await second.hears('pong')
      expect(second.heard.some(({ type }) => type === 'gap')).toBe(false)
      await until(() => bystander.doc.getText('trace').toJSON().includes('_'))
      const drop = bystander.doc.getText('trace').toJSON().indexOf('_')
      bystander.doc.getText('trace').delete(drop, 1)
      expect(bystander.doc.getText('trace').toJSON()).not.toContain('_')
      await bystander.whenSaved()
    })
  })

  const http = ways.filter(({ transport }) => transport !== 'websocket')

  describe.each(http)('[A6] bad uploads by $transport over $scheme', ({ transport, scheme }) => {
    /** A client, and how its link is named: taken from its own first POST. */
    async function open() {
      const net = createNet({ insecure: true })
      const named = Promise.withResolvers<LinkKey>()
      const origin = server.origin(scheme)
      const spying = {
        ...net,
        fetch(url: string, init: FetchInit) {
          if (url === origin + paths.up && init.body instanceof Uint8Array)
            named.resolve(new HeadReader().push(init.body)!.key)
          return net.fetch(url, init)
        },
      }
      const target = { origin, net: spying, token: shared.tokens.editor, streamedBody: false }
      const client = await RawClient.over(transports.get(transport)!, target)
      client.say(hello, attach(shared.id))
      await client.hears('attached')
      return { client, key: await named.promise }
    }

    async function post(key: LinkKey, records: Body, token = shared.tokens.editor) {
      using net = disposable(createNet({ insecure: true }))
      const body = new Uint8Array(Buffer.concat([writeHead(key), records]))
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
    ] as const)('%s: refused, and the link meant lives', async (_what, wrong, as, status, code) => {
      const { client: own, key } = await open()
      using client = own
      expect(await post({ ...key, ...wrong }, ping, shared.tokens[as])).toMatchObject({
        status,
        error: { code },
      })
      client.say({ type: 'ping', token: 8 })
      expect(await client.hears('pong')).toEqual({ type: 'pong', token: 8 })
    })

    test.each([
      ['a length that lies', () => ping.subarray(0, -1), 400, 'bad-frame'],
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
    ] as const)('%s: refused, and the link closed with the reason', async (_what, records, status, code) => {
      const { client: own, key } = await open()
      using client = own
      expect(await post(key, records())).toMatchObject({ status, error: { code } })
      expect(await client.closed).toMatchObject({ code })
    })
  })

  test('all the while the document held nothing but what its writer typed', async () => {
    const reader = server.open(shared, { transport: 'sse', scheme: 'https' }, 'viewer')
    await reader.whenSynced
    expect(reader.doc.getText('trace').toJSON()).toBe(bystander.doc.getText('trace').toJSON())
    expect(reader.doc.getText('trace').toJSON()).toMatch(/^[.!?~]+$/)
    await reader.close()
    await bystander.close()
    await server.stop()
    const stored = await server.stored(shared.id)
    expect(Y.encodeStateAsUpdate(stored)).toEqual(Y.encodeStateAsUpdate(bystander.doc))
  })
}
