import { useCallback, useSyncExternalStore } from 'react'
import type * as Y from 'yjs'
import { type Block, treeOf, watchTree } from '@/lib/text/tree.ts'

/** In ms. Comparing a long text takes longer than a frame. */
const UPDATE_DELAY_MS = 300

export interface TitledText {
  readonly title: string
  readonly blocks: readonly Block[]
}

export const titledTextOf = (doc: Y.Doc): TitledText => ({
  title: doc.getText('title').toJSON(),
  blocks: treeOf(doc.getXmlFragment('default')),
})

/** The present text, read a few times a second while somebody writes. */
export function useCurrentText(doc: Y.Doc): TitledText {
  const subscribe = useCallback((listener: () => void) => watchSlowly(doc, listener), [doc])
  const blocks = useSyncExternalStore(subscribe, () => treeOf(doc.getXmlFragment('default')))
  const title = useSyncExternalStore(subscribe, () => doc.getText('title').toJSON())
  return { title, blocks }
}

function watchSlowly(doc: Y.Doc, listener: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const schedule = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      listener()
    }, UPDATE_DELAY_MS)
  }
  const title = doc.getText('title')
  title.observe(schedule)
  const unwatch = watchTree(doc.getXmlFragment('default'), schedule)
  return () => {
    clearTimeout(timer)
    title.unobserve(schedule)
    unwatch()
  }
}
