import { Editor } from '@tiptap/core'
import { expect, test } from 'vitest'
import { Awareness } from 'y-protocols/awareness'
import * as Y from 'yjs'
import { paragraph, textWith } from '@/lib/text/fixtures/text-sketches.ts'
import { personAppearancesOf } from '@/components/profile/person-appearances.ts'
import { createHeadlessEditor } from './fixtures/headless-editor.ts'
import { caretsKey, remoteCarets } from './remote-carets.ts'
import { pageSchemaExtensions } from '@/components/editor/schema.ts'

test.each([
  ['in a line', 1, 2],
  ['before the first block', 0, 1],
  ['between two blocks', 1, 3],
  ['behind the last one', 2, 7],
])('a caret that is published %s is drawn in a line', (_where, place, drawnAt) => {
  const text = textWith(paragraph('ab'), paragraph('cd'))
  const awareness = new Awareness(new Y.Doc())
  clearInterval(awareness._checkInterval)
  const { extensionManager } = new Editor({
    element: null,
    enableCoreExtensions: false,
    extensions: [...pageSchemaExtensions, remoteCarets(awareness, personAppearancesOf(awareness))],
    content: { type: 'doc', content: [{ type: 'paragraph' }] },
  })
  const plugins = extensionManager.plugins.filter(({ spec }) => spec.key === caretsKey)
  const editor = createHeadlessEditor(text, { plugins })
  const letters = (text.get(0) as Y.XmlElement).get(0) as Y.XmlText
  const isInLine = drawnAt === 2
  const position = Y.relativePositionToJSON(
    Y.createRelativePositionFromTypeIndex(isInLine ? letters : text, place),
  )
  awareness.getStates().set(7, { cursor: { anchor: position, head: position }, user: { name: 'Ada' } })
  editor.edit((tr) => tr.setMeta(caretsKey, true))
  expect(
    caretsKey
      .getState(editor.state)!
      .find()
      .map(({ from }) => from),
  ).toEqual([drawnAt])
})
