/** A long text is drawn in slices: what is written meanwhile is written where the person sees it, and what waits is not lost. */
import { expect, onTestFinished, test, vi } from 'vitest'
import * as Y from 'yjs'
import { paragraph, sketchBlocks, textWith } from '@/lib/text/fixtures/text-sketches.ts'
import { createHeadlessEditor, type HeadlessEditor } from './fixtures/headless-editor.ts'
import { TextReader } from './read-text.ts'
import { pageSchema } from '@/components/editor/schema.ts'

const longText = (blocks: number): Y.XmlFragment =>
  textWith(...Array.from({ length: blocks }, (_, index) => paragraph(`line ${index}`)))

function openEditor(text: Y.XmlFragment): HeadlessEditor {
  vi.useFakeTimers()
  const editor = createHeadlessEditor(text)
  onTestFinished(() => {
    editor.destroy()
    vi.useRealTimers()
  })
  return editor
}

const lengthOf = ({ state }: HeadlessEditor): number => state.doc.childCount

test('[W11] a text of up to 500 blocks is drawn at once', () => {
  const editor = openEditor(longText(500))
  expect(lengthOf(editor)).toBe(500)
  expect(vi.getTimerCount()).toBe(0)
})

test('[W11] a longer one is drawn from its beginning on, 1,000 blocks a task, and nothing is written', () => {
  const text = longText(3_200)
  const before = Y.encodeStateAsUpdate(text.doc!)
  const editor = openEditor(text)
  const lengths = [lengthOf(editor)]
  while (vi.getTimerCount() > 0) {
    vi.runOnlyPendingTimers()
    lengths.push(lengthOf(editor))
  }
  expect(lengths).toEqual([500, 1_500, 2_500, 3_200])
  expect(editor.state.doc.lastChild!.textContent).toBe('line 3199')
  expect(Y.encodeStateAsUpdate(text.doc!)).toEqual(before)
})

test('[W11] a text that comes later than the editor is drawn in slices, too, and one that grows is not', () => {
  const text = textWith(paragraph(''))
  const editor = openEditor(text)
  Y.applyUpdate(text.doc!, Y.encodeStateAsUpdate(longText(2_000).doc!))
  expect(lengthOf(editor)).toBe(500)
  vi.runAllTimers()
  expect(lengthOf(editor)).toBe(2_001)
  Y.applyUpdate(text.doc!, Y.encodeStateAsUpdate(longText(2_000).doc!))
  expect(lengthOf(editor)).toBe(4_001)
})

test('[W9] edits of anybody meanwhile go where they were made', () => {
  const text = longText(1_000)
  const editor = openEditor(text)
  // At the end of what is shown, a new line of the person stays in view.
  editor.edit((tr) => tr.insertText('mine', tr.doc.content.size - 1))
  editor.edit((tr) => tr.split(tr.doc.content.size - 1))
  expect(lengthOf(editor)).toBe(501)
  text.delete(900, 1)
  text.delete(0, 1)
  expect(lengthOf(editor)).toBe(499)
  editor.edit((tr) => tr.insertText('x', 1))
  vi.runAllTimers()
  expect(lengthOf(editor)).toBe(999)
  const lines = sketchBlocks(text)
  expect(lines[0]).toEqual(paragraph('xline 1'))
  expect(lines[498]).toEqual(paragraph('line 499mine'))
  expect(lines[500]).toEqual(paragraph('line 500'))
  expect(new TextReader(pageSchema).read(text).node.eq(editor.state.doc)).toBe(true)
})

test('whoever selects all gets the whole text', () => {
  const editor = openEditor(longText(5_000))
  const { handleKeyDown } = editor.binding.plugin.props
  const press = (init: Partial<KeyboardEvent>) =>
    handleKeyDown!.call(editor.binding.plugin, null as never, init as KeyboardEvent)
  press({ key: 'a' })
  expect(lengthOf(editor)).toBe(500)
  expect(press({ key: 'a', ctrlKey: true })).toBe(false)
  expect(lengthOf(editor)).toBe(5_000)
  expect(vi.getTimerCount()).toBe(0)
})
