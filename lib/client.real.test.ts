import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type * as Y from 'yjs'
import { authorityFile } from '../server/certificate.ts'
import { testConfig } from '../server/fixtures/test-server.ts'
import { temporaryFolder } from '../server/fixtures/temporary-folder.ts'
import { silentLogger } from '../server/fixtures/silent-logger.ts'
import { type DocumentLink, createDocumentLink } from '../server/fixtures/document-link.ts'
import { type RunningServer, startServer } from '../server/server.ts'
import { DocumentRefused, type OpenDocument, openDocument, type OpenOptions } from './client.ts'
import { newDocumentId } from './protocol/ids.ts'
import { waitUntil } from './fixtures/wait.ts'
import { triesAll } from './fixtures/runs.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let server: RunningServer
let shared: DocumentLink
const opened: OpenDocument[] = []

const startTestServer = (path = folder.path, environment = {}): Promise<RunningServer> =>
  startServer(testConfig(path, environment), { log: silentLogger, pages: false })

beforeAll(async () => {
  folder = await temporaryFolder()
  server = await startTestServer()
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()))
})
afterAll(async () => {
  await server.drain()
  await folder[Symbol.asyncDispose]()
})

function open(options: Partial<OpenOptions> = {}): OpenDocument {
  const one = openDocument({ url: server.https, insecure: true, ...shared, ...options })
  opened.push(one)
  return one
}

const textOf = ({ doc }: OpenDocument): string => doc.getText('words').toJSON()

function type({ doc }: OpenDocument, text: string): void {
  const words = doc.getText('words')
  words.insert(words.length, text)
}

const triedTransports = ({ status }: OpenDocument): string[] =>
  status
    .get()
    .evidence.filter(({ at }) => at !== undefined)
    .map(({ words }) => words)

