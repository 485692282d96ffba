/**
 * Takes an edit from its arrival to the disk: a member's, which is refused if it may not be written, is not what its author may send, or
 * breaks Yjs; and the server's own. Knows the order of these steps; does not know messages or other nodes.
 *
 *   receive ─▶ EditAdmission ─▶ DocGate: its turn ─▶ EditIntegrator: check ─▶ MemberClientIds: whose ids ─▶ apply ─▶ CommitQueue
 */
import * as Y from 'yjs'
import type { Principal } from '../access/principal.ts'
import type { Meter } from '../metering/meter.ts'
import type { ServerCounts } from '../metrics/server-counts.ts'
import type { RoomStorage } from '../storage/storage-quota.ts'
import type { ClientOwner, ClientRun, DocumentEdit, DocumentPart } from '../store/store.ts'
import type { TurnLimit } from '../turn-limit.ts'
import { bringsContent } from './brings-content.ts'
import type { ClientIdBudget } from './client-id-budget.ts'
import type { Clocks } from './clocks.ts'
import type { CommitQueue, QueuedEdit } from './commit-queue.ts'
import { countMemory } from './count-memory.ts'
import type { DocGate } from './doc-gate.ts'
import {
  EditAdmission,
  type EditAdmissionOptions,
  LONG_EDIT_BYTES,
  type ReceivedEdit,
} from './edit-admission.ts'
import type { CheckedEdit, EditIntegrator } from './edit-integrator.ts'
import { IntegrationCost } from './integration-cost.ts'
import type { MemberClientIds } from './member-client-ids.ts'
import { ownBytes } from './own-bytes.ts'
import type { DecodedUpdate } from './read-update.ts'
import type { RoomFaults } from './room-faults.ts'
import type { RoomMember, RoomMembers } from './room-members.ts'
import type { RoomRefusal } from './rooms.ts'
import type { UnsavedEdits } from './unsaved-edits.ts'

const NO_RUNS: ClientRun[] = []
/** Stands for a session's id in the server's own edits. */
export const SERVER_SESSION = 'server'

interface EditReceiverOptions extends EditAdmissionOptions {
  readonly part: DocumentPart
  /** True where other nodes may have the same document open. */
  readonly isShared: boolean
  readonly counts: ServerCounts
  readonly meter: Meter
  readonly clientIds: ClientIdBudget
  readonly storage?: RoomStorage | undefined
  readonly unsaved: UnsavedEdits
  readonly editLimit: TurnLimit
  readonly queue: CommitQueue
  readonly members: RoomMembers
  readonly memberClientIds: MemberClientIds
  readonly docGate: DocGate
  readonly integrator: EditIntegrator
  readonly faults: RoomFaults
}

/** An edit that is checked and recorded, and not in the Y.Doc yet. */
interface AdmittedEdit extends CheckedEdit {
  readonly member: RoomMember
  readonly edit: DocumentEdit
  /** Takes back what was recorded for the edit, if it is refused. */
  readonly undo: () => void
}

export class EditReceiver {
  readonly #options: EditReceiverOptions
  readonly #admission: EditAdmission

  constructor(options: EditReceiverOptions) {
    this.#options = options
    this.#admission = new EditAdmission(options)
  }

  /**
   * Resolves after the commit: true if the edit brought back what others wrote. @param owners Who wrote under its client ids, where that
   * was not the member. @throws {RoomRefusal} and then nothing was stored.
   */
  async receive(
    member: RoomMember,
    update: Uint8Array,
    number: number,
    owners: ReceivedEdit['owners'] = null,
  ): Promise<boolean> {
    const { unsaved, partKey, memory } = this.#options
    const release = unsaved.hold(member.principal.id, partKey, update.length)
    const edit: ReceivedEdit = { update: ownBytes(update), number, owners, count: null, endReservation: null }
    try {
      return await this.#receiveHeldEdit(member, edit)
    } catch (error) {
      this.#admission.endReservation(edit)
      memory.record()
      throw error
    } finally {
      release()
    }
  }

