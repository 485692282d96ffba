/**
 * Takes into a room's text the edits that another node has checked and stored: they are read with turns for other work in between, in which
 * the document's own edits wait, and go into the queue behind these. Knows text and log; does not know members or messages.
 */
import type { RoomStorage } from '../storage/storage-quota.ts'
import type { CommitQueue } from './commit-queue.ts'
import { readExtentInSteps, type UpdateExtent } from './count-memory.ts'
import type { DocGate } from './doc-gate.ts'
import type { EditIntegrator } from './edit-integrator.ts'
import type { RemoteEdit } from './log-follower.ts'
import type { LogLength } from './log-length.ts'
import type { RoomFaults } from './room-faults.ts'
import { runInTurns } from './run-steps.ts'
import type { SizeLimit } from './size-limit.ts'

interface RemoteEditsOptions {
  readonly storage?: RoomStorage | undefined
  readonly faults: RoomFaults
  readonly size: SizeLimit
  readonly queue: CommitQueue
  readonly logLength: LogLength
  readonly docGate: DocGate
  readonly integrator: EditIntegrator
}

export class RemoteEdits {
  readonly #options: RemoteEditsOptions

  constructor(options: RemoteEditsOptions) {
    this.#options = options
  }

  /** @param edits They follow each other, and what the text has. Never rejects: the room is at fault if they cannot be read. */
  async receive(edits: readonly RemoteEdit[]): Promise<void> {
    const { faults, docGate } = this.#options
    const receiving = readExtents(edits).then(
      (extents) => faults.containSilently(() => this.#takeIn(edits, extents)),
      (error: unknown) => faults.report(error),
    )
    docGate.closeFor(receiving)
    await receiving
  }

  #takeIn(edits: readonly RemoteEdit[], extents: readonly UpdateExtent[]): void {
    const { integrator, size, storage, logLength, queue } = this.#options
    const clocks = extents.map((extent) => extent.clocks)
    const updates = edits.map(({ update }) => update)
    integrator.integrateRemote(updates, clocks)
    for (const [index, remote] of edits.entries()) {
      size.add(extents[index]!.count)
      storage?.add(remote.update.length)
      if (!logLength.knows(remote.sequence)) logLength.record(remote.sequence, 1)
      queue.addRemote(remote, clocks[index]!)
    }
  }
}

async function readExtents(edits: readonly RemoteEdit[]): Promise<UpdateExtent[]> {
  const extents: UpdateExtent[] = []
  for (const { update } of edits) extents.push(await runInTurns(readExtentInSteps(update)))
  return extents
}