describe.each([
  ['https', 'websocket', 'sse'],
  ['https', 'sse', 'websocket'],
  ['http', 'websocket', 'sse'],
  ['http', 'sse', 'websocket'],
] as const)('over %s, first %s', (scheme, first, other) => {
  beforeAll(async () => {
    shared = await createDocumentLink(server)
  })
  const openFirst = () => open({ url: server[scheme], transport: first })

  test('a document opens and names its transport, and two programs reach the same text', async () => {
    const [one, two] = [openFirst(), open({ transport: other })]
    await Promise.all([one.whenSynced, two.whenSynced])
    expect(one.doc.getText('title').toJSON()).toBe('Shared')
    const h2 = scheme === 'https' && first === 'sse'
    expect(one.transport).toMatchObject({ transport: first, protocol: h2 ? 'h2' : 'http/1.1' })
    expect(one.status.get()).toMatchObject({ document: { role: 'editor' }, unsaved: 0, choice: first })
    type(one, 'one ')
    await one.whenSaved()
    expect(one.status.get().unsaved).toBe(0)
    await waitUntil(() => textOf(two) === 'one ')
    type(two, 'two')
    await waitUntil(() => textOf(one) === 'one two')
  })

  test('[S4] switching there and back in mid-word loses no letter', async () => {
    const [one, two] = [openFirst(), open()]
    await Promise.all([one.whenSynced, two.whenSynced])
    const gaps: unknown[] = []
    one.status.subscribe(() => {
      if (one.status.get().link.state !== 'up') gaps.push(one.status.get().link)
    })
    const before = textOf(one)
    const letters = 'abcdefghijklmnopqrstuvwxyz'.repeat(4)
    for (const [at, letter] of letters.split('').entries()) {
      type(one, letter)
      if (at === 20) await one.switchTransport(other)
      if (at === 50) await one.switchTransport(first)
      if (at % 5 === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    }
    await one.whenSaved()
    await waitUntil(() => textOf(two) === before + letters)
    expect(textOf(one)).toBe(before + letters)
    expect(gaps).toEqual([])
    expect(one.stats()).toMatchObject({ links: 3, switches: 2, longestGapMs: 0 })
    expect(one.transport?.transport).toBe(first)
  })

  test('input that an editor has yet to read becomes a local edit before remote edits are applied, and is sent', async () => {
    const two = open({ transport: other })
    await two.whenSynced
    type(two, 'first ')
    await two.whenSaved()
    const before = textOf(two)
    const one = openFirst()
    const unread = ['with the first state ', 'with an edit ']
    const seen: string[] = []
    const stop = one.beforeRemoteEdits(() => {
      expect(one.doc._transactionCleanups).toEqual([])
      const text = unread.shift()
      if (text === undefined) return
      seen.push(textOf(one))
      type(one, text)
    })
    await one.whenSynced
    await one.whenSaved()
    await waitUntil(() => textOf(two).includes('with the first state '))
    type(two, 'second ')
    await waitUntil(() => textOf(two).includes('with an edit ') && textOf(one).includes('second '))
    expect(textOf(one)).toBe(textOf(two))
    expect(seen).toEqual(['', expect.not.stringContaining('second')])
    expect(textOf(one).length).toBe(`${before}with the first state with an edit second `.length)
    stop()
    unread.push('nobody reads any more ')
    type(two, 'third ')
    await waitUntil(() => textOf(one).includes('third '))
    expect(textOf(one)).not.toContain('nobody')
  })

  test('an error that a listener throws before or after remote edits is reported, and no edit is lost', async () => {
    const two = open({ transport: other })
    await two.whenSynced
    const reported: unknown[] = []
    const microtasks = vi.spyOn(globalThis, 'queueMicrotask').mockImplementation((run) => {
      void Promise.resolve()
        .then(run)
        .catch((error: unknown) => reported.push(error))
    })
    const one = openFirst()
    one.beforeRemoteEdits(() => {
      throw new Error('thrown by a listener')
    })
    // This also throws during the attachment, when a window would otherwise wait for ever.
    one.doc.on('afterTransaction', ({ local }: Y.Transaction) => {
      if (!local) throw new Error('thrown by an observer')
    })
    await one.whenSynced
    type(two, 'heard all the same ')
    await waitUntil(() => textOf(one).includes('heard all the same '))
    type(one, 'and answered ')
    await waitUntil(() => textOf(two).includes('and answered '))
    microtasks.mockRestore()
    expect(reported).toContainEqual(new Error('thrown by a listener'))
    expect(reported).toContainEqual(new Error('thrown by an observer'))
  })

  test('[W7] close removes the presence at once, also on the other transport', async () => {
    const watcher = open()
    await watcher.whenSynced
    const one = openFirst()
    one.awareness.setLocalState({ name: 'one' })
    await one.whenSynced
    const { clientID } = one.doc
    await waitUntil(() => watcher.awareness.getStates().has(clientID))
    await one.close()
    // One round trip later others know it. For a broken link, the server would wait 1.5 s before it reports it.
    type(watcher, '.')
    await watcher.whenSaved()
    expect(watcher.awareness.getStates().has(clientID)).toBe(false)
    await one.close()
    await expect(one.whenSaved()).rejects.toThrow(DocumentRefused)
    expect(one.transport).toBe(undefined)
  })

  test('a missing document and a token without rights are refused at once', async () => {
    const url = server[scheme]
    const missing = open({ url, transport: first, document: newDocumentId() })
    await expect(missing.whenSynced).rejects.toThrow(DocumentRefused)
    expect(missing.status.get().document).toMatchObject({ state: 'refused', reason: { code: 'forbidden' } })
    const wrong = open({ url, transport: first, token: newDocumentId() })
    await expect(wrong.whenSynced).rejects.toThrow(DocumentRefused)
    await expect(wrong.whenSaved()).rejects.toThrow(DocumentRefused)
    expect(() => open({ url, token: '' })).toThrow(/give the token/)
    await expect(open({ url, transport: first, document: 'x'.repeat(5000) }).whenSynced).rejects.toThrow(
      /the limit is 4096/,
    )
  })

  test('a viewer can only read', async () => {
    const viewer = await createDocumentLink(server, 'viewer')
    const reader = open({ ...viewer, url: server[scheme], transport: first })
    await reader.whenSynced
    await reader.whenSaved()
    expect(reader.status.get().document).toEqual({ state: 'synced', role: 'viewer' })
    type(reader, 'x')
    await expect(reader.whenSaved()).rejects.toThrow(/only view this document/)
  })
})

describe('status and stats', () => {
  beforeAll(async () => {
    shared = await createDocumentLink(server)
  })

  test('a snapshot is the same object until something changes, and listeners are notified once a turn', async () => {
    const one = open()
    await one.whenSynced
    const before = one.status.get()
    expect(one.status.get()).toBe(before)
    let notified = 0
    const stop = one.status.subscribe(() => (notified += 1))
    type(one, 'a')
    type(one, 'b')
    expect(one.status.get().unsaved).toBe(2)
    expect(notified).toBe(0)
    await Promise.resolve()
    expect(notified).toBe(1)
    stop()
    await one.whenSaved()
    expect(notified).toBe(1)
    expect(one.status.get()).not.toBe(before)
  })

  test('frames and bytes are counted both ways', async () => {
    const one = open()
    await one.whenSynced
    const before = one.stats()
    type(one, 'x'.repeat(1000))
    await one.whenSaved()
    const after = one.stats()
    expect(after.bytesUp - before.bytesUp).toBeGreaterThan(1000)
    expect(after.bytesUp - before.bytesUp).toBeLessThan(1200)
    expect(after.framesUp).toBeGreaterThan(before.framesUp)
    expect(after.framesDown).toBeGreaterThan(before.framesDown)
  })

  test('the local authority is trusted by `ca`; without it, the evidence says why not', async () => {
    const { readFile } = await import('node:fs/promises')
    const ca = await readFile(await authorityFile(folder.path), 'utf8')
    await open({ insecure: false, ca }).whenSynced
    const stranger = open({ insecure: false })
    await waitUntil(() => triedTransports(stranger).length > 0)
    expect(triedTransports(stranger)[0]).toMatch(/certificate/)
  })
})

test.each(['websocket', ...(triesAll ? (['sse', 'automatic'] as const) : [])] as const)(
  '[S3] %s: the server goes away and comes back, and what was typed meanwhile is saved',
  async (transport) => {
    await using ownFolder = await temporaryFolder()
    let own = await startTestServer(ownFolder.path)
    const ports = { PORT: new URL(own.http).port, HTTPS_PORT: new URL(own.https).port }
    shared = await createDocumentLink(own)
    const one = open({ url: own.https, transport })
    await one.whenSynced
    type(one, 'before ')
    await one.whenSaved()
    await own.drain()
    type(one, 'meanwhile ')
    const late = open({ url: own.http, transport })
    await waitUntil(() => triedTransports(late).length > 0)
    expect(one.status.get().unsaved).toBe(1)
    own = await startTestServer(ownFolder.path, ports)
    await Promise.all([one.whenSaved(), late.whenSynced])
    await waitUntil(() => textOf(late) === 'before meanwhile ')
    await Promise.all(opened.splice(0).map((each) => each.close()))
    await own.drain()
  },
)
