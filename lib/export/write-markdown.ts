/** Writes a document as Markdown for other programs: pictures and files by addresses that these can follow. */
import type { Nodes } from 'mdast'
import { readFileAddress } from '../files/file-reference.ts'
import { exportStrings } from '../strings/export.ts'
import { markdownTitleOf, mdastOf, writeMarkdown } from '../text/markdown.ts'
import { OutputCount } from './export-limits.ts'
import { documentUrlOf, type ExportSource, fullUrlOf } from './export-source.ts'

/** @param addressOf The address of a file; null where there is none. */
export function writeMarkdownFile(source: ExportSource, addressOf: (file: string) => string | null): string {
  const root = mdastOf(source.blocks)
  replaceAddresses(root, source, addressOf)
  const [title, text] = [markdownTitleOf(source.title), writeMarkdown(root)]
  return new OutputCount().add([title, text].filter((part) => part !== '').join('\n'))
}

function replaceAddresses(
  parent: { children: Nodes[] },
  source: ExportSource,
  addressOf: (file: string) => string | null,
): void {
  parent.children = parent.children.flatMap((node): Nodes[] => {
    if ('children' in node) replaceAddresses(node as { children: Nodes[] }, source, addressOf)
    if (node.type !== 'link' && node.type !== 'image') return [node]
    const [, mentioned] = /^mention:document\/([\w-]+)$/.exec(node.url) ?? []
    if (mentioned !== undefined) return [{ ...node, url: documentUrlOf(source, mentioned) }]
    if (node.type === 'link' && node.url.startsWith('mention:')) return node.children
    const file = readFileAddress(node.url)?.file
    if (file === undefined) return [{ ...node, url: fullUrlOf(source, node.url) }]
    const url = addressOf(file)
    if (url !== null) return [{ ...node, url }]
    return node.type === 'link'
      ? node.children
      : [
          {
            type: 'text',
            value: [exportStrings.pictureNamed(node.alt ?? ''), node.title].filter(Boolean).join(' – '),
          },
        ]
  })
}
