/**
 * Sends hostile updates to a real server, over each transport in turn, between the edits of honest windows, while a window on
 * another document measures how long its own edits wait. The server must survive, and every honest replica must equal what is
 * stored.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as Y from 'yjs'
import type { OpenDocument } from '../../lib/client.ts'
import type { EditMessage } from '../../lib/protocol/channel-messages.ts'
import {
  createAttachMessage,
  createEditMessage,
  helloMessage,
  RawClient,
} from '../../server/fixtures/raw-client.ts'
import { readStoredDocument, type TransportRoute } from '../../server/fixtures/real-server.ts'
import {
  createSharedDocument,
  openSharedDocument,
  type SharedDocument,
} from '../../server/fixtures/shared-document.ts'
import { checkUpdate } from '../../server/rooms/check-update.ts'
import { differenceOf, fingerprint } from '../../server/rooms/fixtures/fingerprint.ts'
import { hostileBytes, hostileUpdates } from '../../server/rooms/fixtures/hostile-updates.ts'
import { RoomRefusal } from '../../server/rooms/rooms.ts'
import { RoomDoc, integrateUpdate } from '../../server/rooms/integrate-update.ts'
import { KillableServer } from '../fixtures/killable-server.ts'
import { LatencyProbe, type ProbeEdit } from './fixtures/latency-probe.ts'
import { createSeededRandom } from '../../lib/fixtures/seeded-random.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { everyRoute } from '../fixtures/transport-routes.ts'

const UPDATES_PER_DOCUMENT = 2_000
/** How many updates one link carries; it ends with the first that no honest client sends. */
const UPDATES_PER_LINK = 20
const CONCURRENT_DOCUMENTS = 4
const ANSWER_TIMEOUT_MS = 10_000

export interface HostileUpdatesOptions {
  readonly seed: number
  readonly updates: number
  /** The updates for one document, over one transport. */
  readonly updatesPerDocument?: number
  /** Called once the server and the probe run. */
  onReady?(): void
  onStep?(step: string): void
}

export interface HostileUpdatesReport {
  readonly sent: number
  /** How many of them an honest replica would integrate. */
  readonly taken: number
  /** The edits of the other document. */
  readonly waited: readonly ProbeEdit[]
}

interface HonestWindow {
  readonly route: TransportRoute
  readonly opened: OpenDocument
}

interface AttackedDocument {
  readonly seed: number
  readonly document: SharedDocument
  readonly windows: readonly [HonestWindow, HonestWindow]
}

