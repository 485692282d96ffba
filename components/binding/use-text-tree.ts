'use client'

import { useCallback, useSyncExternalStore } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { type Block, treeOf, watchTree } from '@/lib/text/tree.ts'

export const textFragmentOf = ({ doc }: Pick<OpenDocument, 'doc'>) => doc.getXmlFragment('default')

type TextBlocks = readonly Block[]

/** Runs at once, and at most once per frame. A call that waits for the frame is painted in the one after it. */
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
 * The result of `read`, updated at most once per frame. It renders only when the result is another object, so `read` should return the same
 * one if nothing changed.
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
