'use client'

import { useCallback, useMemo, useSyncExternalStore } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { attentionTo } from '@/lib/comments/attention.ts'
import { PlacedThreads, type Placed } from '@/lib/comments/placed.ts'
import { linesOf, positionsOf } from '@/lib/text/lines.ts'
import { treeOf } from '@/lib/text/tree.ts'
import { useGoTo } from '@/components/following/context'

const textOf = ({ doc }: OpenDocument) => doc.getXmlFragment('default')

/** All threads, in the order of the text. */
export function usePlaced(opened: OpenDocument): readonly Placed[] {
  const placed = useMemo(() => new PlacedThreads(opened.comments.doc, textOf(opened)), [opened])
  return useSyncExternalStore(placed.subscribe, placed.get)
}

export function useActiveThread(opened: OpenDocument): [string | null, (id: string | null) => void] {
  const attention = attentionTo(opened.doc)
  const { thread } = useSyncExternalStore(attention.subscribe, attention.get)
  return [thread, useCallback((id) => attention.set({ thread: id }), [attention])]
}

/** Looks at a thread: here, and at its words wherever the text is. */
export function useLook(opened: OpenDocument): (placed: Placed) => void {
  const goTo = useGoTo()
  return useCallback(
    ({ thread, stretch }) => {
      attentionTo(opened.doc).set({ thread: thread.id })
      const spot = stretch && positionsOf(linesOf(treeOf(textOf(opened))), stretch)
      if (spot) goTo(spot)
    },
    [opened, goTo],
  )
}
