/** Very many clients at once lose the server, type on, and come back when it is there again. */
import { makeDocument, type SharedDocument } from '../../server/fixtures/real-server.ts'
import { MortalServer } from '../support/mortal-server.ts'
import { complaints, type Count, countIn, equal } from './oracle.ts'
import { randomOf } from './random.ts'
import { comesToHold, describeWriter, ledgersOf } from './rest.ts'
import { everyWay } from './ways.ts'
import { type OurWriter, ourWriters, pause } from './writers.ts'

/** All-to-all among more would measure something else. */
const CLIENTS_OF_A_DOCUMENT = 40
const LOOK_MS = 20
const PATIENCE_MS = 180_000
/** Where it dies more than once: between a death and the next life, and between that and the next death, at random up to these. */
const MAX_AWAY_MS = 2_000
const MAX_BACK_MS = 2_000

export interface StormOptions {
  readonly seed: number
  readonly clients: number
  /** `killed`: by SIGKILL. `restarted`: in good order, so that it says when to come again. */
  readonly end: 'killed' | 'restarted'
  /** The server dies so often, the same way, each time soon after it is back. Once unless it says otherwise. */
  readonly deaths?: number
  /** When all are back, with the process of the server that came back. */
  readonly onReturned?: (pid: number) => Promise<void>
  /** Gives it up: the server goes, and the clients. */
  readonly signal?: AbortSignal
}

export interface StormReport extends Count {
  readonly clients: number
  readonly tokens: number
  /** Of each client, ms since the server was back until it had a link and everything saved. */
  readonly returned: readonly number[]
  /** In words; nothing where all is well. What is lost or doubled, over all replicas and the store, is in it, too. */
  readonly wrong: readonly string[]
}

interface Party {
  readonly document: SharedDocument
  readonly writers: readonly OurWriter[]
}

/** @throws {Error} with the seed, when one does not come back or the oracle complains. */
export async function storm(options: StormOptions): Promise<StormReport> {
  const { seed, clients, end } = options
  const about = `seed ${seed}, ${clients} clients, ${end}`
  const report = await stormed(options).catch((error: unknown) => {
    throw new Error(`${about}: ${String(error)}`, { cause: error })
  })
  if (report.wrong.length > 0) throw new Error(`${about}: ${report.wrong.slice(0, 5).join('; ')}`)
  return report
}

/** The same for those who want figures of what goes wrong as well. */
export async function stormed({
  seed,
  clients,
  end,
  deaths = 1,
  onReturned,
  signal,
}: StormOptions): Promise<StormReport> {
  await using server = await MortalServer.start()
  const parties: Party[] = []
  const close = () => Promise.all(parties.flatMap(({ writers }) => writers.map((writer) => writer.close())))
  signal?.addEventListener('abort', () => void Promise.all([server.kill(), close()]), { once: true })
  try {
    for (let opened = 0; opened < clients; opened += CLIENTS_OF_A_DOCUMENT)
      parties.push(await openParty(server, seed, opened, Math.min(clients - opened, CLIENTS_OF_A_DOCUMENT)))
    const writers = parties.flatMap((party) => party.writers)
    for (const writer of writers) writer.insert()
    await Promise.all(writers.map((writer) => writer.acknowledge()))
    const random = randomOf(seed, 'deaths')
    for (let death = 1; death <= deaths; death += 1) {
      await (end === 'killed' ? server.kill() : server.stop())
      for (const writer of writers) writer.insert()
      if (deaths > 1) await pause(random.between(0, MAX_AWAY_MS))
      await server.start()
      if (death < deaths) await pause(random.between(0, MAX_BACK_MS))
    }
    const { returned, away } = await watchReturns(writers)
    await onReturned?.(server.pid)
    const apart = await Promise.all(parties.map(comeTogether))
    await server.kill()
    const checked = []
    for (const party of parties) checked.push(await check(server, party))
    return {
      clients,
      tokens: (1 + deaths) * clients,
      returned,
      lost: checked.reduce((sum, { lost }) => sum + lost, 0),
      doubled: checked.reduce((sum, { doubled }) => sum + doubled, 0),
      wrong: [...away, ...apart.flat(), ...checked.flatMap(({ wrong }) => wrong)],
    }
  } finally {
    await close()
  }
}

async function openParty(server: MortalServer, seed: number, first: number, count: number): Promise<Party> {
  const document = await makeDocument(server.origin('http'))
  const ways = Array.from({ length: count }, (_, index) => everyWay[(first + index) % everyWay.length]!)
  // A letter each, by which tokens are told apart.
  const names = ways.map((_, index) => String.fromCodePoint(0x4e00 + index)).join('')
  const writers = ourWriters(server.origins, document, (name) => randomOf(seed, name), ways, { names })
  await Promise.all(writers.map((writer) => writer.ready()))
  return { document, writers }
}

/** Until all have everything saved, or nobody can wait for the others any more. */
async function watchReturns(writers: readonly OurWriter[]) {
  const start = performance.now()
  const away = new Set(writers)
  const returned: number[] = []
  while (away.size > 0 && performance.now() - start < PATIENCE_MS) {
    const back = [...away].filter(({ window }) => isBack(window.status.get()))
    for (const writer of back) {
      away.delete(writer)
      returned.push(performance.now() - start)
    }
    await pause(LOOK_MS)
  }
  return { returned, away: [...away].map((writer) => `did not come back: ${describeWriter(writer)}`) }
}

const isBack = ({ link, unsaved }: ReturnType<OurWriter['window']['status']['get']>): boolean =>
  link.state === 'up' && unsaved === 0

/** What keeps them apart, in words. */
async function comeTogether({ writers }: Party): Promise<string[]> {
  const back = writers.filter(({ window }) => isBack(window.status.get()))
  try {
    await Promise.all(back.map((writer) => writer.acknowledge()))
    await comesToHold('equality of all replicas', () =>
      writers.every(({ doc }) => equal(doc, writers[0]!.doc)),
    )
    return []
  } catch (error) {
    return [String(error)]
  }
}

async function check(
  server: MortalServer,
  { document, writers }: Party,
): Promise<Count & { wrong: string[] }> {
  const stored = await server.stored(document.id)
  const docs = [...writers.map(({ doc }) => doc), stored]
  const ledgers = ledgersOf(writers)
  const { lost, doubled } = countIn(docs, ledgers)
  return {
    lost,
    doubled,
    wrong: [
      ...(lost + doubled > 0 ? [`${lost} tokens lost, ${doubled} doubled`] : []),
      ...complaints(writers[0]!.doc, ledgers),
      ...(equal(stored, writers[0]!.doc) ? [] : ['the store differs from the replicas']),
    ],
  }
}
