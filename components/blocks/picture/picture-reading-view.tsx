'use client'

import { useEffect, useRef, useState } from 'react'
import { picture } from '@/lib/blocks/picture/picture.ts'
import { drawBlock } from '@/lib/blocks/draw.ts'
import { fileIdOf, fileNameOf } from '@/lib/files/file-reference.ts'
import { documentIdOf } from '@/components/editor/open-documents.ts'
import { strings } from '@/lib/strings/picture.ts'
import type { ReadingView } from '../reading-view.ts'
import { SpecElement } from '../spec-element.tsx'
import { type PictureState, showLocalPicture } from './show-local-picture.ts'

/** The schema's elements, with the bytes of this device. */
export const PictureReadingView: ReadingView = ({ block, elementRef, children }) => {
  const frame = useRef<HTMLDivElement>(null)
  const [state, setState] = useState<PictureState>('yes')
  const file = fileIdOf(block.attributes)
  const { doc } = block.type
  useEffect(() => {
    const image = frame.current?.querySelector('img')
    return image ? showLocalPicture(image, { file, document: documentIdOf(doc) }, setState) : undefined
  }, [file, doc])
  const name = fileNameOf(block.attributes)
  return (
    <div ref={frame}>
      <SpecElement spec={drawBlock(picture, block.attributes)} elementRef={elementRef}>
        {children}
      </SpecElement>
      {state !== 'yes' && (
        <p className="picture-note">{state === 'no' ? strings.elsewhere(name) : strings.unreadable(name)}</p>
      )}
    </div>
  )
}
