/**
 * Sends a megabyte of edits of each kind that is costly to integrate, and measures how long
 * a window on another document waits meanwhile.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { createSharedDocument, type SharedDocument } from '../../server/fixtures/shared-document.ts'
import {
  createAttachMessage,
  createEditMessage,
  helloMessage,
  RawClient,
} from '../../server/fixtures/raw-client.ts'
import {
  lettersBehindOne,
  manyClients,
  valuesOfOneKey,
  variedRightOrigins,
} from '../../server/rooms/fixtures/costly-updates.ts'
import { KillableServer } from '../fixtures/killable-server.ts'
import { LatencyProbe, type ProbeEdit } from './fixtures/latency-probe.ts'

const KiB = 1024
const MiB = 1024 * KiB
const QUIET_PERIOD_MS = 3_000
const ANSWER_TIMEOUT_MS = 60_000

const kinds: Readonly<Record<string, () => readonly Uint8Array[]>> = {
  '1,000 client ids an edit': () => repeatToMebibyte(manyClients(1_000)),
  '60 KiB edits with varied right neighbours': () => repeatToMebibyte(variedRightOrigins(60 * KiB)),
  'one edit of the same': () => [variedRightOrigins(MiB)],
  '60 KiB edits of letters behind one': () => repeatToMebibyte(lettersBehindOne(60 * KiB)),
  'one edit of the same letters': () => [lettersBehindOne(MiB)],
  'one edit of values of one key': () => [valuesOfOneKey(MiB)],
}

export interface AttackKindReport {
  readonly kind: string
  readonly edits: number
  /** The edits of the other document while the server was busy with these. */
  readonly waited: readonly ProbeEdit[]
}

export interface CostlyEditsReport {
  /** The edits before the attack. */
  readonly quiet: readonly ProbeEdit[]
  readonly attacked: readonly AttackKindReport[]
}

/** @throws {Error} when the server dies or does not answer. */
export async function attackWithCostlyEdits(): Promise<CostlyEditsReport> {
  await using server = await KillableServer.start()
  const { pid } = server
  const origin = server.origin('http')
  await using probe = await LatencyProbe.start(origin, await createSharedDocument(origin))
  await sleep(QUIET_PERIOD_MS)
  const quietProbeEdits = probe.edits
  const attackReports: AttackKindReport[] = []
  for (const [kind, createUpdates] of Object.entries(kinds)) {
    const edits = createUpdates()
    const document = await createSharedDocument(origin)
    const startedAt = Date.now()
    for (const update of edits) await sendUntilAnswered(origin, document, update)
    await sleep(100)
    const probeEdits = probe.edits.filter(({ at, ms }) => at + ms >= startedAt)
    attackReports.push({ kind, edits: edits.length, waited: probeEdits })
  }
  if (server.pid !== pid) throw new Error(`The server died: ${server.output}`)
  return { quiet: quietProbeEdits, attacked: attackReports }
}

const repeatToMebibyte = (update: Uint8Array): Uint8Array[] =>
  Array.from({ length: Math.ceil(MiB / update.length) }, () => update)

/** Resolves once the server has answered: with a message, or by ending the link. */
async function sendUntilAnswered(
  origin: string,
  { id, tokens }: SharedDocument,
  update: Uint8Array,
): Promise<void> {
  using client = await RawClient.open('websocket', origin, tokens.editor)
  client.send(helloMessage, { ...createAttachMessage(id), token: tokens.editor })
  await client.waitForMessage('attached')
  let isAnswered = false
  void client.closed.then(() => (isAnswered = true))
  client.send(createEditMessage(update))
  const start = performance.now()
  while (!isAnswered) {
    if (performance.now() - start > ANSWER_TIMEOUT_MS) throw new Error('The server does not answer.')
    await sleep(2)
    isAnswered ||= client.received.some(({ type }) => type === 'refused' || type === 'saved')
  }
}
