/**
 * Sends members what they lack of the text, by their clocks: a first state, or what they missed. What is sent is on disk by then
 * (D1). A member that has nothing yet gets the stored bytes unchanged, which needs no Y.Doc, and of a large text a worker thread computes
 * the difference. Knows text and members; does not know edits.
 */
import type { Logger } from 'pino'
import * as Y from 'yjs'
import type { CloseReason } from '../../lib/protocol/close.ts'
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import { stateUnits } from '../metering/prices.ts'
import type { Clocks } from './clocks.ts'
import type { RoomFaults } from './room-faults.ts'
import type { FirstState, RoomMember, RoomMembers } from './room-members.ts'
import { LARGE_TEXT_BYTES, type RoomText } from './room-text.ts'
import type { StateCost } from './rooms.ts'
import { encodeKnownClocks } from './state-vector.ts'
import type { TextWorkerPool } from './text-worker-pool.ts'

const STATE_UNREADABLE: CloseReason = {
  code: 'overloaded',
  detail: serverRefusalsStrings.room.notRead,
  retryAfterMs: 1_000,
}

export interface StateSenderOptions {
  readonly document: string
  readonly log: Logger
  readonly textWorkers: Pick<TextWorkerPool, 'difference'>
  readonly text: RoomText
  readonly members: RoomMembers
  readonly faults: RoomFaults
  /** Returns the Y.Doc, which is whole. Throws if Yjs cannot apply what is stored. */
  doc(): Y.Doc
  /** True while the Y.Doc is being built, or holds part of an edit. */
  isDocInUse(): boolean
  /** True while the store fails: what is encoded then would be held until it heals. */
  isStoreFailing(): boolean
  /** Runs the callback when everything that was accepted so far is on disk. */
  runAfterQueue(run: () => void): void
  evict(member: RoomMember, reason: CloseReason): void
}

export class StateSender {
  readonly #options: StateSenderOptions

  constructor(options: StateSenderOptions) {
    this.#options = options
  }

  /** About how many bytes are missing at these clocks. */
  missingBytesFor(memberClocks: Clocks): number {
    const { text, members } = this.#options
    return Math.ceil(text.bytes * members.missingShareOf(memberClocks))
  }

  stateCostFor(memberClocks: Clocks): StateCost {
    const bytes = this.missingBytesFor(memberClocks)
    const counts = {
      entries: memberClocks.size,
      missingBytes: bytes,
      textBytes: this.#options.text.bytes,
    }
    return { bytes, units: stateUnits(counts) }
  }

  lagBytesOf({ lagClocks }: RoomMember): number {
    return lagClocks ? this.missingBytesFor(lagClocks) : 0
  }

  /** True if work would keep everybody else waiting if it were done here, or is not to be done yet. @param bytes How many are to be sent. */
  needsWorker(bytes: number): boolean {
    const { text, isDocInUse, isStoreFailing } = this.#options
    return (
      isDocInUse() || isStoreFailing() || (text.isLarge && (!text.isDocBuilt || bytes > LARGE_TEXT_BYTES))
    )
  }

  /** Sends the member a first state. @throws {RoomRefusal} */
  sendState(member: RoomMember, memberClocks: Clocks): void {
    const { faults, members, runAfterQueue, text } = this.#options
    faults.requireSound()
    if (memberClocks.size === 0)
      return runAfterQueue(() => members.sendState(member, () => this.#storedState()))
    const stateVector = encodeKnownClocks(memberClocks, text.clocks)
    if (this.needsWorker(this.missingBytesFor(memberClocks))) return this.#sendDifference(member, stateVector)
    const state = this.#stateFor(stateVector)
    runAfterQueue(() => members.sendState(member, () => state))
  }

  /** Encodes what a member that lags has missed of the text as it is now. @throws {RoomRefusal} */
  sendMissedEdits(member: RoomMember): void {
    const { faults, members, runAfterQueue, doc } = this.#options
    const { lagClocks } = member
    if (!lagClocks) return
    faults.requireSound()
    const send = (updates: readonly Uint8Array[]): void => members.sendMissedEdits(member, lagClocks, updates)
    const stateVector = Y.encodeStateVector(new Map(lagClocks))
    if (this.needsWorker(this.lagBytesOf(member)))
      return runAfterQueue(() => void this.#computeMissing(member, stateVector, send))
    const update = Y.encodeStateAsUpdate(doc(), stateVector)
    runAfterQueue(() => send([update]))
  }

  /** Sends what is missing of the text that is on disk once the present queue is. */
  #sendDifference(member: RoomMember, memberStateVector: Uint8Array): void {
    const { members, runAfterQueue } = this.#options
    const send = (updates: readonly Uint8Array[]): void =>
      members.sendState(member, () => ({ updates, stateVector: members.stateVector }))
    runAfterQueue(() => void this.#computeMissing(member, memberStateVector, send))
  }

  /** Never rejects. What is committed meanwhile is sent with the difference. */
  async #computeMissing(
    member: RoomMember,
    memberStateVector: Uint8Array,
    send: (updates: readonly Uint8Array[]) => void,
  ): Promise<void> {
    const { document, log, text, textWorkers, faults, evict } = this.#options
    try {
      for (let later: Uint8Array[] | null = null; later === null;) {
        const mark = text.storedPosition
        const update = await textWorkers.difference(document, text.stored, memberStateVector.slice())
        later = text.storedSince(mark)
        if (later) faults.containSilently(send.bind(null, [update, ...later]))
      }
    } catch (error) {
      log.error({ document, err: error }, 'a state could not be worked out')
      evict(member, STATE_UNREADABLE)
    }
  }

  /** Encodes what is missing at this state vector, which is to be sent once the present queue is on disk. */
  #stateFor(memberStateVector: Uint8Array): FirstState {
    const doc = this.#options.doc()
    const updates = [Y.encodeStateAsUpdate(doc, memberStateVector)]
    return { updates, stateVector: Y.encodeStateVector(doc) }
  }

  #storedState(): FirstState {
    const { text, members } = this.#options
    const { stored: updates, packed } = text
    return { updates, stateVector: members.stateVector, ...(packed && { packed }) }
  }
}
