/**
 * Marks long paragraphs and long words for paragraph.css and app/text.css. A paragraph takes its direction from its letters by `unicode-bidi: plaintext`, with
 * which Chromium lays all its lines out anew at each key: 350 ms for 216 KB, where others take 6. And for each line of a word that does not
 * fit, it searches the rest of the word for a place to break: a word of 1 MiB never appeared.
 */
import { Extension } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import { Plugin, PluginKey } from '@tiptap/pm/state'
import { Decoration, DecorationSet } from '@tiptap/pm/view'

/** In letters. The layout of shorter ones takes some 5 ms. */
const LONG_PARAGRAPH = 4_000
/** In letters. The lines of shorter ones are found in some 5 ms. */
const LONG_WORD = 4_000

const longWord = new RegExp(`\\S{${LONG_WORD}}`)

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

interface LongMark {
  readonly className: string
}

/** A marked paragraph stays marked when it becomes shorter. */
function markBetween(marks: DecorationSet, doc: Node, from: number, to: number): DecorationSet {
  const added: Decoration[] = []
  doc.nodesBetween(from, to, (node, start, parent) => {
    if (!node.isTextblock) return true
    if (node.content.size <= LONG_PARAGRAPH) return false
    const end = start + node.nodeSize
    const isMarked = (className: string) =>
      marks
        .find(start, end, (spec) => (spec as LongMark).className === className)
        .some((mark) => mark.from === start && mark.to === end)
    const add = (className: string, attributes?: Record<string, string>): void =>
      void added.push(Decoration.node(start, end, { class: className, ...attributes }, { className }))
    if (node.type === doc.type.contentMatch.defaultType && !isMarked('long-paragraph'))
      add('long-paragraph', directionWithin(parent === doc))
    if (!isMarked('long-word') && hasLongWord(node, from - start - 1, to - start - 1)) add('long-word')
    return false
  })
  return added.length > 0 ? marks.add(doc, added) : marks
}

/** Whether one is near what was written between the two. */
function hasLongWord(line: Node, from: number, to: number): boolean {
  const [first, end] = [Math.max(from - LONG_WORD, 0), Math.min(to + LONG_WORD, line.content.size)]
  return first < end && longWord.test(line.textBetween(first, end, null, ' '))
}

/** Within an item or a quote it has the direction of that, which would ignore letters that have `dir` of their own. */
const directionWithin = (isTopLevel: boolean): Record<string, string> => (isTopLevel ? { dir: 'auto' } : {})
