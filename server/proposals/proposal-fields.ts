/** What is said of proposals: each in a list, and on the page of a document, of those to change it and of itself where it is one. */
import type { Kysely } from 'kysely'
import { namesStrings } from '../../lib/strings/names.ts'
import { findPeople } from '../access/principal-names.ts'
import { type Principal, type Role, roleAllows } from '../access/principal.ts'
import { findDocument, type DocumentTableRow } from '../api/document-rows.ts'
import type { Database } from '../store/schema.ts'
import {
  countProposals,
  type DecidedChange,
  findProposal,
  type ProposalRow,
  shownStateOf,
} from './proposal-rows.ts'

type ProposedDocument = Pick<DocumentTableRow, 'original' | 'proposers'>

/** A proposal is changed itself. A share link's token is nobody in particular. */
export const mayPropose = (
  { original, proposers }: ProposedDocument,
  role: Role,
  { token }: Principal,
): boolean =>
  original === null && token === undefined && (proposers === 'viewers' || roleAllows(role, 'write'))

/** Reviewers are those who may write in the original. */
const mayDecide = (roleInOriginal: Role): boolean => roleAllows(roleInOriginal, 'write')

/** @param roleIn Returns what whoever looks may do in a document. */
export async function loadProposalFields(
  db: Kysely<Database>,
  document: DocumentTableRow,
  principal: Principal,
  roleIn: (document: string) => Promise<Role | null>,
) {
  const { id, original, proposers: proposals } = document
  const [role, { open: openProposals }] = await Promise.all([
    roleIn(original ?? id),
    countProposals(db, id, principal.id),
  ])
  return {
    proposals,
    openProposals,
    mayPropose: role !== null && mayPropose(document, role, principal),
    proposal: role === null ? null : await loadOwnFields(db, document, principal, role),
  }
}

async function loadOwnFields(
  db: Kysely<Database>,
  { id, original }: DocumentTableRow,
  principal: Principal,
  roleInOriginal: Role,
) {
  if (original === null) return null
  const [row, originalRow] = await Promise.all([findProposal(db, original, id), findDocument(db, original)])
  if (!row || !originalRow) return null
  const { title, base, state } = row
  const shown = { original, originalTitle: originalRow.title, title, base, state: shownStateOf(state) }
  return { ...shown, isAuthor: row.author === principal.id, mayDecide: mayDecide(roleInOriginal) }
}

/** @param roleInOriginal Of whoever looks, `principal`. */
export async function toProposalBodies(
  db: Kysely<Database>,
  rows: readonly ProposalRow[],
  roleInOriginal: Role,
  principal: Principal,
) {
  const ids = rows.flatMap(({ author, decided_by }) =>
    decided_by === null ? [author] : [author, decided_by],
  )
  const personOf = await personFinderOf(db, ids)
  const isReviewer = mayDecide(roleInOriginal)
  return rows.map(({ id, original, title, base, author, state, ...row }) => ({
    id,
    original,
    title,
    base,
    state: shownStateOf(state),
    author: personOf(author),
    createdAt: toIso(row.created_at),
    changedAt: toIso(row.updated_at),
    decidedAt: row.decided_at === null ? null : toIso(row.decided_at),
    decidedBy: row.decided_by === null ? null : nameOf(personOf(row.decided_by)),
    mayDecide: isReviewer,
    mayWrite: state === 'open' && (isReviewer || author === principal.id),
  }))
}

export async function toDecisionBodies(db: Kysely<Database>, decisions: ReadonlyMap<string, DecidedChange>) {
  const personOf = await personFinderOf(
    db,
    [...decisions.values()].map(({ by }) => by),
  )
  const entries = [...decisions].map(
    ([key, { decision, by }]) => [key, { decision, by: nameOf(personOf(by)) }] as const,
  )
  return Object.fromEntries(entries)
}

async function personFinderOf(db: Kysely<Database>, ids: readonly string[]) {
  const people = await findPeople(db, [...new Set(ids)])
  return (id: string) => people.get(id) ?? { id, name: namesStrings.somebody, colour: null }
}

const toIso = (at: number): string => new Date(at).toISOString()

const nameOf = ({ id, name }: { readonly id: string; readonly name: string }) => ({ id, name })
