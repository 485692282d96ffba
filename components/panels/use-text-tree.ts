'use client'

import { useCallback, useSyncExternalStore } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { type Block, treeOf, watchTree } from '@/lib/text/tree.ts'

export const textFragmentOf = ({ doc }: Pick<OpenDocument, 'doc'>) => doc.getXmlFragment('default')

type TextBlocks = readonly Block[]

/** At once, and at most once a frame. Whoever waits for the frame is seen in the one after it. */
function createFrameThrottle(): (run: () => void) => () => void {
  let isFree = true
  return (run) => {
    let isCancelled = false
    const runUnlessCancelled = () => {
      if (!isCancelled) run()
    }
    if (isFree) {
      isFree = false
      requestAnimationFrame(() => (isFree = true))
      // Not within the change itself.
      queueMicrotask(runUnlessCancelled)
    } else requestAnimationFrame(runUnlessCancelled)
    return () => {
      isCancelled = true
    }
  }
}

/**
 * What `read` makes of the text, anew at most once a frame. Renders only when that is something else: let `read` give the same object
 * where nothing changed.
 */
export function useTextTree<Read>(opened: OpenDocument, read: (blocks: TextBlocks) => Read): Read {
  const text = textFragmentOf(opened)
  const subscribe = useCallback(
    (listener: () => void) => watchTree(text, listener, createFrameThrottle()),
    [text],
  )
  const get = () => read(treeOf(text))
  return useSyncExternalStore(subscribe, get, get)
}
