/** A file in Markdown: `[name](diptych-file:ID/name#application/pdf,12345)`, alone in a paragraph. The name has no marks there. */
import type { Link, Paragraph, RootContent } from 'mdast'
import { fileIdOf, fileNameOf, readFileAddress, writeFileAddress } from '../../files/file-reference.ts'
import type { Block } from '../../text/tree.ts'
import { captionLineOf, lettersIn } from '../caption/caption-markdown.ts'
import { createCaption } from '../caption/create-caption.ts'
import type { JsonNode } from '../json-node.ts'
import type { NodeMarkdown } from '../markdown-types.ts'
import { fileBytesOf, fileTypeOf } from './file-card.ts'

interface FileCardNode {
  readonly type: 'fileCard'
  readonly link: Link
  readonly position?: Paragraph['position']
}

declare module 'mdast' {
  interface RootContentMap {
    fileCard: FileCardNode
  }
}

function writeFileCard(block: Block): Paragraph[] {
  const { attributes } = block
  const [name, type, bytes] = [fileNameOf(attributes), fileTypeOf(attributes), fileBytesOf(attributes)]
  const details = [type, bytes?.toString() ?? ''].filter((detail) => detail !== '')
  const value = captionLineOf(block) || name || 'File'
  const url = writeFileAddress({ file: fileIdOf(attributes), name, details })
  return [{ type: 'paragraph', children: [{ type: 'link', url, children: [{ type: 'text', value }] }] }]
}

const groupFileCards = (nodes: readonly RootContent[]): readonly RootContent[] =>
  nodes.map((node) => fileCardIn(node) ?? node)

function fileCardIn(node: RootContent): FileCardNode | null {
  const [link, ...rest] = node.type === 'paragraph' ? node.children : []
  if (link?.type !== 'link' || rest.length > 0 || !readFileAddress(link.url)) return null
  return { type: 'fileCard', link, ...(node.position && { position: node.position }) }
}

function readFileCard({ link }: FileCardNode): readonly JsonNode[] {
  const { file, name, details } = readFileAddress(link.url)!
  const type = details.map((detail) => fileTypeOf({ type: detail })).find((one) => one !== '') ?? ''
  const digits = details.find((detail) => /^\d+$/.test(detail))
  const bytes = digits === undefined ? null : fileBytesOf({ bytes: Number(digits) })
  const attrs = { file, name: fileNameOf({ name }), type, bytes }
  return [{ type: 'fileCard', attrs, content: [createCaption(lettersIn(link))] }]
}

export const fileCardMarkdown: NodeMarkdown = {
  write: writeFileCard,
  group: groupFileCards,
  read: { fileCard: readFileCard },
}
