/**
 * Measures the review of a proposal that changes 4,000 lines of a text, and the marks of who wrote what in it, without a page. Prints the
 * processor time of this thread in ms, the middle one of nine rounds.
 *
 * Run as: node --import ./server/require-node.js bench/lengths/review.ts [PARAGRAPHS…]
 */
import { Schema } from '@tiptap/pm/model'
import { Decoration, DecorationSet } from '@tiptap/pm/view'
import * as Y from 'yjs'
import { createDecorations } from '../../components/editor/authors/create-decorations.ts'
import { acceptChanges, changesOf } from '../../lib/proposals/proposed-changes.ts'
import { hasUnshownChanges } from '../../lib/proposals/unshown-changes.ts'
import { appendBlocks, paragraph } from '../../lib/text/fixtures/text-sketches.ts'
import { amountIn } from '../../lib/yjs-internals/struct-store.ts'

const ROUNDS = 9
const CHANGES = 4_000
/** The page marks so many lines at once. */
const MARKED = 230

const lengths = process.argv.slice(2).map(Number)
for (const length of lengths.length > 0 ? lengths : [4_000, 100_000]) {
  console.log(`${length} paragraphs`)
  measureReview(length)
  measureMarks(length)
}

function measure(name: string, run: () => unknown): void {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const before = process.threadCpuUsage()
    run()
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1_000
  })
  const middle = rounds.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)]!
  console.log(`  ${name}: ${middle.toFixed(1)}`)
}

function measureReview(length: number): void {
  const base = new Y.Doc()
  const lines = Array.from({ length }, (_, at) => `Line ${at} of a long text with some words to compare.`)
  appendBlocks(
    base.getXmlFragment('default'),
    lines.map((line) => paragraph(line)),
  )
  const copyOf = (doc: Y.Doc): Y.Doc => {
    const copy = new Y.Doc()
    Y.applyUpdate(copy, Y.encodeStateAsUpdate(doc))
    return copy
  }
  const [original, proposal] = [copyOf(base), copyOf(base)]
  const every = Math.ceil(length / CHANGES)
  proposal.transact(() => {
    for (const [at, block] of proposal.getXmlFragment('default').toArray().entries()) {
      if (at % every > 0) continue
      const text = (block as Y.XmlElement).get(0) as Y.XmlText
      text.delete(0, 'Line'.length)
      text.insert(0, 'Row')
    }
  })
  const texts = { base, original, proposal }
  const changes = changesOf(texts)
  measure(`finds ${changes.length} changes`, () => changesOf(texts))
  measure('looks for what no review shows', () => hasUnshownChanges(base, proposal))
  measure('counts what is seen', () => amountIn(proposal))
  let next = 0
  measure('accepts a change', () => acceptChanges(texts, [changes[next++]!]))
  const others = changes.slice(next)
  measure('accepts the rest by parts', () => acceptChanges({ ...texts, original: copyOf(original) }, others))
}

function measureMarks(length: number): void {
  const schema = new Schema({
    nodes: { doc: { content: 'line+' }, line: { content: 'text*' }, text: {} },
  })
  const line = schema.nodes.line.create(null, schema.text('Line of a long text'))
  const doc = schema.topNodeType.create(
    null,
    Array.from({ length }, () => line),
  )
  const marks = Array.from({ length: MARKED }, (_, at) => {
    const from = (length - MARKED + at) * line.nodeSize + 1
    return [from, from + line.content.size] as const
  }).flatMap(([from, to]) => [
    { from, to: from + 1 },
    { from, to },
  ])
  const create = (from: number, to: number) => Decoration.inline(from, to, {})
  measure(`marks ${MARKED} lines at the end`, () =>
    createDecorations(
      doc,
      marks.map((mark) => ({ ...mark, create })),
    ),
  )
  measure('the same by DecorationSet.create', () =>
    DecorationSet.create(
      doc,
      marks.map(({ from, to }) => create(from, to)),
    ),
  )
}
