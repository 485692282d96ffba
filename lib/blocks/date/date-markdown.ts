/** A date in Markdown: `<time>2026-11-28</time>`, of which GitHub shows the letters. */
import type { PhrasingContent } from 'mdast'
import type { NodeMarkdown } from '../markdown-types.ts'
import { dayOf } from './date.ts'

/** The parser reads one as three nodes. */
function groupDates(nodes: readonly PhrasingContent[]): readonly PhrasingContent[] {
  const grouped: PhrasingContent[] = []
  for (let at = 0; at < nodes.length; at++) {
    const [open, letters, end] = nodes.slice(at, at + 3)
    const day = letters?.type === 'text' ? dayOf({ day: letters.value }) : null
    const isDate = day !== null && isTag(open!, /^<time>$/i) && end && isTag(end, /^<\/time>$/i)
    grouped.push(isDate ? { type: 'html', value: writeDay(day) } : nodes[at]!)
    if (isDate) at += 2
  }
  return grouped
}

const isTag = (node: PhrasingContent, tag: RegExp): boolean => node.type === 'html' && tag.test(node.value)

const writeDay = (day: string): string => `<time>${day}</time>`

export const dateMarkdown: NodeMarkdown = {
  groupInline: groupDates,
  writeInline({ attributes }) {
    const day = dayOf(attributes)
    return day === null ? [] : [{ type: 'html', value: writeDay(day) }]
  },
  readInline: {
    html({ value }) {
      const day = dayOf({ day: /^<time>([\d-]+)<\/time>$/.exec(value)?.[1] })
      return day === null ? null : [{ type: 'date', attrs: { day } }]
    },
  },
}
