'use client'

import { useEffect, useRef, useState } from 'react'
import { picture } from '@/lib/blocks/picture/picture.ts'
import { drawBlock } from '@/lib/blocks/draw.ts'
import { fileIdOf, fileNameOf } from '@/lib/files/file-reference.ts'
import { documentIdOf } from '@/components/editor/open-documents.ts'
import type { ReadingView } from '../reading-view.ts'
import { SpecElement } from '../spec-element.tsx'
import { pictureSentence } from './picture-sentence.ts'
import { type PictureState, ShownPicture } from './shown-picture.ts'

/** The schema's elements, with the bytes of this device or of the server. */
export const PictureReadingView: ReadingView = ({ block, elementRef, children }) => {
  const frame = useRef<HTMLDivElement>(null)
  const [state, setState] = useState<PictureState>({ state: 'loading' })
  const file = fileIdOf(block.attributes)
  const { doc } = block.type
  useEffect(() => {
    const image = frame.current?.querySelector('img')
    if (!image) return
    const shown = new ShownPicture(image, { file, document: documentIdOf(doc) }, setState)
    return () => shown.destroy()
  }, [file, doc])
  const sentence = pictureSentence(state, fileNameOf(block.attributes))
  return (
    <div ref={frame}>
      <SpecElement spec={drawBlock(picture, block.attributes)} elementRef={elementRef}>
        {children}
      </SpecElement>
      {sentence !== null && <p className="picture-note">{sentence}</p>}
    </div>
  )
}
