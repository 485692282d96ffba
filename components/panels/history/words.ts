/** What the panel says of versions and changes. */
import type { Block, Marks } from '@/lib/text/tree.ts'
import type { Summary } from '@/lib/text/diff.ts'
import type { Me, VersionEntry } from '@/components/api'
import { strings as common } from '@/lib/strings/common.ts'
import { strings } from '@/lib/strings/history.ts'

const kinds: Readonly<Record<string, string>> = strings.blocks.byName

/** "heading 2", "task, done". */
function kindOf({ name, attributes }: Block): string {
  if (name === 'heading') return strings.blocks.heading(String(attributes['level']))
  if (name === 'taskItem')
    return attributes['checked'] === true ? strings.blocks.taskDone : strings.blocks.taskNotDone
  return kinds[name] ?? name
}

/** What became of the block itself; null where only its letters changed. */
export function changeOfKind(before: Block, after: Block): string | null {
  const [was, is] = [kindOf(before), kindOf(after)]
  return was === is ? null : strings.blockChange(was, is)
}

const markNames: Readonly<Record<string, string>> = strings.marks.byName

const dressOf = (marks: Marks): string => {
  const names = Object.keys(marks).map((name) => markNames[name] ?? name)
  return names.length === 0 ? strings.marks.none : names.join(', ')
}

/** "was plain, now bold". */
export const changeOfMarks = (before: Marks, after: Marks): string => {
  const [was, is] = [dressOf(before), dressOf(after)]
  return was === is ? strings.linkChange : strings.markChange(was, is)
}

/** "2 changes: 5 words added, 2 removed". */
export function summaryWords({ blocks, added, removed }: Summary): string {
  if (blocks === 0) return strings.changes.none
  if (added > 0 && removed > 0) return strings.changes.addedAndRemoved(blocks, added, removed)
  if (added > 0) return strings.changes.added(blocks, added)
  return removed > 0 ? strings.changes.removed(blocks, removed) : common.changes(blocks)
}

export const authorsOf = ({ authors }: VersionEntry, personOf: (author: Me) => { name: string }): string =>
  authors.map((author) => personOf(author).name).join(', ')

export const timeOf = ({ createdAt }: VersionEntry, language: string): string =>
  new Date(createdAt).toLocaleString(language || 'en', { dateStyle: 'medium', timeStyle: 'short' })
