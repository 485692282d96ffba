/**
 * A picture in Markdown: `![alternative text](diptych-file:ID/name#image/png,1200x800,center,50 "caption")`, alone in a paragraph. The
 * caption has no marks there. An alternative text that nobody has written yet, and one that only decorates, are both empty: `decorative`
 * tells them apart.
 */
import type { Image, Paragraph, RootContent } from 'mdast'
import { fileIdOf, fileNameOf, readFileAddress, writeFileAddress } from '../../files/file-reference.ts'
import type { Block } from '../../text/tree.ts'
import { alignmentOf } from '../alignment.ts'
import { captionLineOf } from '../caption/caption-markdown.ts'
import { createCaption } from '../caption/create-caption.ts'
import type { JsonNode } from '../json-node.ts'
import type { NodeMarkdown } from '../markdown-types.ts'
import { altTextOf, pictureSizeOf, pictureTypeOf, pictureWidthOf } from './picture-attributes.ts'

/** A picture among the parser's nodes, which has only images in paragraphs. */
interface PictureNode {
  readonly type: 'picture'
  readonly image: Image
  readonly position?: Paragraph['position']
}

declare module 'mdast' {
  interface RootContentMap {
    picture: PictureNode
  }
}

const DECORATIVE = 'decorative'

function writePicture(block: Block): Paragraph[] {
  const { attributes } = block
  const [size, alt] = [pictureSizeOf(attributes), altTextOf(attributes)]
  const details = [
    pictureTypeOf(attributes),
    size && `${size.width}x${size.height}`,
    alignmentOf(attributes),
    pictureWidthOf(attributes)?.toString(),
    alt === '' ? DECORATIVE : null,
  ].filter((detail) => detail !== null && detail !== undefined)
  const url = writeFileAddress({ file: fileIdOf(attributes), name: fileNameOf(attributes), details })
  const caption = captionLineOf(block)
  const image: Image = { type: 'image', url, alt: alt ?? '', ...(caption !== '' && { title: caption }) }
  return [{ type: 'paragraph', children: [image] }]
}

const groupPictures = (nodes: readonly RootContent[]): readonly RootContent[] =>
  nodes.map((node) => pictureIn(node) ?? node)

function pictureIn(node: RootContent): PictureNode | null {
  const [image, ...rest] = node.type === 'paragraph' ? node.children : []
  if (image?.type !== 'image' || rest.length > 0 || !readFileAddress(image.url)) return null
  return { type: 'picture', image, ...(node.position && { position: node.position }) }
}

function readPicture({ image: { url, alt, title } }: PictureNode): readonly JsonNode[] {
  const { file, name, details } = readFileAddress(url)!
  const [, width, height] = details.map((detail) => /^(\d+)x(\d+)$/.exec(detail)).find(Boolean) ?? []
  const size = pictureSizeOf({ width: Number(width), height: Number(height) })
  const firstOf = <Value>(read: (detail: string) => Value | null): Value | null =>
    details.map(read).find((value) => value !== null) ?? null
  const text = altTextOf({ alt: alt ?? '' })
  return [
    {
      type: 'picture',
      attrs: {
        file,
        name: fileNameOf({ name }),
        type: firstOf((type) => pictureTypeOf({ type })) ?? '',
        width: size?.width ?? null,
        height: size?.height ?? null,
        alt: text === '' && !details.includes(DECORATIVE) ? null : text,
        align: firstOf((align) => alignmentOf({ align })),
        percent: firstOf((percent) => pictureWidthOf({ percent: Number(percent) })),
      },
      content: [createCaption(title ?? '')],
    },
  ]
}

export const pictureMarkdown: NodeMarkdown = {
  write: writePicture,
  group: groupPictures,
  read: { picture: readPicture },
}
