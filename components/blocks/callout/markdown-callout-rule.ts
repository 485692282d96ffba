/** `[!NOTE]` and a space or Enter make a callout of a line, or of the quote that the line begins. */
import { InputRule } from '@tiptap/core'
import type { NodeType, ResolvedPos } from '@tiptap/pm/model'
import { findWrapping } from '@tiptap/pm/transform'
import { calloutKindNamed } from '@/lib/blocks/callout/callout-kinds.ts'
import { blockquote } from '@/lib/blocks/blockquote/blockquote.ts'

export const markdownCalloutRule = (callout: NodeType): InputRule =>
  new InputRule({
    find: /^\[!(\w+)\]\s$/,
    handler({ state, range, match }) {
      const { tr } = state
      const kind = calloutKindNamed(match[1]!)
      if (kind === null) return null
      tr.delete(range.from, range.to)
      const $pos = tr.doc.resolve(range.from)
      if (beginsQuote($pos)) return void tr.setNodeMarkup($pos.before(-1), callout, { kind })
      const lines = $pos.blockRange()
      const wrapping = lines && findWrapping(lines, callout, { kind })
      if (!wrapping) return null
      tr.wrap(lines, wrapping)
    },
  })

const beginsQuote = ($pos: ResolvedPos): boolean =>
  $pos.depth > 1 && $pos.node(-1).type.name === blockquote.name && $pos.index(-1) === 0
