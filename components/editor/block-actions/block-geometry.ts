/** Where blocks are on screen. */
import type { EditorView } from '@tiptap/pm/view'
import { type BlockRange, blocksAt } from './block-range.ts'

export interface Point {
  readonly left: number
  readonly top: number
}

/** The space in px between a handle's left edge and the text. */
const HANDLE_SPACE = 26

/** The blocks at this height of the window, the innermost first. What is in a table is left out: it stands beside other cells. */
export function blocksAtHeight(view: EditorView, y: number): readonly BlockRange[] {
  const { left, width } = view.dom.getBoundingClientRect()
  const found = view.posAtCoords({ left: left + width / 2, top: y })
  const blocks = found ? blocksAt(view.state.doc.resolve(found.pos)) : []
  const isTable = ({ from }: BlockRange) => view.state.doc.nodeAt(from)?.type.spec.tableRole === 'table'
  return blocks.slice(Math.max(0, blocks.findLastIndex(isTable)))
}

/** The element that what is drawn beside the text is placed in. */
const frameOf = (view: EditorView): Element => view.dom.parentElement!.parentElement!

/** Where a handle of this height stands: before the first line of the blocks. */
export function handlePlace(view: EditorView, { from, to }: BlockRange, height: number): Point {
  const [frame, text] = [frameOf(view).getBoundingClientRect(), view.dom.getBoundingClientRect()]
  const { top, bottom } = firstLineOf(view, from, to)
  return {
    left: Math.max(text.left - HANDLE_SPACE, 2) - frame.left,
    top: (top + bottom - height) / 2 - frame.top,
  }
}

function firstLineOf(view: EditorView, from: number, to: number): { top: number; bottom: number } {
  let letters: number | null = null
  view.state.doc.nodesBetween(from, to, (node, at) => {
    if (letters === null && node.isTextblock) letters = at + 1
    return letters === null
  })
  if (letters !== null) return view.coordsAtPos(letters)
  const element = view.nodeDOM(from)
  return element instanceof Element ? element.getBoundingClientRect() : view.coordsAtPos(from)
}

/** Where the line is drawn that stands for an edge of a block. */
export function dropLineAt(view: EditorView, block: BlockRange, edge: number): Point & { width: number } {
  const frame = frameOf(view).getBoundingClientRect()
  const element = view.nodeDOM(block.from) as Element
  const { top, bottom, left, width } = element.getBoundingClientRect()
  return {
    left: left - frame.left,
    top: (edge === block.from ? top - 2 : bottom + 2) - frame.top,
    width,
  }
}

/** Whether a height is in the upper half of a block. */
export function isInUpperHalf(view: EditorView, { from }: BlockRange, y: number): boolean {
  const { top, bottom } = (view.nodeDOM(from) as Element).getBoundingClientRect()
  return y < (top + bottom) / 2
}
