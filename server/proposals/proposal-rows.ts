/** Proposals as rows: of which document, by whom, in which state, and what was decided. It knows neither rights nor text. */
import { type Kysely, sql } from 'kysely'
import { proposalRefusalsStrings } from '../../lib/strings/proposal-refusals.ts'
import { PURGED_AT } from '../retention/remove-document.ts'
import type { Database, ProposalDecision, StoredProposalState } from '../store/schema.ts'

export const proposalStates = ['open', 'accepted', 'rejected', 'withdrawn'] as const
export const proposalDecisions = ['accepted', 'rejected'] as const satisfies readonly ProposalDecision[]
export type ProposalState = (typeof proposalStates)[number]

/** Of one author in one document: what is open asks its editors for their time. */
const MAX_OPEN_PROPOSALS = 20
/** Of one document, the closed ones included, which their authors and the owner may delete. */
const MAX_PROPOSALS = 500

export class TooManyProposals extends Error {
  override readonly name = 'TooManyProposals'
}

/** The proposal is in no state to be accepted, or its text cannot be merged as one. */
export class NotAccepted extends Error {
  override readonly name = 'NotAccepted'
}

export interface ProposalRow {
  /** Of the proposal's document. */
  readonly id: string
  readonly original: string
  readonly title: string
  /** `Principal.id`. */
  readonly author: string
  readonly state: StoredProposalState
  readonly base: string
  /** Milliseconds since 1970. */
  readonly created_at: number
  readonly updated_at: number
  readonly decided_at: number | null
  /** `Principal.id`. */
  readonly decided_by: string | null
  readonly accepting_node: string | null
}

/** Where a page of the list ends. */
export interface ProposalCursor {
  readonly createdAt: number
  readonly id: string
}

interface ProposalPageRequest {
  readonly state?: ProposalState | undefined
  readonly limit: number
  /** Undefined for the first page. */
  readonly after?: ProposalCursor | undefined
}

/** One that is being accepted is still open to whoever looks at it: it may turn out not to fit. */
export const shownStateOf = (state: StoredProposalState): ProposalState =>
  state === 'accepting' ? 'open' : state

const storedStatesOf = (state: ProposalState): StoredProposalState[] =>
  state === 'open' ? ['open', 'accepting'] : [state]

const proposalsOf = (db: Kysely<Database>, original: string) =>
  db
    .selectFrom('documents')
    .innerJoin('proposals', 'proposals.document', 'documents.id')
    .where('documents.original', '=', original)
    .where('documents.deleted_at', 'is', null)

const proposalColumns = [
  'documents.id',
  sql<string>`documents.original`.as('original'),
  'proposals.title',
  'documents.owner as author',
  'proposals.state',
  'proposals.base',
  'documents.created_at',
  'documents.updated_at',
  'proposals.decided_at',
  'proposals.decided_by',
  'proposals.accepting_node',
] as const

export const findProposal = (
  db: Kysely<Database>,
  original: string,
  id: string,
): Promise<ProposalRow | undefined> =>
  proposalsOf(db, original).select(proposalColumns).where('documents.id', '=', id).executeTakeFirst()

