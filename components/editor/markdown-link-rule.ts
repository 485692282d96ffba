/** `[text](address)` becomes a link with the closing bracket. Knows Markdown's syntax of links; does not know what is pasted. */
import { InputRule } from '@tiptap/core'
import type { MarkType } from '@tiptap/pm/model'
import { isFullAddress } from '../../lib/text/link-address.ts'

/** The address has no spaces, and brackets in pairs alone, as in Markdown. `![…](…)` is a picture. */
const markdownLinkPattern = /(?<![!\\])\[([^[\]]+)\]\(((?:[^\s()]|\([^\s()]*\))+)\)$/

/** The letters keep their marks. Backspace takes it back. */
export const markdownLinkRule = (type: MarkType): InputRule =>
  new InputRule({
    find: markdownLinkPattern,
    handler({ state, range, match: [, letters = '', href = ''] }) {
      if (letters.trim() === '' || !isFullAddress(href)) return null
      const { tr } = state
      const from = range.from + 1
      const to = from + letters.length
      // The last bracket is not in the text yet.
      tr.delete(to, range.to)
      tr.delete(range.from, from)
      tr.addMark(range.from, range.from + letters.length, type.create({ href }))
      tr.removeStoredMark(type)
      // It would read the address from the letters.
      tr.setMeta('preventAutolink', true)
    },
  })
