/** Finds which blocks of the original are those that the proposal has made anew: accepted before, or written by both. Knows trees alone. */
import { type AlignedPair, contentKeyOf } from '../text/align-nodes.ts'
import type { TreeNode } from '../text/tree.ts'

/** The limit of comparisons between two blocks that both texts have: in a longer stretch the first equal block is taken each time. */
const MAX_COMPARISONS = 1_000_000

/**
 * Equal blocks in the same place and in the same order, as many as possible.
 *
 * @param pairs Of base and proposal.
 * @returns For a block of the proposal the equal one of the original.
 */
export function claimEqual(
  pairs: readonly AlignedPair<TreeNode>[],
  base: readonly TreeNode[],
  original: readonly TreeNode[],
): Map<TreeNode, TreeNode> {
  const baseIds = new Set(base.map(({ id }) => id))
  const keptIds = new Set(original.map(({ id }) => id).filter((id) => baseIds.has(id)))
  const claims = new Map<TreeNode, TreeNode>()
  const present = stretchesBetween(original, (node) => keptIds.has(node.id))
  const rows = stretchesBetween(pairs, ([was]) => was !== null && keptIds.has(was.id))
  for (const [at, stretch] of rows.entries()) {
    const made = stretch.filter(([was, is]) => is !== null && was?.id !== is.id)
    claimWithin(made, present[at] ?? [], claims)
  }
  return claims
}

/** Divides a list at what both texts have kept. */
function stretchesBetween<Item>(items: readonly Item[], isKept: (item: Item) => boolean): Item[][] {
  const stretches: Item[][] = [[]]
  for (const item of items)
    if (isKept(item)) stretches.push([])
    else stretches.at(-1)!.push(item)
  return stretches
}

/** The longest common subsequence. Of equal ones a block that took another one's place counts more: that one is gone. */
function claimWithin(
  made: readonly AlignedPair<TreeNode>[],
  present: readonly TreeNode[],
  claims: Map<TreeNode, TreeNode>,
): void {
  if (made.length === 0 || present.length === 0) return
  if (made.length * present.length > MAX_COMPARISONS) return claimFirst(made, present, claims)
  const scoreOf = ([was, is]: AlignedPair<TreeNode>, node: TreeNode): number =>
    contentKeyOf(is!) === contentKeyOf(node) ? (was ? 1.001 : 1) : 0
  const best = Array.from({ length: made.length + 1 }, () => new Float64Array(present.length + 1))
  for (let i = made.length - 1; i >= 0; i -= 1)
    for (let j = present.length - 1; j >= 0; j -= 1) {
      const score = scoreOf(made[i]!, present[j]!)
      const paired = score > 0 ? score + best[i + 1]![j + 1]! : 0
      best[i]![j] = Math.max(best[i + 1]![j]!, best[i]![j + 1]!, paired)
    }
  let [i, j] = [0, 0]
  while (i < made.length && j < present.length) {
    const score = best[i]![j]!
    if (score === best[i + 1]![j]!) i += 1
    else if (score === best[i]![j + 1]!) j += 1
    else claims.set(made[i++]![1]!, present[j++]!)
  }
}

/** Finds all where the original has nothing else there, as where parts of one proposal were accepted. */
function claimFirst(
  made: readonly AlignedPair<TreeNode>[],
  present: readonly TreeNode[],
  claims: Map<TreeNode, TreeNode>,
): void {
  const indexes = Map.groupBy([...made.keys()].toReversed(), (index) => contentKeyOf(made[index]![1]!))
  let next = 0
  for (const node of present) {
    const candidates = indexes.get(contentKeyOf(node)) ?? []
    while (candidates.length > 0 && candidates.at(-1)! < next) candidates.pop()
    const index = candidates.pop()
    if (index === undefined) continue
    claims.set(made[index]![1]!, node)
    next = index + 1
  }
}
