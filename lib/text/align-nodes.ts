/** Decides which blocks of one text correspond to which of another. Knows the tree; does not know what is done with the answer. */
import { longestIncreasing } from '../longest-increasing.ts'
import { blockTextOf } from './plain-text.ts'
import { isTextNode, type TreeNode, type TextRun } from './tree.ts'
import { marksKey, wordTokensOf } from './word-diff.ts'

export type AlignedPair<P extends TreeNode> =
  readonly [before: P, after: P] | readonly [P, null] | readonly [null, P]

/** Two blocks must share this much of their words to count as one that was changed. */
const MIN_LIKENESS = 0.4
/** The limit of comparisons between two certain pairs: about 0.1 s. In a longer stretch nothing is guessed. */
const MAX_COMPARISONS = 20_000

/**
 * Pairs in the order of reading, what is gone before what came in its place. Nodes of one document keep their ids from version to
 * version. What was made anew (restored, moved, pasted) is matched by its content, and the rest by likeness.
 */
export function alignNodes<P extends TreeNode>(before: readonly P[], after: readonly P[]): AlignedPair<P>[] {
  const pairs: AlignedPair<P>[] = []
  let [from, to] = [0, 0]
  for (const [i, j] of [...certainPairs(before, after), [before.length, after.length] as const]) {
    pairs.push(...pairByLikeness(before.slice(from, i), after.slice(to, j)))
    if (i < before.length) pairs.push([before[i]!, after[j]!])
    ;[from, to] = [i + 1, j + 1]
  }
  return pairs
}

type IndexPair = readonly [before: number, after: number]

/** Pairs that are certain and in the same order on both sides, as many as possible. */
function certainPairs(before: readonly TreeNode[], after: readonly TreeNode[]): IndexPair[] {
  const ids = new Map(before.map(({ id }, index) => [id, index]))
  const matchedById = new Set(after.flatMap(({ id }) => ids.get(id) ?? []))
  const oldKeys = uniqueKeys(before, (_part, index) => !matchedById.has(index))
  const newKeys = uniqueKeys(after, ({ id }) => !ids.has(id))
  const matches = after.flatMap((node, index): IndexPair[] => {
    const oldIndex =
      ids.get(node.id) ??
      (newKeys.get(contentKeyOf(node)) === index ? oldKeys.get(contentKeyOf(node)) : undefined)
    return oldIndex === undefined ? [] : [[oldIndex, index]]
  })
  return longestIncreasing(matches.map(([oldIndex]) => oldIndex)).map((at) => matches[at]!)
}

/** Contents that only one of the nodes has, with its index. */
function uniqueKeys(
  nodes: readonly TreeNode[],
  isCounted: (node: TreeNode, index: number) => boolean,
): Map<string, number> {
  const found = new Map<string, number>()
  const duplicates = new Set<string>()
  nodes.forEach((node, index) => {
    if (!isCounted(node, index)) return
    const key = contentKeyOf(node)
    if (found.has(key)) duplicates.add(key)
    found.set(key, index)
  })
  for (const key of duplicates) found.delete(key)
  return found
}

/** The pairs in order whose likeness is greatest in sum. */
function pairByLikeness<P extends TreeNode>(before: readonly P[], after: readonly P[]): AlignedPair<P>[] {
  const removed = before.map((node) => [node, null] as const)
  const added = after.map((node) => [null, node] as const)
  if (removed.length === 0 || added.length === 0 || removed.length * added.length > MAX_COMPARISONS)
    return [...removed, ...added]
  const best = bestScores(before, after)
  const pairs: AlignedPair<P>[] = []
  let [i, j] = [0, 0]
  while (i < before.length && j < after.length) {
    const score = best[i]![j]!
    if (score === best[i + 1]![j]!) pairs.push(removed[i++]!)
    else if (score === best[i]![j + 1]!) pairs.push(added[j++]!)
    else pairs.push([before[i++]!, after[j++]!])
  }
  return [...pairs, ...removed.slice(i), ...added.slice(j)]
}

/** `[i][j]`: the greatest likeness of what follows `i` and `j`. */
function bestScores(before: readonly TreeNode[], after: readonly TreeNode[]): number[][] {
  const best = Array.from({ length: before.length + 1 }, () =>
    Array.from({ length: after.length + 1 }, () => 0),
  )
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--) {
      const paired = likeness(before[i]!, after[j]!) + best[i + 1]![j + 1]!
      best[i]![j] = Math.max(best[i + 1]![j]!, best[i]![j + 1]!, paired)
    }
  return best
}

/** 0 for unrelated nodes; 2 for equal ones, so that no number of partial matches outweighs an equal pair. */
function likeness(a: TreeNode, b: TreeNode): number {
  if (isTextNode(a) !== isTextNode(b)) return 0
  if (contentKeyOf(a) === contentKeyOf(b)) return 2
  const [wordsOfA, wordsOfB] = [wordCountsOf(a), wordCountsOf(b)]
  const all = totalOf(wordsOfA) + totalOf(wordsOfB)
  if (all === 0) return MIN_LIKENESS
  let shared = 0
  for (const [word, count] of wordsOfA) shared += Math.min(count, wordsOfB.get(word) ?? 0)
  const share = (2 * shared) / all
  return share < MIN_LIKENESS ? 0 : share
}

const wordCounts = new WeakMap<TreeNode, Map<string, number>>()

function wordCountsOf(node: TreeNode): Map<string, number> {
  const cached = wordCounts.get(node)
  if (cached) return cached
  const text = isTextNode(node) ? node.runs.map((run) => run.text).join('') : blockTextOf(node)
  const counts = new Map<string, number>()
  for (const word of wordTokensOf(text)) if (word.trim() !== '') counts.set(word, (counts.get(word) ?? 0) + 1)
  wordCounts.set(node, counts)
  return counts
}

const totalOf = (counts: ReadonlyMap<string, number>): number => {
  let size = 0
  for (const count of counts.values()) size += count
  return size
}

const contentKeys = new WeakMap<TreeNode, string>()

/** The same for nodes with the same content, whoever made them. */
export function contentKeyOf(node: TreeNode): string {
  const cached = contentKeys.get(node)
  if (cached !== undefined) return cached
  const key = isTextNode(node)
    ? JSON.stringify(joinRuns(node.runs))
    : // Not a string within a string: each level of a nested list would double its signs.
      `[${JSON.stringify(node.name)},${marksKey(node.attributes)},[${node.children.map(contentKeyOf).join(',')}]]`
  contentKeys.set(node, key)
  return key
}

/** Joins neighbouring runs with the same marks, which Yjs may keep apart. */
function joinRuns(runs: readonly TextRun[]): [text: string, marks: string][] {
  const result: [string, string][] = []
  for (const { text, marks } of runs) {
    const key = marksKey(marks)
    const last = result.at(-1)
    if (last?.[1] === key) last[0] += text
    else result.push([text, key])
  }
  return result
}
