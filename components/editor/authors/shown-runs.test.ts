import { expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import { appendBlocks, type BlockSketch, lineBreak, paragraph } from '@/lib/text/fixtures/text-sketches.ts'
import * as clientRuns from '@/lib/text/client-runs.ts'
import { createHeadlessEditor } from '@/components/binding/fixtures/headless-editor.ts'
import { shownRunsIn } from './shown-runs.ts'

/** A text by client 1, in which client 2 goes on. */
function openText(...blocks: readonly BlockSketch[]) {
  const doc = new Y.Doc()
  doc.clientID = 1
  const text = doc.getXmlFragment('default')
  appendBlocks(text, blocks)
  doc.clientID = 2
  const editor = createHeadlessEditor(text)
  const { state } = editor
  const readRuns = (from = 0, to = editor.state.doc.content.size) =>
    shownRunsIn(editor.binding.reading!, from, to).map(({ client, ...run }) => {
      const letters = editor.state.doc.textBetween(run.from, run.to, '|', '/')
      return `${client} ${letters}`
    })
  return { editor, state, text, readRuns }
}

const item = (letters: string): BlockSketch => ({ name: 'listItem', children: [paragraph(letters)] })

test('each letter on screen stands under its client, whatever formats it has', () => {
  const { editor, readRuns } = openText(
    paragraph('plain ', { text: 'bold', marks: { bold: {} } }),
    { name: 'bulletList', children: [item('one'), item('two')] },
    paragraph(''),
    { name: 'horizontalRule' },
  )
  expect(readRuns()).toEqual(['1 plain bold', '1 one', '1 two', '1 /'])
  editor.edit((transaction) => transaction.insertText('! ', 3))
  expect(readRuns()).toEqual(['1 pl', '2 ! ', '1 ain bold', '1 one', '1 two', '1 /'])
})

test('a line break is a part of its line', () => {
  const { readRuns } = openText(paragraph('above', lineBreak, 'below'))
  expect(readRuns()).toEqual(['1 above/below'])
})

test('what the page does not know has an author among letters, and none as a block', () => {
  const { readRuns } = openText(
    { name: 'hologram', children: [paragraph('of tomorrow')] },
    paragraph('before ', { name: 'sparkle' }, ' behind'),
  )
  expect(readRuns()).toEqual(['1 before / behind'])
})

test('no text off the screen is read, however long the document is', () => {
  const { editor, readRuns } = openText(
    ...Array.from({ length: 400 }, (_, line) => paragraph(`line ${line}`)),
  )
  const read = vi.spyOn(clientRuns, 'clientRunsOf')
  const first = editor.state.doc.child(0).nodeSize
  expect(readRuns(first + 1, first + 4)).toEqual(['1 line 1'])
  expect(read.mock.calls.length).toBeLessThanOrEqual(1)
  read.mockRestore()
})
