import { Fragment, type ReactNode } from 'react'
import { safeHref } from '@/lib/text/link-address.ts'
import type { TextMarks, TextRun } from '@/lib/text/tree.ts'

/** Text with its marks. Of what other people wrote, only known mark names and safe addresses count. */
export const TextRuns = ({ runs }: { runs: readonly TextRun[] }) =>
  runs.map(({ text, marks }, at) => <Fragment key={at}>{wrapInMarks(text, marks)}</Fragment>)

/** From the innermost to the outermost. */
const markElements: readonly (readonly [mark: string, wrap: (letters: ReactNode) => ReactNode])[] = [
  ['code', (letters) => <code>{letters}</code>],
  ['underline', (letters) => <u>{letters}</u>],
  ['bold', (letters) => <strong>{letters}</strong>],
  ['italic', (letters) => <em>{letters}</em>],
  ['strike', (letters) => <s>{letters}</s>],
]

function wrapInMarks(text: string, marks: TextMarks): ReactNode {
  const appliedMarks = markElements.filter(([mark]) => mark in marks)
  const letters = appliedMarks.reduce<ReactNode>((inner, [, wrap]) => wrap(inner), text)
  const { href } = (marks.link ?? {}) as { readonly href?: unknown }
  const address = safeHref(href)
  if (address === null) return letters
  return (
    <a href={address} target="_blank" rel="noopener noreferrer nofollow">
      {letters}
    </a>
  )
}
