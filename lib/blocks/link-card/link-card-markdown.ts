/**
 * A link card in Markdown: `[title](https://example.org "card")`, alone in a paragraph. Its title has no marks there. A picture at an address
 * elsewhere is read as a card, too, since nothing is fetched.
 */
import type { Link, Paragraph, RootContent } from 'mdast'
import { isFullAddress } from '../../text/link-address.ts'
import type { Block } from '../../text/tree.ts'
import { captionLineOf, lettersIn } from '../caption/caption-markdown.ts'
import { createCaption } from '../caption/create-caption.ts'
import type { JsonNode } from '../json-node.ts'
import type { MarkdownReader, NodeMarkdown } from '../markdown-types.ts'
import { cardAddressOf, hostOf } from './link-card.ts'

interface LinkCardNode {
  readonly type: 'linkCard'
  readonly href: string
  readonly title: string
  /** Of a picture elsewhere. */
  readonly isImage: boolean
  readonly position?: Paragraph['position']
}

declare module 'mdast' {
  interface RootContentMap {
    linkCard: LinkCardNode
  }
}

/** In the place of a link's title. */
const SIGN = 'card'

function writeLinkCard(block: Block): Paragraph[] {
  const url = cardAddressOf(block.attributes)
  const value = captionLineOf(block) || hostOf(url)
  const link: Link = { type: 'link', url, title: SIGN, children: [{ type: 'text', value }] }
  return value === '' ? [] : [{ type: 'paragraph', children: [link] }]
}

const groupLinkCards = (nodes: readonly RootContent[]): readonly RootContent[] =>
  nodes.map((node) => linkCardIn(node) ?? node)

function linkCardIn(node: RootContent): LinkCardNode | null {
  const [only, ...rest] = node.type === 'paragraph' ? node.children : []
  if ((only?.type !== 'link' && only?.type !== 'image') || rest.length > 0) return null
  const isImage = only.type === 'image'
  const isCard = isImage ? isFullAddress(only.url) : only.title === SIGN && isAddress(only.url)
  if (!isCard) return null
  const [href, title] = [cardAddressOf({ href: only.url }), lettersIn(only)]
  const position = node.position && { position: node.position }
  return { type: 'linkCard', href, title: title === hostOf(href) ? '' : title, isImage, ...position }
}

/** A card that nobody has given an address yet has none. */
const isAddress = (url: string): boolean => url === '' || isFullAddress(url)

function readLinkCard({ href, title, isImage }: LinkCardNode, reader: MarkdownReader): readonly JsonNode[] {
  if (isImage) reader.countLostImage()
  return [{ type: 'linkCard', attrs: { href }, content: [createCaption(title)] }]
}

export const linkCardMarkdown: NodeMarkdown = {
  write: writeLinkCard,
  group: groupLinkCards,
  read: { linkCard: readLinkCard },
}
