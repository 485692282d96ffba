'use client'

import { useCallback, useSyncExternalStore } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { type Block, treeOf, watchTree } from '@/lib/text/tree.ts'

export const textOf = ({ doc }: Pick<OpenDocument, 'doc'>) => doc.getXmlFragment('default')

type Blocks = readonly Block[]

/** At once, and at most once a frame. Whoever waits for the frame is seen in the one after it. */
function atOnce(): (run: () => void) => () => void {
  let isFree = true
  return (run) => {
    let isOver = false
    const go = () => {
      if (!isOver) run()
    }
    if (isFree) {
      isFree = false
      requestAnimationFrame(() => (isFree = true))
      // Not within the change itself.
      queueMicrotask(go)
    } else requestAnimationFrame(go)
    return () => {
      isOver = true
    }
  }
}

/**
 * What `read` makes of the text, anew at most once a frame. Renders only when that is something else: let `read` give the same object
 * where nothing changed.
 */
export function useTree<Read>(opened: OpenDocument, read: (blocks: Blocks) => Read): Read {
  const text = textOf(opened)
  const subscribe = useCallback((listener: () => void) => watchTree(text, listener, atOnce()), [text])
  const get = () => read(treeOf(text))
  return useSyncExternalStore(subscribe, get, get)
}
