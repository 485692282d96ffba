/** The panel's texts about versions and changes. */
import { definitionOf, markDefinitionOf } from '@/lib/blocks/blocks.ts'
import type { Block, TextMarks } from '@/lib/text/tree.ts'
import type { DifferenceSummary } from '@/lib/text/diff.ts'
import type { NamedPerson, VersionEntry } from '@/components/http-api.ts'
import { commonStrings } from '@/lib/strings/common.ts'
import { historyStrings } from '@/lib/strings/history.ts'

/** For example "heading 2" or "task, done". */
const blockKindText = ({ name, attributes }: Block): string =>
  definitionOf(name)?.strings.kind(attributes) ?? name

/** How the kind of the block changed; null if only its letters changed. */
export function kindChangeText(before: Block, after: Block): string | null {
  const [formerText, currentText] = [blockKindText(before), blockKindText(after)]
  return formerText === currentText ? null : historyStrings.blockChange(formerText, currentText)
}

const marksText = (marks: TextMarks): string => {
  const kinds = Object.keys(marks).map((name) => markDefinitionOf(name)?.strings.kind ?? name)
  return kinds.length === 0 ? historyStrings.noMarks : kinds.join(', ')
}

/** For example "was plain, now bold". */
export const marksChangeText = (before: TextMarks, after: TextMarks): string => {
  const [formerText, currentText] = [marksText(before), marksText(after)]
  return formerText === currentText
    ? historyStrings.linkChange
    : historyStrings.markChange(formerText, currentText)
}

/** For example "2 changes: 5 words added, 2 removed". */
export function summaryText({ blocks, added, removed }: DifferenceSummary): string {
  if (blocks === 0) return historyStrings.changes.none
  if (added > 0 && removed > 0) return historyStrings.changes.addedAndRemoved(blocks, added, removed)
  if (added > 0) return historyStrings.changes.added(blocks, added)
  return removed > 0 ? historyStrings.changes.removed(blocks, removed) : commonStrings.changes(blocks)
}

export const authorsText = (
  { authors }: VersionEntry,
  personOf: (author: NamedPerson) => { name: string },
): string => authors.map((author) => personOf(author).name).join(', ')

export const versionTimeText = ({ createdAt }: VersionEntry, language: string): string =>
  new Date(createdAt).toLocaleString(language || 'en', { dateStyle: 'medium', timeStyle: 'short' })

export const versionNameText = (version: VersionEntry, language: string): string =>
  version.name ?? versionTimeText(version, language)
