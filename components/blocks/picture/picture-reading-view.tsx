'use client'

import { useRef } from 'react'
import { picture } from '@/lib/blocks/picture/picture.ts'
import { drawBlock } from '@/lib/blocks/draw.ts'
import type { ReadingView } from '../reading-view.ts'
import { SpecElement } from '../spec-element.tsx'
import { useShownPicture } from './use-shown-picture.ts'

/** The schema's elements, with the bytes of this device or of the server. */
export const PictureReadingView: ReadingView = ({ block, elementRef, children }) => {
  const frame = useRef<HTMLDivElement>(null)
  const sentence = useShownPicture(block, frame)
  return (
    <div ref={frame}>
      <SpecElement spec={drawBlock(picture, block.attributes)} elementRef={elementRef}>
        {children}
      </SpecElement>
      {sentence !== null && <p className="picture-note">{sentence}</p>}
    </div>
  )
}
