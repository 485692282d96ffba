/**
 * Marks long paragraphs for paragraph.css. A paragraph takes its direction from its letters by `unicode-bidi: plaintext`, with which Chromium
 * lays all its lines out anew at each key: 350 ms for 216 KB, where others take 6.
 */
import { Extension } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import { Plugin, PluginKey } from '@tiptap/pm/state'
import { Decoration, DecorationSet } from '@tiptap/pm/view'

/** In letters. The layout of shorter ones takes some 5 ms. */
const LONG_PARAGRAPH = 4_000

export const longParagraphsKey = new PluginKey<DecorationSet>('longParagraphs')

export const longParagraphsPlugin = (): Plugin<DecorationSet> =>
  new Plugin<DecorationSet>({
    key: longParagraphsKey,
    state: {
      init: (_config, { doc }) => markBetween(DecorationSet.empty, doc, 0, doc.content.size),
      apply({ docChanged, mapping, doc }, marks) {
        if (!docChanged) return marks
        let current = marks.map(mapping, doc)
        mapping.maps.forEach((map, step) => {
          const later = mapping.slice(step + 1)
          map.forEach((_oldFrom, _oldTo, from, to) => {
            current = markBetween(current, doc, later.map(from, -1), later.map(to, 1))
          })
        })
        return current
      },
    },
    props: { decorations: (state) => longParagraphsKey.getState(state) },
  })

export const LongParagraphs = Extension.create({
  name: 'longParagraphs',
  addProseMirrorPlugins: () => [longParagraphsPlugin()],
})

/** A marked paragraph stays marked when it becomes shorter. */
function markBetween(marks: DecorationSet, doc: Node, from: number, to: number): DecorationSet {
  const added: Decoration[] = []
  doc.nodesBetween(from, to, (node, start, parent) => {
    if (!node.isTextblock) return true
    const end = start + node.nodeSize
    const isMarked = () => marks.find(start, end).some((mark) => mark.from === start && mark.to === end)
    if (node.type.name === 'paragraph' && node.content.size > LONG_PARAGRAPH && !isMarked())
      added.push(Decoration.node(start, end, attributesWithin(parent === doc)))
    return false
  })
  return added.length > 0 ? marks.add(doc, added) : marks
}

/** Within an item or a quote it has the direction of that, which would ignore letters that have `dir` of their own. */
const attributesWithin = (isTopLevel: boolean) => ({
  class: 'long-paragraph',
  ...(isTopLevel && { dir: 'auto' }),
})