/** Returns the latest first. */
export function listProposals(
  db: Kysely<Database>,
  original: string,
  { state, limit, after }: ProposalPageRequest,
): Promise<ProposalRow[]> {
  return proposalsOf(db, original)
    .select(proposalColumns)
    .$if(state !== undefined, (query) => query.where('proposals.state', 'in', storedStatesOf(state!)))
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(documents.created_at, documents.id) < (${after?.createdAt}, ${after?.id})`),
    )
    .orderBy('documents.created_at', 'desc')
    .orderBy('documents.id', 'desc')
    .limit(limit)
    .execute()
}

export interface ProposalCounts {
  readonly all: number
  readonly open: number
  /** Of one author. */
  readonly openOfAuthor: number
}

/** @param author `Principal.id`. */
export function countProposals(
  db: Kysely<Database>,
  original: string,
  author: string,
): Promise<ProposalCounts> {
  const isOpen = sql`proposals.state in ('open', 'accepting')`
  return proposalsOf(db, original)
    .select([
      sql<number>`count(*)`.as('all'),
      sql<number>`count(case when ${isOpen} then 1 end)`.as('open'),
      sql<number>`count(case when ${isOpen} and documents.owner = ${author} then 1 end)`.as('openOfAuthor'),
    ])
    .executeTakeFirstOrThrow()
}

/** @param author `Principal.id`. @throws {TooManyProposals} */
export async function refuseTooManyOpen(
  db: Kysely<Database>,
  original: string,
  author: string,
): Promise<void> {
  const { openOfAuthor } = await countProposals(db, original, author)
  if (openOfAuthor >= MAX_OPEN_PROPOSALS)
    throw new TooManyProposals(proposalRefusalsStrings.tooManyOpen(MAX_OPEN_PROPOSALS))
}

/** @param author `Principal.id`. @throws {TooManyProposals} */
export async function refuseTooManyProposals(
  db: Kysely<Database>,
  original: string,
  author: string,
): Promise<void> {
  await refuseTooManyOpen(db, original, author)
  const { all } = await countProposals(db, original, author)
  if (all >= MAX_PROPOSALS) throw new TooManyProposals(proposalRefusalsStrings.tooMany(MAX_PROPOSALS))
}

export async function insertProposal(
  db: Kysely<Database>,
  proposal: { readonly document: string; readonly title: string; readonly base: string },
): Promise<void> {
  await db
    .insertInto('proposals')
    .values({ ...proposal, state: 'open' })
    .execute()
}

interface StateChange {
  readonly from: readonly StoredProposalState[]
  readonly to: StoredProposalState
  /** `Principal.id`; null when the proposal is open again. */
  readonly by: string | null
}

/** Of several changes at once one wins. Returns false when the proposal is in none of the states `from` any more. */
export async function changeProposalState(
  db: Kysely<Database>,
  proposal: string,
  { from, to, by }: StateChange,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('proposals')
    .set({ state: to, decided_by: by, decided_at: by === null ? null : Date.now() })
    .where('document', '=', proposal)
    .where('state', 'in', from)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

interface Claim {
  /** The name of the node that accepts the proposal; null for none. */
  readonly former: string | null
  readonly node: string
  /** `Principal.id`. */
  readonly by: string
}

/** Makes an open proposal, or one that `former` has left behind, a node's to accept. Returns false where that is no longer so. */
export async function claimAcceptance(
  db: Kysely<Database>,
  proposal: string,
  { former, node, by }: Claim,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('proposals')
    .set({ state: 'accepting', accepting_node: node, decided_by: by, decided_at: Date.now() })
    .where('document', '=', proposal)
    .where('state', 'in', ['open', 'accepting'])
    .where('accepting_node', former === null ? 'is' : '=', former)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export const holdsAcceptance = async (
  db: Kysely<Database>,
  proposal: string,
  node: string,
): Promise<boolean> =>
  (await db
    .selectFrom('proposals')
    .select('document')
    .where('document', '=', proposal)
    .where('accepting_node', '=', node)
    .executeTakeFirst()) !== undefined

/** Ends what a node has claimed. Returns false where another one has it now. @param by Null where it is open again. */
export async function endAcceptance(
  db: Kysely<Database>,
  proposal: string,
  { node, by }: { readonly node: string; readonly by: string | null },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('proposals')
    .set({
      state: by === null ? 'open' : 'accepted',
      accepting_node: null,
      decided_by: by,
      decided_at: by === null ? null : Date.now(),
    })
    .where('document', '=', proposal)
    .where('accepting_node', '=', node)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Deletes a closed proposal for good, with the next sweep. Returns false for an open one. */
export async function purgeProposal(db: Kysely<Database>, proposal: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('documents')
    .set({ deleted_at: PURGED_AT })
    .where('id', '=', proposal)
    .where('id', 'in', (closed) =>
      closed
        .selectFrom('proposals')
        .select('document')
        .where('document', '=', proposal)
        .where('state', 'not in', ['open', 'accepting']),
    )
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Of one proposal. */
export const MAX_DECISIONS = 20_000

export interface DecidedChange {
  readonly decision: ProposalDecision
  /** `Principal.id`. */
  readonly by: string
}

interface DecisionRequest {
  readonly proposal: string
  /** Of changes. */
  readonly keys: ReadonlySet<string>
  /** Null takes decisions back. */
  readonly decision: ProposalDecision | null
  /** `Principal.id`. */
  readonly by: string
  /** Whose earlier decisions it may replace. */
  readonly of: string
}

/**
 * Stores decisions, and returns their keys. It leaves out what somebody else than `of` has decided about, and what is accepted already:
 * whoever accepts a change writes it, and two would write it twice. Returns `closed` or `too-many` where it stores nothing.
 */
export const storeDecisions = (
  db: Kysely<Database>,
  { proposal, keys, decision, by, of }: DecisionRequest,
): Promise<readonly string[] | 'closed' | 'too-many'> =>
  db.transaction().execute(async (transaction) => {
    // Decisions about one proposal take turns, on all nodes, and none comes while it is accepted.
    const { numUpdatedRows } = await transaction
      .updateTable('proposals')
      .set({ state: 'open' })
      .where('document', '=', proposal)
      .where('state', '=', 'open')
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return 'closed'
    if (keys.size === 0) return []
    const before = await listDecisions(transaction, proposal, [...keys])
    const decided = [...keys].filter((key) => {
      const former = before.get(key)
      return !former || (former.by === of && !(decision === 'accepted' && former.decision === 'accepted'))
    })
    const added = decided.filter((key) => !before.has(key)).length
    if (decision !== null && added > MAX_DECISIONS - (await countDecisions(transaction, proposal)))
      return 'too-many'
    if (decided.length === 0) return decided
    await transaction
      .deleteFrom('proposal_decisions')
      .where('document', '=', proposal)
      .where('key', 'in', decided)
      .execute()
    const row = { document: proposal, decided_by: by, decided_at: Date.now() }
    if (decision !== null)
      await transaction
        .insertInto('proposal_decisions')
        .values(decided.map((key) => ({ ...row, key, decision })))
        .execute()
    return decided
  })

export async function countDecisions(db: Kysely<Database>, proposal: string): Promise<number> {
  const { count } = await db
    .selectFrom('proposal_decisions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('document', '=', proposal)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Returns the decisions by the keys of their changes: all of them, or those of some changes. */
export async function listDecisions(
  db: Kysely<Database>,
  proposal: string,
  keys?: readonly string[],
): Promise<ReadonlyMap<string, DecidedChange>> {
  const rows = await db
    .selectFrom('proposal_decisions')
    .select(['key', 'decision', 'decided_by'])
    .where('document', '=', proposal)
    .$if(keys !== undefined, (query) => query.where('key', 'in', keys!))
    .execute()
  return new Map(rows.map(({ key, decision, decided_by: by }) => [key, { decision, by }]))
}