  /** Resolves once the edit is on disk: true if it brought back what others wrote. */
  #receiveHeldEdit(member: RoomMember, edit: ReceivedEdit): Promise<boolean> | boolean {
    const { editLimit, faults, docGate } = this.#options
    this.#admission.admit(member, edit)
    member.uncommittedEdits += 1 // while it waits; a member that leaves meanwhile does not withdraw it
    const takeEdit = (): Promise<boolean> => {
      member.uncommittedEdits -= 1
      faults.requireSound()
      return this.#takeEdit(member, edit)
    }
    const waitForTurn = (): Promise<void> | null => editLimit.take(member.principal.id, edit.update.length)
    return docGate.run(takeEdit, () => this.#admission.startMeasuring(edit) ?? waitForTurn())
  }

  /** A long edit is decoded with turns for other work in between, in which the document's other edits wait. */
  #takeEdit(member: RoomMember, received: ReceivedEdit): Promise<boolean> {
    const { faults, integrator } = this.#options
    const { update } = received
    const cost = new IntegrationCost(update.length)
    const accept = (decoded?: DecodedUpdate): Promise<boolean> =>
      faults.contain(() => this.#acceptEdit(member, received, cost, decoded))
    if (update.length <= LONG_EDIT_BYTES) return accept()
    faults.contain(() => this.#admission.admit(member, received))
    const reading = integrator.decodeInSteps(member.principal, update, cost)
    const accepted = reading.then(accept)
    this.#holdDocForEditOf(member, reading)
    return accepted
  }

  /** Resolves once the edit is on disk: true if it brought back what others wrote. */
  #acceptEdit(
    member: RoomMember,
    received: ReceivedEdit,
    cost: IntegrationCost,
    decoded?: DecodedUpdate,
  ): Promise<boolean> {
    const { part, partKey, text, size, memory, storage, integrator, memberClientIds, clientIds, meter } =
      this.#options
    const { id } = member.principal
    const { update, number } = received
    const count = received.count!
    this.#admission.admit(member, received)
    // The authors are looked up in the Y.Doc, which has to be as far as the clocks that the edit is checked against.
    if (part === 'comments') void integrator.doc
    const checked = integrator.check(member.principal, update, cost, decoded)
    storage?.check(id, checked.update.length, bringsContent(checked.structs))
    const { owners } = received
    const { claims, recovers } = owners
      ? memberClientIds.claimFor(owners, clientsOf(update, decoded))
      : memberClientIds.claim(checked.clocks, member)
    // What others wrote was charged to them where they wrote it.
    const newIds = owners ? 0 : claims.length
    clientIds.admit(id, partKey, newIds)
    // Text that a restored store lost keeps its own authors.
    if (part === 'comments' && !recovers) integrator.checkAuthors(checked, member.principal, cost)
    this.#options.counts.edits += 1
    const edit = this.#createEdit({ ...checked, claims }, member.principal, member.session, number)
    const undoClaims = memberClientIds.recordClaims(claims)
    const undo = (): void => {
      undoClaims()
      size.remove(count)
      storage?.add(-checked.update.length)
    }
    void text.doc // built before the edit is counted, since its structs are counted anew then
    size.add(count)
    this.#admission.endReservation(received)
    memory.recordEdit()
    storage?.add(checked.update.length)
    const admitted: AdmittedEdit = { principal: member.principal, member, edit, checked, cost, undo }
    const done = this.#integrateAndCommit(admitted)
    clientIds.charge(id, partKey, newIds)
    meter.chargeSentOn(member.principal, checked.update.length, this.#options.members.all.size - 1)
    return done.then(() => recovers)
  }

  /** In a busy room the edit is integrated later, with the edits of others; a long one gives other work turns in between. */
  #integrateAndCommit(admitted: AdmittedEdit): Promise<void> {
    const { queue, text, integrator } = this.#options
    const { checked, member, undo } = admitted
    if (queue.isBusy && text.mayDefer(checked)) return this.#commitDeferred(admitted)
    let isNew: boolean | Promise<boolean>
    try {
      isNew = integrator.integrate(admitted)
    } catch (error) {
      undo()
      throw error
    }
    if (typeof isNew === 'boolean') return this.#commitAdmitted(admitted, isNew).committed
    const committed = isNew.then(
      (isNewAtLast) => this.#commitAdmitted(admitted, isNewAtLast).committed,
      (error: unknown) => {
        undo()
        throw error
      },
    )
    this.#holdDocForEditOf(member, isNew)
    return committed
  }

