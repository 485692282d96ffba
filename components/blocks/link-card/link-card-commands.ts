import type { Command } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import { type EditorState, TextSelection } from '@tiptap/pm/state'
import { cardAddressOf, linkCard } from '@/lib/blocks/link-card/link-card.ts'
import { isFullAddress } from '@/lib/text/link-address.ts'

/** The address of a line that holds nothing else than a link, or an address; '' for any other line. */
export function loneAddressIn({ selection: { $from, $to } }: Pick<EditorState, 'selection'>): string {
  const line = $from.parent
  if (line.type.name !== 'paragraph' || !$to.sameParent($from) || line.childCount === 0) return ''
  const addresses = new Set(line.children.map(addressOfLetters))
  const [address = ''] = addresses
  return addresses.size === 1 ? cardAddressOf({ href: address }) : ''
}

/** Whether the caret stands behind an address that is alone in its line, as after a paste. The caret is in no link there. */
export const isBehindLoneLink = ({ selection }: Pick<EditorState, 'selection'>): boolean =>
  loneAddressIn({ selection }) !== '' &&
  selection.$from.pos === selection.$from.end() &&
  selection.$from.nodeBefore?.marks.some(({ type }) => type.name === 'link') === true

function addressOfLetters({ text = '', marks }: Node): unknown {
  const link = marks.find(({ type }) => type.name === 'link')
  return link ? link.attrs.href : isFullAddress(text.trim()) ? text.trim() : ''
}

/** Makes a card of a line that is an address; otherwise one below the line, whose address is asked for. */
export const insertLinkCard: Command = ({ state, tr }) => {
  const { $from } = tr.selection
  const href = loneAddressIn(tr)
  const line = $from.parent
  const isEmptyLine = line.type.name === 'paragraph' && line.content.size === 0
  if (!$from.parent.isTextblock || $from.depth === 0) return false
  const letters = href === '' || isAddress(line.textContent, href) ? '' : line.textContent
  const { schema } = state
  const caption = schema.nodes.caption!.create(null, letters === '' ? null : schema.text(letters))
  const card = schema.nodes[linkCard.name]!.create({ href }, caption)
  const [from, to] =
    href !== '' || isEmptyLine ? [$from.before(), $from.after()] : [$from.after(), $from.after()]
  const $place = tr.doc.resolve(from)
  const end = to === from ? $place.index() : $place.index() + 1
  if (!$place.parent.canReplaceWith($place.index(), end, card.type)) return false
  tr.replaceWith(from, to, card)
  tr.setSelection(TextSelection.create(tr.doc, from + 2 + letters.length)).scrollIntoView()
  return true
}

/** A link to `example.org` shows that, and leads to `https://example.org`. */
const isAddress = (letters: string, href: string): boolean =>
  href.endsWith(letters.trim()) || href.slice(0, -1).endsWith(letters.trim())
