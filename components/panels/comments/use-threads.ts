'use client'

import { useCallback, useMemo, useSyncExternalStore } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { threadFocusOf } from '@/lib/comments/thread-focus.ts'
import { LocatedThreads, type LocatedThread } from '@/lib/comments/located-threads.ts'
import { linesOf, relativePositionsOf } from '@/lib/text/lines.ts'
import { treeOf } from '@/lib/text/tree.ts'
import { useGoTo } from '@/components/following/following-context.ts'

const textFragmentOf = ({ doc }: OpenDocument) => doc.getXmlFragment('default')

/** All threads, in the order of the text. */
export function useLocatedThreads(opened: OpenDocument): readonly LocatedThread[] {
  const located = useMemo(() => new LocatedThreads(opened.comments.doc, textFragmentOf(opened)), [opened])
  return useSyncExternalStore(located.subscribe, located.get)
}

export function useActiveThread(opened: OpenDocument): [string | null, (id: string | null) => void] {
  const threadFocus = threadFocusOf(opened.doc)
  const { thread } = useSyncExternalStore(threadFocus.subscribe, threadFocus.get)
  return [thread, useCallback((id) => threadFocus.set({ thread: id }), [threadFocus])]
}

/** Focuses a thread in this panel, and shows its words wherever the text is. */
export function useGoToThread(opened: OpenDocument): (located: LocatedThread) => void {
  const goTo = useGoTo()
  return useCallback(
    ({ thread, range }) => {
      threadFocusOf(opened.doc).set({ thread: thread.id })
      const position = range && relativePositionsOf(linesOf(treeOf(textFragmentOf(opened))), range)
      if (position) goTo(position)
    },
    [opened, goTo],
  )
}
