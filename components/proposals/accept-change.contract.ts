/** Branches of random texts by several writers, through the editor's own binding, accepted change by change in any order. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { createSeededRandom, type SeededRandom } from '@/lib/fixtures/seeded-random.ts'
import { sharedTextOf } from '@/lib/blocks/fixtures/block-documents.ts'
import { anyDocument } from '@/lib/export/fixtures/random-documents.ts'
import { acceptChanges, changesOf, type ProposedChange } from '@/lib/proposals/proposed-changes.ts'
import { lettersOf } from '@/lib/proposals/letters.ts'
import { itemOf } from '@/lib/yjs-internals/shared-type.ts'
import { createHeadlessEditor } from '@/components/binding/fixtures/headless-editor.ts'
import { randomEdit } from '@/components/binding/fixtures/random-edits.ts'
import { TextReader } from '@/components/binding/read-text.ts'
import { pageSchema } from '@/components/editor/schema.ts'

const bodyOf = (doc: Y.Doc): Y.XmlFragment => doc.getXmlFragment('default')
const shownOf = (doc: Y.Doc) => new TextReader(pageSchema).read(bodyOf(doc)).node
/** As the editor shows it: a line without letters may have an empty text or none. */
const contentOf = (doc: Y.Doc): unknown => [doc.getText('title').toJSON(), shownOf(doc).toJSON()]

function branchOf(doc: Y.Doc, random: SeededRandom): Y.Doc {
  const branch = new Y.Doc()
  Y.applyUpdate(branch, Y.encodeStateAsUpdate(doc))
  branch.clientID = random.between(1, 2 ** 31)
  return branch
}

/** Several writers edit copies of their own, and each has the others' edits at the end. */
function writeTogether(doc: Y.Doc, writers: number, edits: number, random: SeededRandom): void {
  const copies = Array.from({ length: writers }, () => branchOf(doc, random))
  for (const copy of copies) {
    const editor = createHeadlessEditor(bodyOf(copy))
    for (let step = 0; step < edits; step += 1) {
      const edit = randomEdit(editor.state, random)
      if (edit) editor.dispatch(edit.transaction)
    }
    if (random.next() < 0.3) copy.getText('title').insert(0, random.pick(['New ', 'Our ']))
    editor.destroy()
  }
  for (const copy of copies) Y.applyUpdate(doc, Y.encodeStateAsUpdate(copy))
}

const expectValid = (doc: Y.Doc): void => shownOf(doc).check()

const openChanges = (changes: readonly ProposedChange[]): ProposedChange[] =>
  changes.filter(({ state }) => state !== 'proposed')

const textsIn = (doc: Y.Doc): Y.XmlText[] =>
  [...bodyOf(doc).createTreeWalker((node) => node instanceof Y.XmlText)] as Y.XmlText[]

/** The ids of the letters that a change replaces. Somebody may have written there anew what the base had. */
function replacedIds(original: Y.Doc, change: ProposedChange): string[] {
  if (change.kind !== 'words') return []
  const text = textsIn(original).find((node) => {
    const { client, clock } = itemOf(node)!.id
    return `${client}-${clock}` === change.originalText
  })
  return text
    ? lettersOf(text)
        .slice(...change.originalRange)
        .map(({ id }) => id)
    : []
}

/** The ids of the letters that somebody wrote into the original since the proposal began. */
function letterIdsSince(original: Y.Doc, base: Y.Doc): Set<string> {
  const ids = textsIn(original)
    .flatMap((text) => lettersOf(text))
    .map(({ id }) => id)
  return new Set(ids.filter((id) => isNewSince(id, base)))
}

function isNewSince(id: string | null, base: Y.Doc): boolean {
  const [client, clock] = (id ?? '').split('-').map(Number)
  const known = Y.decodeStateVector(Y.encodeStateVector(base)).get(client ?? 0) ?? 0
  return clock !== undefined && clock >= known
}

