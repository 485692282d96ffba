/**
 * The flow of the benchmark `replay` between two windows: two texts, each typed on by one author at a time, both at the same time;
 * after each turn they swap, and go on at places that the other's typing has moved.
 */
import { readTrace, type TraceTransaction, tracesFolder } from '../../server/fixtures/traces.ts'
import { createSeededRandom } from '../chaos/seeded-random.ts'
import { expect } from '../support/fixtures.ts'
import type { DocumentWindow } from '../support/document-window.ts'

const TURNS = 4
const EDITS_A_TURN = 40
const EDITS = TURNS * EDITS_A_TURN

type EditPatches = TraceTransaction['patches']

interface ReplayResult {
  /** What was typed: a recording's name, or that it was made up. */
  readonly script: string
  readonly text: string
  /** Until both windows had all of it. */
  readonly turnsMs: readonly number[]
}

/** @returns The texts as both windows have them in the end. */
export async function replayInTurns(
  windows: readonly [DocumentWindow, DocumentWindow],
): Promise<ReplayResult[]> {
  const scripts = scriptsOf()
  const turnsMs: number[] = []
  const texts = scripts.map(() => '')
  for (let turn = 0; turn < TURNS; turn++) {
    const startedAt = performance.now()
    const turnEdits = scripts.map(({ edits }) => edits.slice(turn * EDITS_A_TURN, (turn + 1) * EDITS_A_TURN))
    for (const [index, edits] of turnEdits.entries()) texts[index] = edits.reduce(applyPatches, texts[index]!)
    const authors = turn % 2 === 0 ? windows : windows.toReversed()
    await Promise.all(
      authors.map(({ page }, index) => page.evaluate(typeEdits, { index, edits: turnEdits[index]! })),
    )
    for (const { page } of windows)
      await expect
        .poll(() => page.evaluate(readTexts, texts.length), { intervals: [20, 50, 100] })
        .toEqual(texts)
    turnsMs.push(performance.now() - startedAt)
  }
  return scripts.map(({ script }, index) => ({ script, text: texts[index]!, turnsMs }))
}

/** Of recordings the beginnings; of both the text is known without Diptych. */
function scriptsOf(): { script: string; edits: readonly EditPatches[] }[] {
  if (!tracesFolder)
    return ['ada', 'bob'].map((author) => ({ script: `made up for ${author}`, edits: createEdits(author) }))
  return ['friendsforever_flat', 'json-crdt-patch'].map((script) => ({
    script,
    edits: readTrace(script)
      .txns.slice(0, EDITS)
      .map(({ patches }) => patches),
  }))
}

/** Words are typed and taken back anywhere in what is there. */
function createEdits(author: string): EditPatches[] {
  const random = createSeededRandom(7, author)
  let text = ''
  return Array.from({ length: EDITS }, () => {
    const position = random.between(0, text.length)
    const deleted = random.between(0, Math.min(3, text.length - position))
    const patches: EditPatches = [[position, deleted, random.pick(['a', 'b ', 'the ', 'left-hand window\n'])]]
    text = applyPatches(text, patches)
    return patches
  })
}

const applyPatches = (text: string, patches: EditPatches): string =>
  patches.reduce(
    (before, [position, deleted, inserted]) =>
      before.slice(0, position) + inserted + before.slice(position + deleted),
    text,
  )

// In the pages; each stands alone.

async function typeEdits({ index, edits }: { index: number; edits: readonly EditPatches[] }): Promise<void> {
  const { doc, whenSaved } = window.diptych!
  const text = doc.getText(`replayed ${index}`)
  for (const patches of edits) {
    doc.transact(() => {
      for (const [position, deleted, inserted] of patches) {
        if (deleted > 0) text.delete(position, deleted)
        if (inserted !== '') text.insert(position, inserted)
      }
    })
    // An edit each, and not one of all of them.
    await new Promise((resolve) => setTimeout(resolve))
  }
  await whenSaved()
}

const readTexts = (texts: number): string[] =>
  Array.from({ length: texts }, (_, index) => window.diptych!.doc.getText(`replayed ${index}`).toJSON())
