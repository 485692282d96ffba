/** Which blocks of one text are which of another. Knows the tree; does not know what is done with the answer. */
import { plainOf } from './plain.ts'
import { isText, type Part, type Run } from './tree.ts'
import { marksKey, tokensOf } from './words.ts'

export type Pair<P extends Part> = readonly [before: P, after: P] | readonly [P, null] | readonly [null, P]

/** So much of their words two blocks must share to be one that was changed. */
const LIKE = 0.4
/** Comparisons between two pairs that are certain: about 0.1 s. In a longer stretch nothing is guessed. */
const MAX_GUESSES = 20_000

/**
 * In the order of reading, what is gone before what came in its place. Parts of one document keep their ids from version to version;
 * what was made anew (restored, moved, pasted) is known by its content, and the rest by likeness.
 */
export function align<P extends Part>(before: readonly P[], after: readonly P[]): Pair<P>[] {
  const pairs: Pair<P>[] = []
  let [from, to] = [0, 0]
  for (const [i, j] of [...anchors(before, after), [before.length, after.length] as const]) {
    pairs.push(...guess(before.slice(from, i), after.slice(to, j)))
    if (i < before.length) pairs.push([before[i]!, after[j]!])
    ;[from, to] = [i + 1, j + 1]
  }
  return pairs
}

type Match = readonly [before: number, after: number]

/** Pairs that are certain and in the same order on both sides: as many as there are. */
function anchors(before: readonly Part[], after: readonly Part[]): Match[] {
  const ids = new Map(before.map(({ id }, index) => [id, index]))
  const known = new Set(after.flatMap(({ id }) => ids.get(id) ?? []))
  const oldKeys = uniqueKeys(before, (_part, index) => !known.has(index))
  const newKeys = uniqueKeys(after, ({ id }) => !ids.has(id))
  const matches = after.flatMap((part, index): Match[] => {
    const same =
      ids.get(part.id) ?? (newKeys.get(keyOf(part)) === index ? oldKeys.get(keyOf(part)) : undefined)
    return same === undefined ? [] : [[same, index]]
  })
  return longestRising(matches)
}

/** Contents that only one of the parts has, with its index. */
function uniqueKeys(
  parts: readonly Part[],
  counts: (part: Part, index: number) => boolean,
): Map<string, number> {
  const found = new Map<string, number>()
  const twice = new Set<string>()
  parts.forEach((part, index) => {
    if (!counts(part, index)) return
    const key = keyOf(part)
    if (found.has(key)) twice.add(key)
    found.set(key, index)
  })
  for (const key of twice) found.delete(key)
  return found
}

/** Of matches in the order of their second numbers the longest row whose first ones rise, too (patience sorting). */
function longestRising(matches: readonly Match[]): Match[] {
  const tops: number[] = []
  const behind: number[] = []
  matches.forEach(([value], index) => {
    const pile = firstAtLeast(tops, (top) => matches[top]![0], value)
    behind[index] = pile === 0 ? -1 : tops[pile - 1]!
    tops[pile] = index
  })
  const row: Match[] = []
  for (let at = tops.at(-1) ?? -1; at !== -1; at = behind[at]!) row.push(matches[at]!)
  return row.toReversed()
}

function firstAtLeast(tops: readonly number[], valueOf: (top: number) => number, value: number): number {
  let [low, high] = [0, tops.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (valueOf(tops[middle]!) < value) low = middle + 1
    else high = middle
  }
  return low
}

/** The pairs in order that are most alike together. */
function guess<P extends Part>(before: readonly P[], after: readonly P[]): Pair<P>[] {
  const gone = before.map((part) => [part, null] as const)
  const came = after.map((part) => [null, part] as const)
  if (gone.length === 0 || came.length === 0 || gone.length * came.length > MAX_GUESSES)
    return [...gone, ...came]
  const best = bestScores(before, after)
  const pairs: Pair<P>[] = []
  let [i, j] = [0, 0]
  while (i < before.length && j < after.length) {
    const here = best[i]![j]!
    if (here === best[i + 1]![j]!) pairs.push(gone[i++]!)
    else if (here === best[i]![j + 1]!) pairs.push(came[j++]!)
    else pairs.push([before[i++]!, after[j++]!])
  }
  return [...pairs, ...gone.slice(i), ...came.slice(j)]
}

/** `[i][j]`: how alike what follows `i` and `j` can be made. */
function bestScores(before: readonly Part[], after: readonly Part[]): number[][] {
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

/** 0 for strangers; 2 for equals, since no number of resemblances makes up for one. */
function likeness(a: Part, b: Part): number {
  if (isText(a) !== isText(b)) return 0
  if (keyOf(a) === keyOf(b)) return 2
  const [ours, theirs] = [wordsOf(a), wordsOf(b)]
  const all = sizeOf(ours) + sizeOf(theirs)
  if (all === 0) return LIKE
  let shared = 0
  for (const [word, count] of ours) shared += Math.min(count, theirs.get(word) ?? 0)
  const share = (2 * shared) / all
  return share < LIKE ? 0 : share
}

const words = new WeakMap<Part, Map<string, number>>()

function wordsOf(part: Part): Map<string, number> {
  const known = words.get(part)
  if (known) return known
  const text = isText(part) ? part.runs.map((run) => run.text).join('') : plainOf(part)
  const counts = new Map<string, number>()
  for (const word of tokensOf(text)) if (word.trim() !== '') counts.set(word, (counts.get(word) ?? 0) + 1)
  words.set(part, counts)
  return counts
}

const sizeOf = (counts: ReadonlyMap<string, number>): number => {
  let size = 0
  for (const count of counts.values()) size += count
  return size
}

const keys = new WeakMap<Part, string>()

/** The same for parts that hold the same, whoever made them. */
export function keyOf(part: Part): string {
  const known = keys.get(part)
  if (known !== undefined) return known
  const key = isText(part)
    ? JSON.stringify(joined(part.runs))
    : JSON.stringify([part.name, marksKey(part.attributes), part.children.map(keyOf)])
  keys.set(part, key)
  return key
}

/** Yjs may keep letters with the same marks apart. */
function joined(runs: readonly Run[]): [text: string, marks: string][] {
  const result: [string, string][] = []
  for (const { text, marks } of runs) {
    const key = marksKey(marks)
    const last = result.at(-1)
    if (last?.[1] === key) last[0] += text
    else result.push([text, key])
  }
  return result
}
