/**
 * Hostile updates to a real server, over each transport in turn, between the edits of honest windows; and a window on another document
 * that measures what its own edits wait for. The server lives, and every honest replica comes to what is stored.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as Y from 'yjs'
import { type OpenDocument, openDocument } from '../../lib/client.ts'
import type { EditMessage } from '../../lib/protocol/channel.ts'
import { attach, edit, hello, RawClient } from '../../server/fixtures/raw-client.ts'
import { makeDocument, readStored, type SharedDocument, type Way } from '../../server/fixtures/real-server.ts'
import { checkUpdate } from '../../server/rooms/check-update.ts'
import { fingerprint } from '../../server/rooms/fixtures/fingerprint.ts'
import { hostileBytes, hostileUpdates } from '../../server/rooms/fixtures/hostile-updates.ts'
import { RoomRefusal } from '../../server/rooms/rooms.ts'
import { RoomDoc, takeIn } from '../../server/rooms/take-in.ts'
import { MortalServer } from '../support/mortal-server.ts'
import { Probe, type Waited } from './probe.ts'
import { randomOf } from './random.ts'
import { comesToHold } from './rest.ts'
import { everyWay } from './ways.ts'
import { pause } from './writers.ts'

const UPDATES_OF_A_STORY = 2_000
/** On one link, which ends with the first that no honest client sends. */
const UPDATES_OF_A_LINK = 20
const STORIES_AT_ONCE = 4
const ANSWER_MS = 10_000

export interface HostileOptions {
  readonly seed: number
  readonly updates: number
  /** To one document, over one transport. */
  readonly storyUpdates?: number
  /** Once the server and the probe run. */
  onReady?(): void
  onStep?(step: string): void
}

export interface HostileReport {
  readonly sent: number
  /** Those that an honest replica would have taken in. */
  readonly taken: number
  /** The edits of the other document. */
  readonly waited: readonly Waited[]
}

interface Story {
  readonly document: SharedDocument
  readonly windows: readonly OpenDocument[]
}

