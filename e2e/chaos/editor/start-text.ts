import { Node } from '@tiptap/pm/model'
import { updateYFragment } from '@tiptap/y-tiptap'
import type * as Y from 'yjs'
import { createSeededRandom } from '../../../lib/fixtures/seeded-random.ts'
import { Choices } from './choices.ts'
import { type EditTrace, traceEdit } from './edit-trace.ts'
import { countStoredLetters } from './letters.ts'
import { randomBlocks } from './random-blocks.ts'
import type { RunRecord } from './run-record.ts'
import { stockSchema } from './stock-client.ts'

/** Writes what the document begins with, as a program would, before anybody has an editor. */
export function writeStart(doc: Y.Doc, seed: number, { letters, oracle }: RunRecord): void {
  const random = createSeededRandom(seed, 'start')
  const choices = new Choices(Array.from({ length: 300 }, () => random.between(0, 9_999)))
  const blocks = randomBlocks(3 + choices.below(5), { choices, letters })
  const traces: EditTrace[] = []
  const trace = (transaction: Y.Transaction): void => void traces.push(traceEdit(transaction))
  const before = countStoredLetters(doc)
  doc.on('afterTransaction', trace)
  const node = Node.fromJSON(stockSchema, { type: 'doc', content: blocks })
  updateYFragment(doc, doc.getXmlFragment('default'), node, { mapping: new Map(), isOMark: new Map() })
  doc.off('afterTransaction', trace)
  oracle.recordEdit('start', before, countStoredLetters(doc), traces)
}
