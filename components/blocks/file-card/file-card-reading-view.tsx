'use client'

import { useEffect, useRef, useState } from 'react'
import { drawBlock } from '@/lib/blocks/draw.ts'
import { fileCard } from '@/lib/blocks/file-card/file-card.ts'
import { fileIdOf, fileNameOf } from '@/lib/files/file-reference.ts'
import { documentIdOf } from '@/components/editor/open-documents.ts'
import { strings } from '@/lib/strings/file-card.ts'
import type { ReadingView } from '../reading-view.ts'
import { SpecElement } from '../spec-element.tsx'
import { FileDownload } from './file-download.ts'

/** The schema's element, with a button that gives the bytes of this device. */
export const FileCardReadingView: ReadingView = ({ block, elementRef, children }) => {
  const host = useRef<HTMLDivElement>(null)
  const [isHere, setHere] = useState(true)
  const [file, name] = [fileIdOf(block.attributes), fileNameOf(block.attributes)]
  const { doc } = block.type
  useEffect(() => {
    const download = new FileDownload({ file, name, document: documentIdOf(doc) }, setHere)
    host.current?.append(download.button)
    return () => {
      download.destroy()
      download.button.remove()
    }
  }, [file, name, doc])
  return (
    <div ref={host} className="file-card-reading">
      <SpecElement spec={drawBlock(fileCard, block.attributes)} elementRef={elementRef}>
        {children}
      </SpecElement>
      {!isHere && <p className="picture-note">{strings.elsewhereSentence}</p>}
    </div>
  )
}
