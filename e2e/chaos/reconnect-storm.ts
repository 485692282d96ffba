/** Very many clients lose the server at once, type on, and reconnect when it is back. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createSharedDocument, type SharedDocument } from '../../server/fixtures/shared-document.ts'
import { KillableServer } from '../fixtures/killable-server.ts'
import { findViolations, type TokenLosses, countLosses, haveEqualState } from '../fixtures/oracle.ts'
import { createSeededRandom } from '../../lib/fixtures/seeded-random.ts'
import { describeWriter, ledgersOf } from '../fixtures/convergence.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { everyRoute } from '../fixtures/transport-routes.ts'
import { type DiptychWriter, createDiptychWriters } from '../fixtures/chaos-writers.ts'

/** With more clients on one document, the storm would measure broadcasts instead of reconnecting. */
const CLIENTS_PER_DOCUMENT = 40
const POLL_INTERVAL_MS = 20
const RECONNECT_TIMEOUT_MS = 180_000
/** When the server dies more than once, the longest random times between a death and the restart, and between that and the next death. */
const MAX_DOWN_MS = 2_000
const MAX_UP_MS = 2_000

export interface ReconnectStormOptions {
  readonly seed: number
  readonly clients: number
  /** `killed`: by SIGKILL. `restarted`: in order, so that the server tells its clients when to retry. */
  readonly end: 'killed' | 'restarted'
  /** How often the server dies, the same way, each time soon after its restart. The default is once. */
  readonly deaths?: number
  /** Called when all clients are back, with the process id of the restarted server. */
  readonly onReturned?: (pid: number) => Promise<void>
  /** Aborts the run: ends the server and the clients. */
  readonly signal?: AbortSignal
}

export interface ReconnectStormReport extends TokenLosses {
  readonly clients: number
  readonly tokens: number
  /** For each client, ms from the server's restart until it had a link and everything saved. */
  readonly returned: readonly number[]
  /** All faults in words; empty when there are none. Losses and duplicates, over all replicas and the store, are included. */
  readonly wrong: readonly string[]
}

interface DocumentWriters {
  readonly document: SharedDocument
  readonly writers: readonly DiptychWriter[]
}

/** @throws {Error} with the seed, when a client does not reconnect or the oracle finds a violation. */
export async function runReconnectStorm(options: ReconnectStormOptions): Promise<ReconnectStormReport> {
  const { seed, clients, end } = options
  const label = `seed ${seed}, ${clients} clients, ${end}`
  const report = await measureReconnectStorm(options).catch((error: unknown) => {
    throw new Error(`${label}: ${String(error)}`, { cause: error })
  })
  if (report.wrong.length > 0) throw new Error(`${label}: ${report.wrong.slice(0, 5).join('; ')}`)
  return report
}

/** Does the same, but reports faults instead of throwing. */
export async function measureReconnectStorm({
  seed,
  clients,
  end,
  deaths = 1,
  onReturned,
  signal,
}: ReconnectStormOptions): Promise<ReconnectStormReport> {
  await using server = await KillableServer.start()
  const writersByDocument: DocumentWriters[] = []
  const close = () =>
    Promise.all(writersByDocument.flatMap(({ writers }) => writers.map((writer) => writer.close())))
  signal?.addEventListener('abort', () => void Promise.all([server.kill(), close()]), { once: true })
  try {
    for (let openedCount = 0; openedCount < clients; openedCount += CLIENTS_PER_DOCUMENT)
      writersByDocument.push(
        await openDocumentWriters(
          server,
          seed,
          openedCount,
          Math.min(clients - openedCount, CLIENTS_PER_DOCUMENT),
        ),
      )
    const writers = writersByDocument.flatMap((documentWriters) => documentWriters.writers)
    for (const writer of writers) writer.insertToken()
    await Promise.all(writers.map((writer) => writer.waitForAcknowledgement()))
    const random = createSeededRandom(seed, 'deaths')
    for (let death = 1; death <= deaths; death += 1) {
      await (end === 'killed' ? server.kill() : server.stop())
      for (const writer of writers) writer.insertToken()
      if (deaths > 1) await sleep(random.between(0, MAX_DOWN_MS))
      await server.start()
      if (death < deaths) await sleep(random.between(0, MAX_UP_MS))
    }
    const { returned, missingWriters } = await measureReconnects(writers)
    await onReturned?.(server.pid)
    const divergences = await Promise.all(writersByDocument.map(findDivergence))
    await server.kill()
    const checks = []
    for (const documentWriters of writersByDocument) checks.push(await checkDocument(server, documentWriters))
    return {
      clients,
      tokens: (1 + deaths) * clients,
      returned,
      lost: checks.reduce((sum, { lost }) => sum + lost, 0),
      doubled: checks.reduce((sum, { doubled }) => sum + doubled, 0),
      wrong: [...missingWriters, ...divergences.flat(), ...checks.flatMap(({ wrong }) => wrong)],
    }
  } finally {
    await close()
  }
}

