import { useEffect, useMemo, useSyncExternalStore } from 'react'
import * as Y from 'yjs'
import type { OpenDocument } from '@/lib/client.ts'
import { authorsStrings } from '@/lib/strings/authors.ts'
import { newClientsIn } from '@/lib/text/client-runs.ts'
import type { BlockDifference } from '@/lib/text/diff.ts'
import { documentAuthorsOf } from '@/components/editor/authors/document-authors.ts'
import { useDescribeAuthor } from '@/components/editor/authors/use-describe-author.ts'
import type { TitledText } from './use-current-text.ts'

/** Of longer histories, the changes further down are shown without authors. */
const MAX_ASKED_CLIENTS = 1_000

/**
 * Who made each change of the text since `before`: those under whose client ids something in it is new. Nobody signs a deletion, so what
 * was only deleted has no author.
 */
export function useChangeAuthors(
  document: string,
  opened: OpenDocument,
  before: TitledText,
  differences: readonly BlockDifference[],
): (difference: BlockDifference) => string | null {
  const authors = documentAuthorsOf(document, opened)
  const version = useSyncExternalStore(authors.subscribe, authors.version, authors.version)
  const describe = useDescribeAuthor()
  const clients = useMemo(() => clientsOfChanges(before, differences), [before, differences])
  useEffect(
    () => authors.want([...new Set([...clients.values()].flat())].slice(0, MAX_ASKED_CLIENTS)),
    [authors, clients],
  )
  return useMemo(() => {
    void version
    return (difference) => {
      // The same person may have written in several windows.
      const titles = new Map(
        (clients.get(difference) ?? []).flatMap((client) => {
          const author = authors.authorOf(client)
          return author ? [[author.person.id, describe(author).title] as const] : []
        }),
      )
      return titles.size === 0 ? null : authorsStrings.by([...titles.values()].join('; '))
    }
  }, [version, authors, clients, describe])
}

function clientsOfChanges(
  { blocks }: TitledText,
  differences: readonly BlockDifference[],
): ReadonlyMap<BlockDifference, readonly number[]> {
  const doc = blocks[0]?.type.doc
  const vector = doc ? Y.decodeStateVector(Y.encodeStateVector(doc)) : new Map<number, number>()
  return new Map(
    differences.flatMap((difference) => {
      if (difference.kind === 'same' || difference.kind === 'removed') return []
      const { type } = 'block' in difference ? difference.block : difference.after
      return [[difference, [...newClientsIn(type, vector)]] as const]
    }),
  )
}
