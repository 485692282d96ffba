/** Finds the client id of each letter that the editor shows between two positions. */
import * as Y from 'yjs'
import { clientRunsOf } from '@/lib/text/client-runs.ts'
import { itemOf } from '@/lib/yjs-internals/shared-type.ts'
import type { InlineReading, Reading } from '@/components/binding/reading.ts'

export interface ShownRun {
  readonly client: number
  readonly from: number
  readonly to: number
  /** The position at which the letters of its text block begin; null for a block without letters. */
  readonly line: number | null
}

/** Blocks that are not between the two positions are passed over, so that the cost follows what is on screen. */
export function shownRunsIn(reading: Reading, from: number, to: number): ShownRun[] {
  const runs: ShownRun[] = []
  addBlockRuns(reading, 0, from, to, runs)
  return runs
}

function addBlockRuns(reading: Reading, start: number, from: number, to: number, runs: ShownRun[]): void {
  if (reading.inline) {
    let at = start
    for (const one of reading.inline) {
      if (at + one.size > from && at < to) addInlineRuns(one, at, start, runs)
      at += one.size
    }
    return
  }
  let at = start
  for (const child of reading.children) {
    const end = at + child.node.nodeSize
    if (at >= to) return
    if (end > from) {
      if (!child.node.isLeaf) addBlockRuns(child, at + 1, from, to, runs)
      else if (child.source) addRun(runs, { client: clientOf(child.source), from: at, to: end, line: null })
    }
    at = end
  }
}

function addInlineRuns(
  { child, offset, length, size }: InlineReading,
  at: number,
  line: number,
  runs: ShownRun[],
): void {
  if (size === 0) return
  if (!(child instanceof Y.Text)) {
    if (child instanceof Y.XmlElement)
      addRun(runs, { client: clientOf(child), from: at, to: at + size, line })
    return
  }
  for (const run of clientRunsOf(child)) {
    const [first, end] = [Math.max(run.from, offset) - offset, Math.min(run.to, offset + length) - offset]
    if (first >= end) continue
    // A part that is no letters may have another size in the editor than in Yjs.
    const [from, to] = size === length ? [at + first, at + end] : [at, at + size]
    addRun(runs, { client: run.client, from, to, line })
    if (size !== length) return
  }
}

/** Letters of one client that have different formats are one run. */
function addRun(runs: ShownRun[], run: ShownRun): void {
  const last = runs.at(-1)
  if (
    last &&
    last.client === run.client &&
    last.line === run.line &&
    last.to === run.from &&
    run.line !== null
  )
    runs[runs.length - 1] = { ...last, to: run.to }
  else runs.push(run)
}

const clientOf = (type: Y.XmlFragment): number => itemOf(type)?.id.client ?? 0