async function openDocumentWriters(
  server: KillableServer,
  seed: number,
  firstClient: number,
  count: number,
): Promise<DocumentWriters> {
  const document = await createSharedDocument(server.origin('http'))
  const routes = Array.from(
    { length: count },
    (_, index) => everyRoute[(firstClient + index) % everyRoute.length]!,
  )
  // Each writer has its own letter, which identifies its tokens.
  const names = routes.map((_, index) => String.fromCodePoint(0x4e00 + index)).join('')
  const writers = createDiptychWriters(
    server.origins,
    document,
    (name) => createSeededRandom(seed, name),
    routes,
    { names },
  )
  await Promise.all(writers.map((writer) => writer.waitUntilSynced()))
  return { document, writers }
}

/** Waits until all clients have everything saved, or the time is over. */
async function measureReconnects(writers: readonly DiptychWriter[]) {
  const start = performance.now()
  const missing = new Set(writers)
  const returned: number[] = []
  while (missing.size > 0 && performance.now() - start < RECONNECT_TIMEOUT_MS) {
    const reconnected = [...missing].filter(({ window }) => isReconnected(window.status.get()))
    for (const writer of reconnected) {
      missing.delete(writer)
      returned.push(performance.now() - start)
    }
    await sleep(POLL_INTERVAL_MS)
  }
  return {
    returned,
    missingWriters: [...missing].map((writer) => `did not come back: ${describeWriter(writer)}`),
  }
}

const isReconnected = ({ link, unsaved }: ReturnType<DiptychWriter['window']['status']['get']>): boolean =>
  link.state === 'up' && unsaved === 0

/** Returns how the replicas differ, in words. */
async function findDivergence({ writers }: DocumentWriters): Promise<string[]> {
  const reconnected = writers.filter(({ window }) => isReconnected(window.status.get()))
  try {
    await Promise.all(reconnected.map((writer) => writer.waitForAcknowledgement()))
    await waitUntil(
      () => writers.every(({ doc }) => haveEqualState(doc, writers[0]!.doc)),
      'equality of all replicas',
    )
    return []
  } catch (error) {
    return [String(error)]
  }
}

async function checkDocument(
  server: KillableServer,
  { document, writers }: DocumentWriters,
): Promise<TokenLosses & { wrong: string[] }> {
  const stored = await server.readStoredDocument(document.id)
  const docs = [...writers.map(({ doc }) => doc), stored]
  const ledgers = ledgersOf(writers)
  const { lost, doubled } = countLosses(docs, ledgers)
  return {
    lost,
    doubled,
    wrong: [
      ...(lost + doubled > 0 ? [`${lost} tokens lost, ${doubled} doubled`] : []),
      ...findViolations(writers[0]!.doc, ledgers),
      ...(haveEqualState(stored, writers[0]!.doc) ? [] : ['the store differs from the replicas']),
    ],
  }
}
