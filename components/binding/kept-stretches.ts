/** Which stretches of a document its edits left alone. Knows ProseMirror's step maps. */
import type { StepMap } from '@tiptap/pm/transform'

/** Its letters are the same before and after; marks and attributes may differ. */
export interface KeptStretch {
  readonly before: number
  readonly after: number
  readonly size: number
}

/** @param size Of the content before the edits. */
export function keptStretchesOf(size: number, maps: readonly StepMap[]): readonly KeptStretch[] {
  return maps.reduce<readonly KeptStretch[]>(keepThrough, [{ before: 0, after: 0, size }])
}

function keepThrough(stretches: readonly KeptStretch[], map: StepMap): readonly KeptStretch[] {
  const kept: KeptStretch[] = []
  const later = stretchesOf(map)
  let from = 0
  for (const one of stretches) {
    while (from < later.length && later[from]!.before + later[from]!.size <= one.after) from += 1
    for (let index = from; index < later.length && later[index]!.before < one.after + one.size; index++) {
      const next = later[index]!
      const start = Math.max(one.after, next.before)
      const size = Math.min(one.after + one.size, next.before + next.size) - start
      if (size > 0) addStretch(kept, one.before + start - one.after, next.after + start - next.before, size)
    }
  }
  return kept
}

function addStretch(kept: KeptStretch[], before: number, after: number, size: number): void {
  const last = kept.at(-1)
  if (last && last.before + last.size === before && last.after + last.size === after)
    kept[kept.length - 1] = { ...last, size: last.size + size }
  else kept.push({ before, after, size })
}

function stretchesOf(map: StepMap): readonly KeptStretch[] {
  const stretches: KeptStretch[] = []
  let [before, after] = [0, 0]
  map.forEach((oldStart, oldEnd, _newStart, newEnd) => {
    stretches.push({ before, after, size: oldStart - before })
    ;[before, after] = [oldEnd, newEnd]
  })
  return [...stretches, { before, after, size: Number.MAX_SAFE_INTEGER / 2 }]
}

/** The parts of the stretches that lie within both ranges. */
export function stretchesWithin(
  stretches: readonly KeptStretch[],
  before: { readonly from: number; readonly to: number },
  after: { readonly from: number; readonly to: number },
): readonly KeptStretch[] {
  const within: KeptStretch[] = []
  for (let index = firstEndingAfter(stretches, before.from); index < stretches.length; index++) {
    const one = stretches[index]!
    if (one.before >= before.to) break
    const shift = one.after - one.before
    const start = Math.max(one.before, before.from, after.from - shift)
    const size = Math.min(one.before + one.size, before.to, after.to - shift) - start
    if (size > 0) within.push({ before: start, after: start + shift, size })
  }
  return within
}

/** Returns where the steps moved the unit at a position; null if they replaced it. */
export function keptPositionOf(stretches: readonly KeptStretch[], at: number): number | null {
  const one = stretches[firstEndingAfter(stretches, at)]
  return one && one.before <= at ? one.after + at - one.before : null
}

function firstEndingAfter(stretches: readonly KeptStretch[], at: number): number {
  let [low, high] = [0, stretches.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (stretches[middle]!.before + stretches[middle]!.size <= at) low = middle + 1
    else high = middle
  }
  return low
}