/** @throws {Error} with the seed, when the server dies or a replica differs from what is stored. */
export async function attackServer({
  seed,
  updates,
  storyUpdates = UPDATES_OF_A_STORY,
  onReady = () => {},
  onStep = () => {},
}: HostileOptions): Promise<HostileReport> {
  const folder = await mkdtemp(join(tmpdir(), 'diptych-hostile-'))
  const stories: Story[] = []
  const server = await MortalServer.start({ folder })
  const { pid } = server
  const probe = await Probe.start(server.origin('http'), await makeDocument(server.origin('http')))
  onReady()
  const counts = { sent: 0, taken: 0 }
  const plan = Array.from({ length: Math.ceil(updates / storyUpdates) }, (_, index) => index)
  const tellSome = async (): Promise<void> => {
    for (let index = plan.shift(); index !== undefined; index = plan.shift()) {
      const way = everyWay[index % everyWay.length]!
      const count = Math.min(storyUpdates, updates - index * storyUpdates)
      stories.push(await tellStory(server, way, seed + index, count, counts))
      onStep(`story ${index}: ${way.transport} ${way.scheme}, ${counts.sent} sent, ${counts.taken} taken`)
    }
  }
  try {
    await Promise.all(Array.from({ length: STORIES_AT_ONCE }, tellSome))
    const { waited } = probe
    await probe[Symbol.asyncDispose]()
    if (server.pid !== pid) throw new Error('the server died')
    await server.stop()
    for (const { document, windows } of stories) {
      const stored = fingerprint(await readStored(join(folder, 'diptych.sqlite'), document.id))
      if (windows.some(({ doc }) => fingerprint(doc) !== stored))
        throw new Error(`a replica of ${document.id} differs from what is stored`)
    }
    return { ...counts, waited }
  } catch (error) {
    throw new Error(`seed ${seed}: ${String(error)}\n${server.said}`, { cause: error })
  } finally {
    await probe[Symbol.asyncDispose]()
    await Promise.all(stories.flatMap(({ windows }) => windows.map((window) => window.close())))
    await server[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  }
}

async function tellStory(
  server: MortalServer,
  way: Way,
  seed: number,
  updates: number,
  counts: { sent: number; taken: number },
): Promise<Story> {
  const document = await makeDocument(server.origin('http'))
  const windows = [way, everyWay[0]!].map((each) => openAs(server, document, each))
  await Promise.all(windows.map(({ whenSynced }) => whenSynced))
  const random = randomOf(seed, 'honest')
  for (let told = 0; told < updates; ) {
    typeHonestly(random.pick(windows).doc, random.between(0, 1_000_000))
    await Promise.all(windows.map((window) => window.whenSaved()))
    told += await attackOnce(server, document, way, windows[0]!.doc, hostileUpdates(seed * 65_536 + told, UPDATES_OF_A_LINK), counts)
  }
  await comesToHold('equality of the honest replicas', async () => {
    await Promise.all(windows.map((window) => window.whenSaved()))
    return fingerprint(windows[0]!.doc) === fingerprint(windows[1]!.doc)
  })
  return { document, windows }
} // prettier-ignore

function openAs(server: MortalServer, { id, tokens }: SharedDocument, { transport, scheme }: Way): OpenDocument {
  return openDocument({ url: server.origin(scheme), document: id, token: tokens.editor, transport, insecure: true })
} // prettier-ignore

function typeHonestly(doc: Y.Doc, choice: number): void {
  const text = doc.getText('trace')
  const at = choice % (text.length + 1)
  if (choice % 3 === 0 && at < text.length) text.delete(at, 1)
  else text.insert(at, 'honest')
}

/** All that is taken, then one that is not. Returns how many were looked at. */
async function attackOnce(
  server: MortalServer,
  { id, tokens }: SharedDocument,
  { transport, scheme }: Way,
  doc: Y.Doc,
  plans: ReturnType<typeof hostileUpdates>,
  counts: { sent: number; taken: number },
): Promise<number> {
  const trial = new RoomDoc()
  Y.applyUpdate(trial, Y.encodeStateAsUpdate(doc))
  const taken: Uint8Array[] = []
  let refused: Uint8Array | undefined
  let looked = 0
  for (const plan of plans) {
    looked += 1
    const update = hostileBytes(plan, clocksOf(trial))
    if (isTaken(trial, update)) taken.push(update)
    else refused = update
    if (trial.isHalfTaken || refused) break
  }
  const edits = [...taken, ...(refused ? [refused] : [])].map((update, index) => edit(update, index + 2))
  using client = await RawClient.open(transport, server.origin(scheme), tokens.editor)
  client.say(hello, { ...attach(id), token: tokens.editor })
  await client.hears('attached')
  client.say(...edits)
  await answered(client, edits)
  counts.sent += edits.length
  counts.taken += taken.length
  return looked
}

const clocksOf = (doc: Y.Doc) => Y.decodeStateVector(Y.encodeStateVector(doc))

function isTaken(trial: RoomDoc, update: Uint8Array): boolean {
  try {
    takeIn(trial, checkUpdate(clocksOf(trial), update.slice()))
    return true
  } catch (error) {
    if (error instanceof RoomRefusal) return false
    throw error
  }
}

/** The last of them is saved or refused, or its link has ended. */
async function answered(client: RawClient, edits: readonly EditMessage[]): Promise<void> {
  let isClosed = false
  void client.closed.then(() => (isClosed = true))
  const last = edits.at(-1)!.number
  const start = performance.now()
  const isAnswered = (): boolean =>
    client.heard.some((one) => (one.type === 'saved' && one.upTo >= last) || (one.type === 'refused' && one.refused === last))
  while (!isClosed && !isAnswered()) {
    if (performance.now() - start > ANSWER_MS) throw new Error('the server does not answer')
    await pause(2)
  }
} // prettier-ignore
