'use client'

import { useEffect, useSyncExternalStore } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { threadStoreOf } from '@/lib/comments/thread-store.ts'
import type { PanelProps } from '../panel-props.ts'
import {
  countOthersComments,
  markCommentsSeen,
  seenCommentsOf,
  subscribeToSeenComments,
} from './seen-comments.ts'

type CommentsOf = Pick<PanelProps, 'document' | 'user'> & { readonly opened: OpenDocument }

function useOthersComments({ opened, user }: CommentsOf): number {
  const store = threadStoreOf(opened.comments.doc)
  const threads = useSyncExternalStore(store.subscribe, store.get, store.get)
  return countOthersComments(threads, user.id)
}

/** How many comments of others came since Comments was last on screen. */
export function useNewComments(props: CommentsOf): number {
  const count = useOthersComments(props)
  const seen = useSyncExternalStore(
    subscribeToSeenComments,
    () => seenCommentsOf(props.document),
    () => count,
  )
  return Math.max(0, count - seen)
}

/** For a panel that shows the comments: they are seen while its window is. */
export function useCommentsSeen(props: CommentsOf): void {
  const count = useOthersComments(props)
  const { document: id, opened } = props
  useEffect(() => {
    const mark = () => {
      const { state } = opened.comments.status.get()
      if (document.visibilityState === 'visible' && state !== 'loading') markCommentsSeen(id, count)
    }
    mark()
    document.addEventListener('visibilitychange', mark)
    return () => document.removeEventListener('visibilitychange', mark)
  }, [id, count, opened])
}
