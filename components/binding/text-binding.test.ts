/** text-binding.long.test.ts tries more random edits. */
import { expect, test } from 'vitest'
import { paragraph, sketchBlocks, textWith } from '@/lib/text/fixtures/text-sketches.ts'
import { createHeadlessEditor } from './fixtures/headless-editor.ts'
import { describeTextBinding } from './text-binding.contract.ts'

test('opens', () => {
  const text = textWith(paragraph('one'), paragraph('two'))
  const editor = createHeadlessEditor(text)
  expect(editor.state.doc.toString()).toBe('doc(paragraph("one"), paragraph("two"))')
  editor.edit((tr) => tr.insertText('X', 2))
  expect(sketchBlocks(text)).toEqual([paragraph('oXne'), paragraph('two')])
  editor.edit((tr) => tr.split(3))
  expect(sketchBlocks(text)).toEqual([paragraph('oX'), paragraph('ne'), paragraph('two')])
  editor.edit((tr) => tr.join(4))
  expect(sketchBlocks(text)).toEqual([paragraph('oXne'), paragraph('two')])
  expect(editor.state.doc.toString()).toBe('doc(paragraph("oXne"), paragraph("two"))')
})

describeTextBinding(30)
