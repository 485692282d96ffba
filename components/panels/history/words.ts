/** What the panel says of versions and changes. */
import type { Block, Marks } from '@/lib/text/tree.ts'
import type { Summary } from '@/lib/text/diff.ts'
import type { Me, VersionEntry } from '@/components/api'

const kinds: Readonly<Record<string, string>> = {
  paragraph: 'paragraph',
  bulletList: 'bulleted list',
  orderedList: 'numbered list',
  listItem: 'item',
  taskList: 'task list',
  blockquote: 'quote',
  codeBlock: 'code',
  horizontalRule: 'line',
}

/** "heading 2", "task, done". */
function kindOf({ name, attributes }: Block): string {
  if (name === 'heading') return `heading ${String(attributes['level'])}`
  if (name === 'taskItem') return attributes['checked'] === true ? 'task, done' : 'task, not done'
  return kinds[name] ?? name
}

/** What became of the block itself; null where only its letters changed. */
export function changeOfKind(before: Block, after: Block): string | null {
  const [was, is] = [kindOf(before), kindOf(after)]
  return was === is ? null : `${was} → ${is}`
}

const markNames: Readonly<Record<string, string>> = { strike: 'struck through', code: 'code', link: 'a link' }

const dressOf = (marks: Marks): string => {
  const names = Object.keys(marks).map((name) => markNames[name] ?? name)
  return names.length === 0 ? 'plain' : names.join(', ')
}

/** "was plain, now bold". */
export const changeOfMarks = (before: Marks, after: Marks): string => {
  const [was, is] = [dressOf(before), dressOf(after)]
  return was === is ? 'the link changed' : `was ${was}, now ${is}`
}

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`

/** "2 changes: 5 words added, 2 removed". */
export function summaryWords({ blocks, added, removed }: Summary): string {
  if (blocks === 0) return 'The text is the same.'
  const words = [
    added > 0 ? `${counted(added, 'word')} added` : '',
    removed > 0 ? `${added > 0 ? removed : counted(removed, 'word')} removed` : '',
  ].filter((part) => part !== '')
  const changes = counted(blocks, 'change')
  return words.length === 0 ? changes : `${changes}: ${words.join(', ')}`
}

export const authorsOf = ({ authors }: VersionEntry, personOf: (author: Me) => { name: string }): string =>
  authors.map((author) => personOf(author).name).join(', ')

export const timeOf = ({ createdAt }: VersionEntry, language: string): string =>
  new Date(createdAt).toLocaleString(language || 'en', { dateStyle: 'medium', timeStyle: 'short' })
