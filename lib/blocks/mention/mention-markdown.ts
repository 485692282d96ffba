/** A mention in Markdown: `[@Ada](mention:person/user:…)` or `[Plan](mention:document/…)`. */
import type { Link } from 'mdast'
import type { JsonNode } from '../json-node.ts'
import type { MarkdownReader, NodeMarkdown } from '../markdown-types.ts'
import { mentionOf, mentionText } from './mention.ts'

/** Null for a link to anything else. */
function readMention({ url, children }: Link, reader: MarkdownReader): JsonNode[] | null {
  const [, kind, id] = /^mention:(person|document)\/([\w:-]{1,80})$/.exec(url) ?? []
  if (kind === undefined || id === undefined) return null
  const letters = reader
    .inline(children)
    .map(({ text = '' }) => text)
    .join('')
  const attrs = mentionOf({ kind, id, label: kind === 'person' ? letters.replace(/^@/, '') : letters })
  return attrs.id === null ? null : [{ type: 'mention', attrs: { ...attrs } }]
}

export const mentionMarkdown: NodeMarkdown = {
  writeInline({ attributes }) {
    const mention = mentionOf(attributes)
    const letters = { type: 'text', value: mentionText(mention) } as const
    if (mention.id === null) return [letters]
    return [{ type: 'link', url: `mention:${mention.kind}/${mention.id}`, children: [letters] }]
  },
  readInline: { link: readMention },
}
