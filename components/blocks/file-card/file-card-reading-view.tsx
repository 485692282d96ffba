'use client'

import { useEffect, useRef, useState } from 'react'
import { drawBlock } from '@/lib/blocks/draw.ts'
import { fileCard } from '@/lib/blocks/file-card/file-card.ts'
import { fileIdOf, fileNameOf } from '@/lib/files/file-reference.ts'
import { documentIdOf } from '@/components/open-documents.ts'
import { fileCardStrings } from '@/lib/strings/file-card.ts'
import type { ReadingView } from '../reading-view.ts'
import { SpecElement } from '../spec-element.tsx'
import { type CardState, FileDownload } from './file-download.ts'

/** The schema's element, with a button that gives the bytes where they can be had. */
export const FileCardReadingView: ReadingView = ({ block, elementRef, children }) => {
  const host = useRef<HTMLDivElement>(null)
  const [{ state }, setState] = useState<CardState>({ state: 'device' })
  const [file, name] = [fileIdOf(block.attributes), fileNameOf(block.attributes)]
  const { doc } = block.type
  useEffect(() => {
    const download = new FileDownload({ file, name, document: documentIdOf(doc) }, setState)
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
      {state in sentences && <p className="picture-note">{sentences[state]}</p>}
    </div>
  )
}

const sentences: Partial<Record<CardState['state'], string>> = {
  arriving: fileCardStrings.arrivingSentence,
  missing: fileCardStrings.missingSentence,
  unknown: fileCardStrings.unknownSentence,
}
