import { Editor, type JSONContent } from '@tiptap/core'
import { TextSelection } from '@tiptap/pm/state'
import { expect, test } from 'vitest'
import { schemaExtensions } from '@/components/editor/schema-extensions.ts'

const paragraph = (text: string): JSONContent => ({ type: 'paragraph', content: [{ type: 'text', text }] })

const toggle: JSONContent = {
  type: 'toggle',
  content: [{ type: 'toggleSummary', content: [{ type: 'text', text: 'summary' }] }, paragraph('shown')],
}

const others: readonly JSONContent[] = [
  { type: 'blockquote', content: [paragraph('quoted'), paragraph('more')] },
  { type: 'callout', content: [paragraph('noted'), paragraph('more')] },
  { type: 'bulletList', content: [{ type: 'listItem', content: [paragraph('item'), paragraph('more')] }] },
  paragraph('line'),
]

const orders = others.flatMap((other) => [
  { name: `a toggle and a ${other.type}`, content: [toggle, other] },
  { name: `a ${other.type} and a toggle`, content: [other, toggle] },
])

test.each(orders)('the selection between any two letters of $name can be deleted', ({ content }) => {
  const editor = new Editor({
    element: null,
    extensions: schemaExtensions,
    content: { type: 'doc', content: [...content] },
  })
  const { doc } = editor.state
  const letters = doc.textBetween(0, doc.content.size)
  for (let from = 0; from < doc.content.size; from++)
    for (let to = from + 1; to <= doc.content.size; to++) {
      const ends = [doc.resolve(from), doc.resolve(to)] as const
      if (!ends.every(({ parent }) => parent.isTextblock)) continue
      const tr = editor.state.tr.setSelection(TextSelection.create(doc, from, to)).deleteSelection()
      expect(() => tr.doc.check()).not.toThrow()
      const left = letters.length - doc.textBetween(from, to).length
      expect(tr.doc.textBetween(0, tr.doc.content.size)).toHaveLength(left)
    }
  editor.destroy()
})
