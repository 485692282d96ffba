import { expect, test } from 'vitest'
import { insertParagraphs } from '@/lib/undo/undo.contract.ts'
import { UndoFixture } from '@/lib/undo/fixtures/undo-fixture.ts'
import { UndoManagerAdapter } from './undo-manager-adapter.ts'

test('drawing the editor again after a remote edit does not cut what is typed into several undo steps', () => {
  const window = new UndoFixture().open({ captureMs: 60_000 })
  const adapter = new UndoManagerAdapter(window.undo)
  insertParagraphs(window)
  adapter.stopCapturing()
  insertParagraphs(window)
  adapter.undo()
  expect(window.text).toBe('')
})