  #commitDeferred(admitted: AdmittedEdit): Promise<void> {
    const { principal, checked, cost, undo } = admitted
    const queued = this.#commitAdmitted(admitted, true)
    const refuse = (refusal: RoomRefusal): void => {
      undo()
      queued.refuse(refusal)
    }
    this.#options.integrator.defer({ principal, checked, cost, refuse })
    return queued.committed
  }

  /** @param isNew False if all of the edit is already known; its source may still be queued, so the author waits for the queue. */
  #commitAdmitted({ member, edit, checked }: AdmittedEdit, isNew: boolean): QueuedEdit {
    return this.#options.queue.add(isNew ? edit : null, checked.clocks, member)
  }

  /**
   * Makes an edit of the server's own and broadcasts it to everybody. Resolves after the commit. @param isAllowed Asked when the edit has
   * waited for its turn. Returns false, and changes nothing, if it says no.
   */
  async applyServerEdit(
    principal: Principal,
    run: (doc: Y.Doc) => void,
    isAllowed = (): boolean => true,
  ): Promise<boolean> {
    const { faults, docGate } = this.#options
    faults.requireSound()
    return docGate.run(async () => {
      if (!isAllowed()) return false
      await faults.contain(() => this.#changeDoc(principal, run))
      return true
    })
  }

  #changeDoc(principal: Principal, run: (doc: Y.Doc) => void): Promise<void> | undefined {
    const { integrator, memberClientIds, size, memory, storage, queue } = this.#options
    const changed = integrator.changeDoc((doc) => run(memberClientIds.announceServer(doc)))
    if (!changed) return undefined
    const { update, clocks, from } = changed
    const { claims } = memberClientIds.claim(clocks, null)
    memberClientIds.recordClaims(claims)
    size.add(countMemory(update))
    memory.record()
    storage?.add(update.length)
    const edit = this.#createEdit({ update, clocks, claims }, principal, SERVER_SESSION, 0, from)
    return queue.add(edit, clocks, null).committed
  }

  /** Counts the edit as uncommitted meanwhile; a member that leaves does not withdraw it. */
  #holdDocForEditOf(member: RoomMember, work: Promise<unknown>): void {
    member.uncommittedEdits += 1
    this.#options.docGate.closeFor(work.finally(() => (member.uncommittedEdits -= 1)))
  }

  /** @param from The document's clocks before the edit. */
  #createEdit(
    { update, clocks, claims }: { update: Uint8Array; clocks: Clocks; claims: readonly ClientOwner[] },
    principal: Principal,
    session: string,
    number: number,
    from: Clocks = this.#options.text.clocks,
  ): DocumentEdit {
    const { document, part } = this.#options
    const clients = [...clocks.keys()]
    const runs = this.#runsOf(clocks, from)
    return { document, part, update, principal: principal.id, session, number, clients, claims, runs }
  }

  /** A desk has one person, and its ids no owners, so nothing is compared there. */
  #runsOf(to: Clocks, from: Clocks): ClientRun[] {
    const { isShared, part } = this.#options
    if (!isShared || part === 'desk') return NO_RUNS
    return Array.from(to, ([client, clock]) => ({ client, from: from.get(client) ?? 0, to: clock }))
  }
}

/** The client ids of all structs, those that the text has already included. */
const clientsOf = (update: Uint8Array, decoded: DecodedUpdate | undefined): Iterable<number> =>
  decoded ? new Set(decoded.structs.map(({ id }) => id.client)) : Y.parseUpdateMeta(update).to.keys()
