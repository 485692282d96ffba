'use client'

import type { Editor } from '@tiptap/react'
import { X } from 'lucide-react'
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { IconButton } from '@/components/ui/icon-button.tsx'
import { useSizeProperty } from '@/components/ui/use-size-property.ts'
import type { OpenDocument } from '@/lib/client.ts'
import { authorsStrings } from '@/lib/strings/authors.ts'
import { initialsOf } from '@/components/profile/people.ts'
import { authorMarks, redrawAuthorMarks, type AuthorLook } from './author-marks.ts'
import { authorMarksKey } from './author-marks-key.ts'
import { documentAuthorsOf } from './document-authors.ts'
import { type DescribedAuthor, useDescribeAuthor } from './use-describe-author.ts'

export interface AuthorBarProps {
  readonly document: string
  readonly opened: OpenDocument
  readonly editor: Editor
  readonly onHide: () => void
}

interface Shown {
  readonly clients: readonly number[]
  readonly atCaret: number | null
}

/** Marks in the text who wrote what while it is on screen, and names the authors at the foot of the window, below messages. */
export default function AuthorBar({ document, opened, editor, onHide }: AuthorBarProps) {
  const authors = documentAuthorsOf(document, opened)
  const version = useSyncExternalStore(authors.subscribe, authors.version, authors.version)
  const describe = useDescribeAuthor()
  const [shown, setShown] = useState<Shown>({ clients: [], atCaret: null })
  // The same author is one entry, whichever of their windows wrote.
  const looks = useMemo(() => {
    void version
    return looksOf(shown.clients, (client) => describe(authors.authorOf(client)))
  }, [shown.clients, version, authors, describe])
  const current = useRef(looks)
  useEffect(() => {
    const plugin = authorMarks({
      lookOf: (client) => current.current.byClient.get(client) ?? unknownLook,
      onShown: (clients, atCaret) => {
        authors.want(clients)
        setShown((before) =>
          before.atCaret === atCaret && before.clients.join() === clients.join()
            ? before
            : { clients, atCaret },
        )
      },
    })
    editor.registerPlugin(plugin)
    return () => void (editor.isDestroyed || editor.unregisterPlugin(authorMarksKey))
  }, [editor, authors])
  useEffect(() => {
    current.current = looks
    if (!editor.isDestroyed) redrawAuthorMarks(editor.view)
  }, [editor, looks])
  const bar = useRef<HTMLElement>(null)
  useSizeProperty(bar, 'offsetHeight', '--bottom-bar-height')
  const atCaret = shown.atCaret === null ? null : looks.byClient.get(shown.atCaret)
  return (
    <aside
      ref={bar}
      aria-label={authorsStrings.bar}
      className="sticky top-[calc(100dvh-var(--bottom-bar-height,0px)-0.75rem)] bottom-3 z-10 mt-6 flex items-start gap-2 rounded-xl border border-line bg-raised px-3 py-2 text-sm shadow-lg print:hidden"
    >
      <div className="flex min-w-0 flex-1 flex-col gap-1.5">
        <ul aria-label={authorsStrings.list} className="flex flex-wrap gap-x-4 gap-y-1">
          {looks.authors.map(({ id, sign, colour, name }) => (
            <li key={id} className="flex min-w-0 items-center gap-1.5">
              <span
                aria-hidden
                className="author-sign m-0"
                data-sign={sign}
                ref={(element) => {
                  if (colour !== null) element?.style.setProperty('--author', colour)
                }}
              />
              <span className="truncate">{name}</span>
            </li>
          ))}
        </ul>
        <output className="text-muted">
          {authors.hasFailed
            ? authorsStrings.failed
            : atCaret
              ? authorsStrings.atCaret(atCaret.title)
              : authorsStrings.atCaretNobody}
        </output>
      </div>
      <IconButton name={authorsStrings.hide} Icon={X} onClick={onHide} />
    </aside>
  )
}

interface NamedLook extends AuthorLook {
  readonly name: string
}

interface Looks {
  /** Each author once, in the order of the text. */
  readonly authors: readonly NamedLook[]
  readonly byClient: ReadonlyMap<number, NamedLook>
}

const unknownLook: AuthorLook = { id: '', sign: '?', colour: null, title: authorsStrings.unknown }

function looksOf(clients: readonly number[], describe: (client: number) => DescribedAuthor): Looks {
  const byAuthor = new Map<string, NamedLook>()
  const signs = new Set<string>()
  const byClient = new Map<number, NamedLook>()
  for (const client of clients) {
    const described = describe(client)
    const look = byAuthor.get(described.id) ?? { ...described, sign: freeSign(described, signs) }
    byAuthor.set(described.id, look)
    signs.add(look.sign)
    byClient.set(client, { ...look, title: described.title })
  }
  return { authors: [...byAuthor.values()], byClient }
}

/** Two people with the same initials are "AL" and "AL2". */
function freeSign({ id, name }: DescribedAuthor, taken: ReadonlySet<string>): string {
  if (id === '') return unknownLook.sign
  if (id === 'server') return '↧'
  const initials = initialsOf(name)
  let sign = initials
  for (let number = 2; taken.has(sign); number++) sign = `${initials}${number}`
  return sign
}
