/** `[text](address)` becomes a link when its closing bracket is typed. Knows Markdown's syntax of links; does not handle pasted text. */
import { InputRule } from '@tiptap/core'
import type { MarkType } from '@tiptap/pm/model'
import { isFullAddress } from '@/lib/text/link-address.ts'

/** As in Markdown, the address has no spaces, and only brackets in pairs. `![…](…)` is an image. */
const markdownLinkPattern = /(?<![!\\])\[([^[\]]+)\]\(((?:[^\s()]|\([^\s()]*\))+)\)$/

/** The letters keep their marks. Backspace undoes the rule. */
export const markdownLinkRule = (type: MarkType): InputRule =>
  new InputRule({
    find: markdownLinkPattern,
    handler({ state, range, match: [, letters = '', href = ''] }) {
      if (letters.trim() === '' || !isFullAddress(href)) return null
      const { tr } = state
      const from = range.from + 1
      const to = from + letters.length
      // The closing bracket is not in the text yet.
      tr.delete(to, range.to)
      tr.delete(range.from, from)
      tr.addMark(range.from, range.from + letters.length, type.create({ href }))
      tr.removeStoredMark(type)
      // Autolink would take the address from the letters.
      tr.setMeta('preventAutolink', true)
    },
  })
