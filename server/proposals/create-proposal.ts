/**
 * Makes a proposal: a document that begins with the original's text, the same structs, so that accepting it is a merge. How it began is
 * kept as a named version of it. Nothing is decoded here: a thread merges what is stored.
 */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { randomId } from '../../lib/protocol/ids.ts'
import { proposalRefusalsStrings } from '../../lib/strings/proposal-refusals.ts'
import type { Principal } from '../access/principal.ts'
import { type CopyDependencies, mergeStoredText } from '../api/copy-document.ts'
import { createFromState } from '../api/create-from-state.ts'
import type { DocumentTableRow } from '../api/document-rows.ts'
import { renewVersionsSizes } from '../store/document-sizes.ts'
import { createVersionsTable } from '../versions/versions-table.ts'
import { insertProposal, refuseTooManyProposals } from './proposal-rows.ts'

const compress = promisify(gzip)

/** @throws {TooManyProposals}, {StoreError}; then nothing is left behind. */
export async function createProposal(
  dependencies: CopyDependencies,
  original: Pick<DocumentTableRow, 'id' | 'title'>,
  author: Principal,
  title: string,
): Promise<string> {
  const { db } = dependencies
  await refuseTooManyProposals(db, original.id, author.id)
  const text = await mergeStoredText(dependencies, original.id)
  const state = await compress(text.state)
  const base = randomId()
  const { id } = await createFromState(dependencies, {
    owner: author,
    title: original.title,
    text,
    original: original.id,
    filesOf: original.id,
    async complete(document, sequence) {
      const version = {
        id: base,
        document,
        name: proposalRefusalsStrings.base,
        namedBy: author.id,
        createdAt: Date.now(),
      }
      await createVersionsTable(db).insertIntoNew({ ...version, authors: [], sequence, state })
      await insertProposal(db, { document, title, base })
    },
  })
  await renewVersionsSizes(db, [id])
  return id
}
