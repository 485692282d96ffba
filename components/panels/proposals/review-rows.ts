/** Sorts changes into the blocks of the text, in the order of reading. Knows trees; does not know how they are shown. */
import type * as Y from 'yjs'
import type { DecidedChange } from '@/components/http-api.ts'
import type { ProposedChange } from '@/lib/proposals/proposed-changes.ts'
import { alignNodes } from '@/lib/text/align-nodes.ts'
import { type Block, isTextNode, storedTreeOf, type TreeNode } from '@/lib/text/tree.ts'

/** Changes of one line or block, which are shown together; or blocks that the proposal leaves alone. */
export type ReviewRow =
  | { readonly key: string; readonly changes: readonly ProposedChange[] }
  | { readonly key: string; readonly gap: readonly Block[] }

export const blocksOf = (doc: Y.Doc): readonly Block[] => storedTreeOf(doc.getXmlFragment('default'))

export function reviewRowsOf(
  base: Y.Doc,
  proposal: Y.Doc,
  changes: readonly ProposedChange[],
): readonly ReviewRow[] {
  const places = new Map(changes.map((change, place) => [change, place]))
  const changesByBlock = Map.groupBy(changes, placeOf)
  const rows: ReviewRow[] = []
  let gap: Block[] = []
  const closeGap = () => {
    if (gap.length > 0) rows.push({ key: `gap ${gap[0]!.id}`, gap })
    gap = []
  }
  const addChanges = (found: readonly ProposedChange[]) => {
    for (const change of found) {
      const last = rows.at(-1)
      const isSameLine =
        last && 'changes' in last && change.kind === 'words' && last.changes[0]!.kind === 'words'
      if (isSameLine && placeOf(last.changes[0]!) === placeOf(change))
        rows[rows.length - 1] = { ...last, changes: [...last.changes, change] }
      else rows.push({ key: change.key, changes: [change] })
    }
  }
  addChanges(changesByBlock.get('') ?? [])
  const shownWithin = new Set(
    changes.flatMap((change) => (change.kind === 'split' ? (change.parts ?? []) : [])).map(({ id }) => id),
  )
  for (const [was, is] of alignNodes(blocksOf(base), blocksOf(proposal))) {
    const ids = [...new Set([...idsIn(was), ...idsIn(is)])]
    const found = ids
      .flatMap((id) => changesByBlock.get(id) ?? [])
      .toSorted((a, b) => places.get(a)! - places.get(b)!)
    if (found.length > 0) {
      closeGap()
      addChanges(found)
    } else if (is && !shownWithin.has(is.id)) gap.push(is)
  }
  closeGap()
  return rows
}

/** The id of a block of the proposal or of the base; '' for the title. */
const placeOf = (change: ProposedChange): string =>
  change.proposedBlock ?? ('before' in change ? (change.before?.id ?? '') : '')

const idsIn = (node: TreeNode | null): string[] =>
  node === null || isTextNode(node) ? [] : [node.id, ...node.children.flatMap(idsIn)]

/** All blocks of a text by their ids. */
export function blocksById(blocks: readonly Block[]): ReadonlyMap<string, Block> {
  const found = new Map<string, Block>()
  const add = (node: TreeNode): void => {
    if (isTextNode(node)) return
    found.set(node.id, node)
    node.children.forEach(add)
  }
  blocks.forEach(add)
  return found
}

/** `missing`: it was accepted, and the original does not have it: its edit is on the way from another window, or was undone. */
export type ChangeStatus = 'open' | 'accepted' | 'rejected' | 'missing'

export function changeStatusOf({ state }: ProposedChange, decided: DecidedChange | undefined): ChangeStatus {
  if (state === 'proposed') return 'accepted'
  if (decided?.decision !== 'accepted') return decided?.decision ?? 'open'
  return state === 'base' ? 'missing' : 'accepted'
}

export const isDecided = (status: ChangeStatus): boolean => status === 'accepted' || status === 'rejected'
