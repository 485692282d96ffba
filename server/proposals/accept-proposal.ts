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
import type { TextAmount } from '../../lib/yjs-internals/struct-store.ts'
import type { Principal } from '../access/principal.ts'
import type { ApiDependencies } from '../api/api-routing.ts'
import { storeFiles } from '../api/store-files.ts'
import { FairQueue } from '../fair-queue.ts'
import { copyFiles, listFiles } from '../files/file-records.ts'
import { type BroughtText, RoomRefusal } from '../rooms/rooms.ts'
import { NoSpace } from '../storage/storage-quota.ts'
import type { DocumentVersion } from '../versions/create-versions.ts'
import type { MergedText } from '../store/document-merger.ts'
import { SERVER_OWNER, StoreError } from '../store/store.ts'
import {
  claimAcceptance,
  countDecisions,
  endAcceptance,
  findProposal,
  holdsAcceptance,
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
  /** What of it whoever accepts it has seen; undefined for a program that takes whatever is saved. */
  readonly seen?: TextAmount | undefined
}

interface MergeProgress {
  /** Some of the text is in the original. */
  isStored: boolean
  /** Some of it may be. */
  isStoring: boolean
  /** Of the original as it was: made for this merge. */
  version: DocumentVersion | null
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

  async #accept(acceptance: Acceptance): Promise<void> {
    const { original, proposal, principal, byParts, seen } = acceptance
    const { db, access, rooms, nodes } = this.#dependencies
    const row = await findProposal(db, original, proposal)
    if (!row || !this.#isFree(row))
      throw new NotAccepted(proposalRefusalsStrings.changed[row?.state ?? 'withdrawn'])
    const by = principal.id
    const former = row.accepting_node
    requireChange(await claimAcceptance(db, proposal, { former, node: nodes.self, by }))
    access.notifyChanged(proposal)
    // Of one that was cut off nobody knows it.
    const progress: MergeProgress = {
      isStored: row.state === 'accepting',
      isStoring: false,
      version: null,
    }
    try {
      // From here on nobody decides about a part.
      if (!byParts) await this.#refuseDecided(proposal)
      await rooms.stopWriting(proposal)
      if (!byParts) await this.#mergeAll(row, acceptance, progress)
      else if (seen) refuseUnseen(await this.#readText(row), seen, 'before')
    } catch (error) {
      await this.#endFailed(row, progress, error)
      throw asNotAccepted(error)
    }
    requireChange(await endAcceptance(db, proposal, { node: nodes.self, by }))
  }

  /** Here one is accepted after the other: what this node, or one that is gone, has left behind was cut off. */
  #isFree({ state, accepting_node: node }: ProposalRow): boolean {
    const { nodes } = this.#dependencies
    return state === 'open' || (state === 'accepting' && (node === null || nodes.find(node) === null))
  }

  async #refuseDecided(proposal: string): Promise<void> {
    const decided = await countDecisions(this.#dependencies.db, proposal)
    if (decided > 0) throw new NotAccepted(proposalRefusalsStrings.byParts)
  }

  /**
   * Makes it open again after a refusal: what of it is stored shows as accepted then. Where nobody knows whether its text is stored, it is
   * only to be accepted again.
   */
  async #endFailed({ id, original }: ProposalRow, progress: MergeProgress, error: unknown): Promise<void> {
    const { db, access, nodes } = this.#dependencies
    const isLeft = !progress.isStored && (!progress.isStoring || isRefusal(error))
    if (isLeft && progress.version) await this.#removeVersion(original, progress.version)
    if (!isLeft && !isRefusal(error) && !(error instanceof NotAccepted)) return
    await endAcceptance(db, id, { node: nodes.self, by: null })
    access.notifyChanged(id)
  }

  /** The original is kept as it is. */
  async #createVersion(original: string, principal: Principal, progress: MergeProgress): Promise<void> {
    const { versions } = this.#dependencies
    const [latest] = await versions.list(original)
    const version = await versions.create(original, null, principal)
    if (version.id !== latest?.id) progress.version = version
  }

  /** Its authors are those of the next one. */
  async #removeVersion(original: string, { id, authors }: DocumentVersion): Promise<void> {
    const { versions } = this.#dependencies
    if (!(await versions.remove(original, id, { keepNamed: true }))) return
    for (const author of authors) versions.onEdited(original, author.id)
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
  async #mergeAll(row: ProposalRow, { principal, seen }: Acceptance, progress: MergeProgress): Promise<void> {
    const { db, nodes, store, rooms, versions } = this.#dependencies
    const { id, original } = row
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const { amount, ...text } = await this.#readText(row)
      if (seen) refuseUnseen({ amount }, seen, round === 0 ? 'before' : 'meanwhile')
      if (round === 0) {
        await this.#createVersion(original, principal, progress)
        await this.#copyFiles(row, principal)
      }
      // A node that stood still is taken for gone, and another one may have gone on.
      requireChange(await holdsAcceptance(db, id, nodes.self))
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
  #readText({ id, base }: ProposalRow): Promise<BroughtText & Pick<MergedText, 'amount'>> {
    const { store, merger, versions } = this.#dependencies
    return merger.runInTurn(id, async () => {
      const since = await versions.state(id, base)
      if (!since) throw new StoreError(`${id} has lost the version that it began with`)
      const { updates, owners = new Map<number, string>(), sequence } = await store.load(id, 'body')
      const merged = await merger.merge({ document: id, part: 'body', sequence, updates }, { since })
      if (!merged) throw new StoreError(`${id} waits for edits that are not there`)
      const { state: update, amount } = merged
      return { update, amount, owners, source: `proposal ${id}`, number: sequence }
    })
  }
}

/** @throws {NotAccepted} for more text than whoever accepts it has seen. */
function refuseUnseen(
  { amount }: Pick<MergedText, 'amount'>,
  seen: TextAmount,
  when: 'before' | 'meanwhile',
) {
  if (amount.written !== seen.written || amount.deleted !== seen.deleted)
    throw new NotAccepted(proposalRefusalsStrings.unseen[when])
}

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
