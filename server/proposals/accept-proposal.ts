/**
 * Accepts a proposal: what was written in it is merged into its original, as one edit, whose text keeps its authors.
 *
 *   open ─▶ accepting: nobody writes in it any more ─▶ a version of the original, files, merge ─▶ accepted
 *     ▲                                                                     │
 *     └───────────────────────────── it was refused ◀──────────────────────┘
 *
 * A merge may be repeated: Yjs knows what it has. So one that a crash cut off is finished by whoever accepts it next.
 */
import { proposalRefusalsStrings } from '../../lib/strings/proposal-refusals.ts'
import type { Principal } from '../access/principal.ts'
import type { ApiDependencies } from '../api/api-routing.ts'
import { storeFiles } from '../api/store-files.ts'
import { FairQueue } from '../fair-queue.ts'
import { copyFiles, listFiles } from '../files/file-records.ts'
import { type BroughtText, RoomRefusal } from '../rooms/rooms.ts'
import { NoSpace } from '../storage/storage-quota.ts'
import { SERVER_OWNER, StoreError } from '../store/store.ts'
import {
  changeProposalState,
  findProposal,
  listDecisions,
  NotAccepted,
  type ProposalRow,
} from './proposal-rows.ts'

interface Acceptance {
  readonly original: string
  readonly proposal: string
  /** Whoever accepts it. */
  readonly principal: Principal
  /** Its changes were made in the original one by one: it is closed, and nothing is merged. */
  readonly byParts: boolean
}

interface MergeProgress {
  /** Some of the text is in the original. */
  isStored: boolean
  /** Some of it may be. */
  isStoring: boolean
}

/** Whoever writes until the right is gone writes a few edits: they come with another round. */
const MAX_ROUNDS = 5

export class ProposalAcceptance {
  readonly #dependencies: ApiDependencies
  readonly #turns = new FairQueue(Infinity)

  constructor(dependencies: ApiDependencies) {
    this.#dependencies = dependencies
  }

  /** Of several people who accept it at once one does. @throws {NotAccepted}, {ApiError}, {NoSpace}, {StoreError}, {RoomRefusal} */
  accept(acceptance: Acceptance): Promise<void> {
    return this.#turns.run(acceptance.proposal, () => this.#accept(acceptance))
  }

  async #accept({ original, proposal, principal, byParts }: Acceptance): Promise<void> {
    const { db, access, versions, rooms } = this.#dependencies
    const row = await findProposal(db, original, proposal)
    if (!row || !isOpen(row))
      throw new NotAccepted(proposalRefusalsStrings.changed[row?.state ?? 'withdrawn'])
    const by = principal.id
    if (byParts) return requireChange(await this.#change(row, 'accepted', by))
    requireChange(await this.#change(row, 'accepting', by))
    access.notifyChanged(proposal)
    // Of one that was cut off nobody knows it.
    const progress: MergeProgress = { isStored: row.state === 'accepting', isStoring: false }
    try {
      // From here on nobody decides about a part.
      await this.#refuseDecided(proposal)
      await rooms.stopWriting(proposal)
      await versions.create(original, null, principal)
      await this.#copyFiles(row, principal)
      await this.#mergeAll(row, principal, progress)
    } catch (error) {
      // Where its text may be stored it is only to be accepted again.
      if (!progress.isStored && (!progress.isStoring || isRefusal(error))) await this.#reopen(row)
      throw asNotAccepted(error)
    }
    requireChange(await this.#change(row, 'accepted', by))
  }

  async #refuseDecided(proposal: string): Promise<void> {
    const decisions = await listDecisions(this.#dependencies.db, proposal)
    if (decisions.size > 0) throw new NotAccepted(proposalRefusalsStrings.byParts)
  }

  #change({ id }: ProposalRow, to: 'accepting' | 'accepted', by: string): Promise<boolean> {
    return changeProposalState(this.#dependencies.db, id, { from: ['open', 'accepting'], to, by })
  }

  async #reopen({ id }: ProposalRow): Promise<void> {
    const { db, access } = this.#dependencies
    await changeProposalState(db, id, { from: ['accepting'], to: 'open', by: null })
    access.notifyChanged(id)
  }

  /** The original gets the files that it lacks, before the text that shows them. @throws {ApiError}, {NoSpace} */
  async #copyFiles({ id, original: document }: ProposalRow, { id: by }: Principal): Promise<void> {
    const { db } = this.#dependencies
    const known = new Set((await listFiles(db, document)).map((file) => file.id))
    const missing = (await listFiles(db, id)).filter((file) => !known.has(file.id))
    if (missing.length === 0) return
    const bytes = missing.reduce((sum, file) => sum + file.bytes, 0)
    const ids = missing.map((file) => file.id)
    await storeFiles(this.#dependencies, { document, files: missing.length, bytes, by }, () =>
      copyFiles(db, id, { document, by, now: Date.now(), ids }),
    )
  }

  /**
   * Merges until nothing more was written meanwhile: windows of another node may still write until it has looked up their rights.
   * @throws {NotAccepted} where they go on.
   */
  async #mergeAll(proposal: ProposalRow, principal: Principal, progress: MergeProgress): Promise<void> {
    const { store, rooms, versions } = this.#dependencies
    const { id, original } = proposal
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const text = await this.#readText(proposal)
      progress.isStoring = true
      await rooms.addText(original, principal, text)
      progress.isStored = true
      // The text of the beginning belongs to the server there.
      for (const author of new Set(text.owners.values()))
        if (author !== SERVER_OWNER) versions.onEdited(original, author)
      const later = await store.readSince(id, 'body', text.number)
      if (later?.updates.length === 0) return
    }
    throw new NotAccepted(proposalRefusalsStrings.stillWritten)
  }

  /** What the proposal has beyond its beginning. Its number is the last entry of its log. */
  #readText({ id, base }: ProposalRow): Promise<BroughtText> {
    const { store, merger, versions } = this.#dependencies
    return merger.runInTurn(id, async () => {
      const since = await versions.state(id, base)
      if (!since) throw new StoreError(`${id} has lost the version that it began with`)
      const { updates, owners = new Map<number, string>(), sequence } = await store.load(id, 'body')
      const merged = await merger.merge({ document: id, part: 'body', sequence, updates }, { since })
      if (!merged) throw new StoreError(`${id} waits for edits that are not there`)
      return { update: merged.state, owners, source: `proposal ${id}`, number: sequence }
    })
  }
}

const isOpen = ({ state }: ProposalRow): boolean => state === 'open' || state === 'accepting'

function requireChange(isChanged: boolean): void {
  if (!isChanged) throw new NotAccepted(proposalRefusalsStrings.decidedMeanwhile)
}

/** The room says that nothing was stored. */
const isRefusal = (error: unknown): boolean =>
  error instanceof RoomRefusal && error.reason.code !== 'overloaded'

function asNotAccepted(error: unknown): unknown {
  if (!(error instanceof RoomRefusal)) return error
  const { code, detail = code } = error.reason
  if (code === 'forbidden' || code === 'overloaded') return error
  return code === 'full' ? new NoSpace(detail) : new NotAccepted(proposalRefusalsStrings.notMerged(detail))
}
