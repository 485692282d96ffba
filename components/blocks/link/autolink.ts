/**
 * Addresses become links: the word before a space or a line end that is typed, what is pasted, and selected letters over which an address
 * is pasted. linkifyjs says what an address is; an edit that has `preventAutolink` makes no links.
 */
import {
  combineTransactionSteps,
  findChildrenInRange,
  getChangedRanges,
  markPasteRule,
  type PasteRule,
  type Range,
} from '@tiptap/core'
import type { MarkType, Node } from '@tiptap/pm/model'
import { Plugin, type Transaction } from '@tiptap/pm/state'
import { ReplaceStep } from '@tiptap/pm/transform'
import { find, tokenize } from 'linkifyjs'
import { safeHref } from '@/lib/text/link-address.ts'

const SCHEME = 'https'

/** In letters. linkifyjs reads all of a text, and a longer one is no address. */
const MAX_ADDRESS_LENGTH = 10_000

const isLinked = (address: string): boolean => safeHref(address) !== null && namesHost(address)

/** A word without a scheme is an address only with a domain: neither `localhost` nor `10.0.0.1` is. */
function namesHost(address: string): boolean {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(address)) return true
  if (/^[a-z][a-z0-9+.-]*:/i.test(address) && !address.includes('@')) return true
  const host = address
    .split('@')
    .at(-1)!
    .split(/[/?#:]/)[0]!
  return host.includes('.') && !/^\d{1,3}(?:\.\d{1,3}){3}$/.test(host)
}

export const pastedAddressRule = (type: MarkType): PasteRule =>
  markPasteRule({
    type,
    find: (text) =>
      find(text)
        .filter(({ isLink, value }) => isLink && isLinked(value))
        .map(({ value, href, start }) => ({ text: value, data: { href }, index: start })),
    getAttributes: ({ data }) => ({ href: (data as { href: string } | undefined)?.href }),
  })

export const autolinkPlugin = (type: MarkType): Plugin =>
  new Plugin({
    appendTransaction(transactions, before, { doc, tr }) {
      // Most keys are letters, and end no word.
      if (transactions.every(writesWithinWord) || before.doc.eq(doc)) return null
      if (transactions.some((transaction) => transaction.getMeta('preventAutolink'))) return null
      const changes = getChangedRanges(combineTransactionSteps(before.doc, [...transactions]))
      for (const { newRange } of changes) linkLastWord(tr, newRange, type)
      return tr.docChanged ? tr : null
    },
    props: {
      handlePaste({ state, dispatch }, _event, { content }) {
        const { tr, selection } = state
        if (selection.empty || content.size > MAX_ADDRESS_LENGTH) return false
        const text = content.textBetween(0, content.size)
        const address = find(text, { defaultProtocol: SCHEME }).find(({ value }) => value === text)
        if (!address?.isLink || !namesHost(address.value)) return false
        for (const { $from, $to } of selection.ranges)
          tr.addMark($from.pos, $to.pos, type.create({ href: address.href }))
        dispatch(tr)
        return true
      },
    },
  })

/** Also where it writes nothing, or deletes. */
const writesWithinWord = ({ steps }: Transaction): boolean =>
  steps.every(
    (step) =>
      step instanceof ReplaceStep &&
      (step.slice.size === 0 ||
        (step.slice.content.childCount === 1 && /^\S+$/.test(step.slice.content.firstChild!.text ?? ''))),
  )

interface TypedText {
  /** The position at which the block of letters begins. */
  readonly at: number
  readonly text: string
}

/** Returns the letters before a line end or a space that was typed. */
function typedTextIn(doc: Node, { from, to }: Range): TypedText | null {
  const blocks = findChildrenInRange(doc, { from, to }, ({ isTextblock }) => isTextblock)
  const [first] = blocks
  if (!first || (blocks.length === 1 && !/\s$/.test(doc.textBetween(from, to, ' ', ' ')))) return null
  const end = blocks.length > 1 ? first.pos + first.node.nodeSize : to
  return { at: first.pos, text: doc.textBetween(first.pos, end, undefined, ' ') }
}

function linkLastWord(tr: Transaction, range: Range, type: MarkType): void {
  const typed = typedTextIn(tr.doc, range)
  const word = typed?.text.trimEnd().split(/\s/).at(-1)
  if (!typed || !word) return
  const tokens = tokenize(word).map((token) => token.toObject(SCHEME))
  const [first, second, third] = tokens
  const isInBrackets = tokens.length === 3 && ['()', '[]'].includes(first!.value + third!.value)
  const address = tokens.length === 1 ? first : isInBrackets ? second : null
  if (!address?.isLink || !isLinked(address.value)) return
  const start = typed.at + 1 + typed.text.lastIndexOf(word)
  const [from, to] = [start + address.start, start + address.end]
  const { code } = tr.doc.type.schema.marks
  const isTaken = [type, code].some((mark) => mark && tr.doc.rangeHasMark(from, to, mark))
  if (!isTaken) tr.addMark(from, to, type.create({ href: address.href }))
}
