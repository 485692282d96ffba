'use client'

import { useEffect, useRef } from 'react'
import type { ReadingView } from '../reading-view.ts'
import { showContents } from './contents-list.ts'

/** As in the editor, which it shares the list with. */
export const ContentsReadingView: ReadingView = ({ block, elementRef }) => {
  const nav = useRef<HTMLElement>(null)
  const { doc } = block.type
  useEffect(() => (doc ? showContents(nav.current!, doc.getXmlFragment('default')) : undefined), [doc])
  return (
    <div ref={elementRef}>
      <nav ref={nav} className="table-of-contents" data-contents="" />
    </div>
  )
}
