/** A megabyte of edits that are costly to integrate, of each kind, and what a window on another document waits for meanwhile. */
import { makeDocument, type SharedDocument } from '../../server/fixtures/real-server.ts'
import { attach, edit, hello, RawClient } from '../../server/fixtures/raw-client.ts'
import {
  allBehindOne,
  manyClients,
  oneKey,
  variedRightOrigins,
} from '../../server/rooms/fixtures/costly-updates.ts'
import { MortalServer } from '../support/mortal-server.ts'
import { Probe, type Waited } from './probe.ts'
import { pause } from './writers.ts'

const KiB = 1024
const MiB = 1024 * KiB
const QUIET_MS = 3_000
const ANSWER_MS = 60_000

const kinds: Readonly<Record<string, () => readonly Uint8Array[]>> = {
  '1,000 client ids an edit': () => repeated(manyClients(1_000)),
  '60 KiB edits with varied right neighbours': () => repeated(variedRightOrigins(60 * KiB)),
  'one edit of the same': () => [variedRightOrigins(MiB)],
  '60 KiB edits of letters behind one': () => repeated(allBehindOne(60 * KiB)),
  'one edit of the same letters': () => [allBehindOne(MiB)],
  'one edit of values of one key': () => [oneKey(MiB)],
}

export interface MegabyteReport {
  readonly kind: string
  readonly edits: number
  /** Of the other document's edits, while the server was busy with them. */
  readonly waited: readonly Waited[]
}

export interface MegabytesReport {
  /** Before the attack. */
  readonly quiet: readonly Waited[]
  readonly attacked: readonly MegabyteReport[]
}

/** @throws {Error} when the server dies or does not answer. */
export async function attackWithMegabytes(): Promise<MegabytesReport> {
  await using server = await MortalServer.start()
  const { pid } = server
  const origin = server.origin('http')
  await using probe = await Probe.start(origin, await makeDocument(origin))
  await pause(QUIET_MS)
  const quiet = probe.waited
  const attacked: MegabyteReport[] = []
  for (const [kind, make] of Object.entries(kinds)) {
    const edits = make()
    const document = await makeDocument(origin)
    const from = Date.now()
    for (const update of edits) await send(origin, document, update)
    await pause(100)
    const waited = probe.waited.filter(({ at, ms }) => at + ms >= from)
    attacked.push({ kind, edits: edits.length, waited })
  }
  if (server.pid !== pid) throw new Error(`The server died: ${server.said}`)
  return { quiet, attacked }
}

const repeated = (update: Uint8Array): Uint8Array[] =>
  Array.from({ length: Math.ceil(MiB / update.length) }, () => update)

/** Resolves once the server has refused it: with a message, or by ending the link. */
async function send(origin: string, { id, tokens }: SharedDocument, update: Uint8Array): Promise<void> {
  using client = await RawClient.open('websocket', origin, tokens.editor)
  client.say(hello, { ...attach(id), token: tokens.editor })
  await client.hears('attached')
  let isAnswered = false
  void client.closed.then(() => (isAnswered = true))
  client.say(edit(update))
  const start = performance.now()
  while (!isAnswered) {
    if (performance.now() - start > ANSWER_MS) throw new Error('The server does not answer.')
    await pause(2)
    isAnswered ||= client.heard.some(({ type }) => type === 'refused' || type === 'saved')
  }
}