interface Branch {
  readonly base: Y.Doc
  readonly original: Y.Doc
  readonly proposal: Y.Doc
  readonly random: SeededRandom
}

function randomBranch(seed: number, hasGoneOn: boolean): Branch {
  const text = sampleDocument(seed)
  const random = createSeededRandom(seed)
  text.getText('title').insert(0, 'The plan of the year')
  const [base, original, proposal] = [branchOf(text, random), branchOf(text, random), branchOf(text, random)]
  writeTogether(proposal, random.between(1, 3), random.between(1, 5), random)
  if (hasGoneOn) writeTogether(original, random.between(1, 2), random.between(1, 4), random)
  return { base, original, proposal, random }
}

const sampleDocument = (seed: number): Y.Doc =>
  sharedTextOf(fc.sample(anyDocument, { numRuns: 1, seed })[0]!).doc!

/** Names the seed of a failure. */
function forEachSeed(seeds: readonly number[], run: (seed: number) => void): void {
  for (const seed of seeds)
    try {
      run(seed)
    } catch (error) {
      throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error })
    }
}

function acceptAll(seed: number): void {
  const { random, ...texts } = randomBranch(seed, false)
  const proposed = contentOf(texts.proposal)
  let open = openChanges(changesOf(texts))
  while (open.length > 0) {
    expect(open.every(({ state }) => state === 'base')).toBe(true)
    const chosen = random.next() < 0.8 ? [random.pick(open)] : open.filter(() => random.next() < 0.5)
    expect(acceptChanges(texts, chosen).size).toBe(chosen.length)
    expectValid(texts.original)
    const left = openChanges(changesOf(texts))
    // Of equal blocks in one place any one counts as accepted.
    expect(left).toHaveLength(open.length - chosen.length)
    open = left
  }
  expect(contentOf(texts.original)).toEqual(proposed)
}

function acceptSome(seed: number): void {
  const { random, ...texts } = randomBranch(seed, true)
  const found = changesOf(texts)
  for (const { key } of random.next() < 0.5 ? found : found.toReversed()) {
    const change = changesOf(texts).find((other) => other.key === key)
    if (!change || change.state === 'proposed') continue
    const mode = change.canKeepBoth && random.next() < 0.5 ? 'both' : 'replace'
    const before = letterIdsSince(texts.original, texts.base)
    for (const id of replacedIds(texts.original, change)) if (change.state === 'base') before.delete(id)
    acceptChanges(texts, [change], mode)
    expectValid(texts.original)
    const after = letterIdsSince(texts.original, texts.base)
    const isKept = change.state !== 'changed' || mode === 'both'
    // Where the original has written a block anew (a paragraph became a heading), its letters stand for the base's.
    const isWrittenAnew = isNewSince(change.originalBlock, texts.base)
    if (isKept && !isWrittenAnew && change.kind !== 'moved')
      expect([...before].filter((id) => !after.has(id))).toEqual([])
  }
}

function readOnly(seed: number): void {
  const { random: _random, ...texts } = randomBranch(seed, true)
  const docs = Object.values(texts)
  const before = docs.map((doc) => Y.encodeStateAsUpdate(doc))
  changesOf(texts)
  expect(docs.map((doc) => Y.encodeStateAsUpdate(doc))).toEqual(before)
}

/** To end what hangs: beside other work a stretch of seeds takes minutes. */
const TIMEOUT_MS = 1_200_000

export function describeAcceptedChanges(seeds: readonly number[]): void {
  test(
    'accepting each change of a branch, in any order, gives the branch’s text; each step leaves the others open',
    () => forEachSeed(seeds, acceptAll),
    TIMEOUT_MS,
  )
  test(
    'where the original has gone on, a change without a conflict takes none of what was written there',
    () => forEachSeed(seeds, acceptSome),
    TIMEOUT_MS,
  )
  test(
    'reading what a proposal changes writes nothing',
    () => forEachSeed(seeds.slice(0, 50), readOnly),
    TIMEOUT_MS,
  )
}