/** @throws {Error} with the seed, when the server dies or a replica differs from what is stored, and with what differs. */
export async function attackWithHostileUpdates({
  seed,
  updates,
  updatesPerDocument = UPDATES_PER_DOCUMENT,
  onReady = () => {},
  onStep = () => {},
}: HostileUpdatesOptions): Promise<HostileUpdatesReport> {
  const folder = await mkdtemp(join(tmpdir(), 'diptych-hostile-'))
  const attackedDocuments: AttackedDocument[] = []
  const server = await KillableServer.start({ folder })
  const { pid } = server
  const probe = await LatencyProbe.start(
    server.origin('http'),
    await createSharedDocument(server.origin('http')),
  )
  onReady()
  const counts = { sent: 0, taken: 0 }
  const remainingIndices = Array.from(
    { length: Math.ceil(updates / updatesPerDocument) },
    (_, index) => index,
  )
  const attackDocuments = async (): Promise<void> => {
    for (let index = remainingIndices.shift(); index !== undefined; index = remainingIndices.shift()) {
      const route = everyRoute[index % everyRoute.length]!
      const count = Math.min(updatesPerDocument, updates - index * updatesPerDocument)
      attackedDocuments.push(await attackDocument(server, route, seed + index, count, counts))
      onStep(
        `document ${index}: ${route.transport} ${route.scheme}, ${counts.sent} sent, ${counts.taken} taken`,
      )
    }
  }
  try {
    await Promise.all(Array.from({ length: CONCURRENT_DOCUMENTS }, attackDocuments))
    const { edits: waited } = probe
    await probe[Symbol.asyncDispose]()
    if (server.pid !== pid) throw new Error('the server died')
    await server.stop()
    for (const attacked of attackedDocuments) {
      const stored = await readStoredDocument(join(folder, 'diptych.sqlite'), attacked.document.id)
      for (const window of attacked.windows) checkSameText(attacked, window, ['what is stored', stored])
    }
    return { ...counts, waited }
  } catch (error) {
    throw new Error(`seed ${seed}: ${String(error)}\n${server.output}`, { cause: error })
  } finally {
    await probe[Symbol.asyncDispose]()
    await Promise.all(attackedDocuments.flatMap(({ windows }) => windows.map(({ opened }) => opened.close())))
    await server[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  }
}

async function attackDocument(
  server: KillableServer,
  route: TransportRoute,
  seed: number,
  updates: number,
  counts: { sent: number; taken: number },
): Promise<AttackedDocument> {
  const document = await createSharedDocument(server.origin('http'))
  const windows = [openWindow(server, document, route), openWindow(server, document, everyRoute[0]!)] as const
  const attacked = { seed, document, windows }
  await Promise.all(windows.map(({ opened }) => opened.whenSynced))
  const random = createSeededRandom(seed, 'honest')
  for (let triedCount = 0; triedCount < updates; ) {
    typeHonestly(random.pick(windows).opened.doc, random.between(0, 1_000_000))
    await waitUntilSaved(attacked)
    triedCount += await sendHostileUpdates(server, document, route, windows[0].opened.doc, hostileUpdates(seed * 65_536 + triedCount, UPDATES_PER_LINK), counts)
  }
  await waitUntilEqual(attacked)
  return attacked
} // prettier-ignore

const waitUntilSaved = ({ windows }: AttackedDocument): Promise<unknown> =>
  Promise.all(windows.map(({ opened }) => opened.whenSaved()))

/**
 * Two windows that both lack the last attack are equal, too. So each types once more after it: a window that receives that edit has
 * received all that was committed before. What a window tidies up after others' formatting is an edit of its own, and saved with the rest.
 */
async function waitUntilEqual(attacked: AttackedDocument): Promise<void> {
  const [one, other] = attacked.windows
  for (const { opened } of attacked.windows) opened.doc.getText('trace').insert(0, 'the last ')
  const isEqual = async (): Promise<boolean> => {
    await waitUntilSaved(attacked)
    const isSaved = attacked.windows.every(({ opened }) => opened.status.get().unsaved === 0)
    return isSaved && fingerprint(one.opened.doc) === fingerprint(other.opened.doc)
  }
  try {
    await waitUntil(isEqual, 'equality of the honest replicas')
  } catch (error) {
    checkSameText(attacked, one, [`the window over ${describeRoute(other.route)}`, other.opened.doc])
    throw error
  }
}

/** @throws {Error} that names the seed, the document and the window, and what each side has where they differ. */
function checkSameText({ seed, document }: AttackedDocument, { route, opened }: HonestWindow, [what, doc]: [string, Y.Doc]): void {
  const [own, other] = [fingerprint(opened.doc), fingerprint(doc)]
  if (own === other) return
  const [ownExcerpt, otherExcerpt] = differenceOf(own, other)
  throw new Error(
    `seed ${seed}, document ${document.id}: the window over ${describeRoute(route)}, client ${opened.doc.clientID}, differs from ${what}
  the window: ${ownExcerpt}
  ${what}: ${otherExcerpt}
  its text: ${textOf(opened.doc)}
  the other: ${textOf(doc)}`,
  )
} // prettier-ignore

const describeRoute = ({ transport, scheme }: TransportRoute): string => `${transport} ${scheme}`

const textOf = (doc: Y.Doc): string => JSON.stringify(doc.getText('trace').toDelta())

const openWindow = (
  server: KillableServer,
  document: SharedDocument,
  route: TransportRoute,
): HonestWindow => ({
  route,
  opened: openSharedDocument(server.origin(route.scheme), document, route.transport),
})

function typeHonestly(doc: Y.Doc, choice: number): void {
  const text = doc.getText('trace')
  const at = choice % (text.length + 1)
  if (choice % 3 === 0 && at < text.length) text.delete(at, 1)
  else text.insert(at, 'honest')
}

/** Sends all updates up to the first that is refused, that one included. Returns how many were examined. */
async function sendHostileUpdates(
  server: KillableServer,
  { id, tokens }: SharedDocument,
  { transport, scheme }: TransportRoute,
  doc: Y.Doc,
  plans: ReturnType<typeof hostileUpdates>,
  counts: { sent: number; taken: number },
): Promise<number> {
  const replica = new RoomDoc()
  Y.applyUpdate(replica, Y.encodeStateAsUpdate(doc))
  const accepted: Uint8Array[] = []
  let refusedUpdate: Uint8Array | undefined
  let triedCount = 0
  for (const plan of plans) {
    triedCount += 1
    const update = hostileBytes(plan, clocksOf(replica))
    if (isAccepted(replica, update)) accepted.push(update)
    else refusedUpdate = update
    if (replica.isHalfIntegrated || refusedUpdate) break
  }
  const edits = [...accepted, ...(refusedUpdate ? [refusedUpdate] : [])].map((update, index) =>
    createEditMessage(update, index + 2),
  )
  using client = await RawClient.open(transport, server.origin(scheme), tokens.editor)
  client.send(helloMessage, { ...createAttachMessage(id), token: tokens.editor })
  await client.waitForMessage('attached')
  client.send(...edits)
  await waitForAnswer(client, edits)
  counts.sent += edits.length
  counts.taken += accepted.length
  return triedCount
}

const clocksOf = (doc: Y.Doc) => Y.decodeStateVector(Y.encodeStateVector(doc))

function isAccepted(replica: RoomDoc, update: Uint8Array): boolean {
  try {
    integrateUpdate(replica, checkUpdate(clocksOf(replica), update.slice()))
    return true
  } catch (error) {
    if (error instanceof RoomRefusal) return false
    throw error
  }
}

/** Waits until the last edit is saved or refused, or its link has ended. */
async function waitForAnswer(client: RawClient, edits: readonly EditMessage[]): Promise<void> {
  let isClosed = false
  void client.closed.then(() => (isClosed = true))
  const last = edits.at(-1)!.number
  const start = performance.now()
  const isAnswered = (): boolean =>
    client.received.some((message) => (message.type === 'saved' && message.upTo >= last) || (message.type === 'refused' && message.refused === last))
  while (!isClosed && !isAnswered()) {
    if (performance.now() - start > ANSWER_TIMEOUT_MS) throw new Error('the server does not answer')
    await sleep(2)
  }
} // prettier-ignore
