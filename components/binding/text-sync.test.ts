import { Editor } from '@tiptap/core'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { blockExtensions } from '@/components/blocks/blocks.ts'
import { recoveryOf, TextSync } from './text-sync.ts'

test('what is around a destroyed editor can be drawn once more', () => {
  const text = new Y.Doc().getXmlFragment('default')
  const editor = new Editor({
    element: null,
    content: { type: 'doc', content: [{ type: 'paragraph' }] },
    extensions: [...blockExtensions, TextSync.configure({ text })],
  })
  editor.destroy()
  expect(recoveryOf(editor)).toBeNull()
})
