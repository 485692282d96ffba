/** Very many clients at once lose the server, type on, and come back when it is there again. */
import { makeDocument, type SharedDocument } from '../../server/fixtures/real-server.ts'
import { MortalServer } from '../support/mortal-server.ts'
import { complaints, equal } from './oracle.ts'
import { randomOf } from './random.ts'
import { comesToHold, describeWriter, ledgersOf } from './rest.ts'
import { everyWay } from './ways.ts'
import { type OurWriter, ourWriters, pause } from './writers.ts'

/** All-to-all among more would measure something else. */
const CLIENTS_OF_A_DOCUMENT = 40
const LOOK_MS = 20
const PATIENCE_MS = 180_000

export interface StormOptions {
  readonly seed: number
  readonly clients: number
  /** `killed`: by SIGKILL. `restarted`: in good order, so that it says when to come again. */
  readonly end: 'killed' | 'restarted'
  /** When all are back, with the process of the server that came back. */
  readonly onReturned?: (pid: number) => Promise<void>
}

export interface StormReport {
  readonly clients: number
  /** Of each client, ms since the server was back until it had a link and everything saved. */
  readonly returned: readonly number[]
}

interface Party {
  readonly document: SharedDocument
  readonly writers: readonly OurWriter[]
}

/** @throws {Error} with the seed, when one does not come back or the oracle complains. */
export async function storm({ seed, clients, end, onReturned }: StormOptions): Promise<StormReport> {
  await using server = await MortalServer.start()
  const parties: Party[] = []
  try {
    for (let opened = 0; opened < clients; opened += CLIENTS_OF_A_DOCUMENT)
      parties.push(await openParty(server, seed, opened, Math.min(clients - opened, CLIENTS_OF_A_DOCUMENT)))
    const writers = parties.flatMap((party) => party.writers)
    for (const writer of writers) writer.insert()
    await Promise.all(writers.map((writer) => writer.acknowledge()))
    await (end === 'killed' ? server.kill() : server.stop())
    for (const writer of writers) writer.insert()
    await server.start()
    const returned = await watchReturns(writers)
    await onReturned?.(server.pid)
    await Promise.all(parties.map(checkParty))
    await server.kill()
    for (const party of parties) await checkStored(server, party)
    return { clients, returned }
  } catch (error) {
    throw new Error(`seed ${seed}, ${clients} clients, ${end}: ${String(error)}`, { cause: error })
  } finally {
    await Promise.all(parties.flatMap((party) => party.writers).map((writer) => writer.close()))
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

/** Until all have everything saved. */
async function watchReturns(writers: readonly OurWriter[]): Promise<number[]> {
  const start = performance.now()
  const away = new Set(writers)
  const returned: number[] = []
  while (away.size > 0) {
    if (performance.now() - start > PATIENCE_MS)
      throw new Error(
        `${away.size} did not come back:\n${[...away].slice(0, 3).map(describeWriter).join('\n')}`,
      )
    const back = [...away].filter(({ window }) => isBack(window.status.get()))
    for (const writer of back) {
      away.delete(writer)
      returned.push(performance.now() - start)
    }
    await pause(LOOK_MS)
  }
  return returned
}

const isBack = ({ link, unsaved }: ReturnType<OurWriter['window']['status']['get']>): boolean =>
  link.state === 'up' && unsaved === 0

async function checkParty({ writers }: Party): Promise<void> {
  await Promise.all(writers.map((writer) => writer.acknowledge()))
  await comesToHold('equality of all replicas', () => writers.every(({ doc }) => equal(doc, writers[0]!.doc)))
  const wrong = complaints(writers[0]!.doc, ledgersOf(writers))
  if (wrong.length > 0) throw new Error(wrong.slice(0, 5).join('; '))
}

async function checkStored(server: MortalServer, { document, writers }: Party): Promise<void> {
  const stored = await server.stored(document.id)
  if (!equal(stored, writers[0]!.doc)) throw new Error('the store differs from the replicas')
}
