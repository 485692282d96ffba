import { useEffect, useRef, useState } from 'react'
import { pictureSentence } from '@/components/blocks/picture/picture-sentence.ts'
import { type PictureState, ShownPicture } from '@/components/blocks/picture/shown-picture.ts'
import { documentIdOf } from '@/components/editor/open-documents.ts'
import { altTextOf, pictureSizeOf } from '@/lib/blocks/picture/picture-attributes.ts'
import { fileIdOf, fileNameOf } from '@/lib/files/file-reference.ts'
import type { Block } from '@/lib/text/tree.ts'

/** Small, to be recognised. */
export function VersionPicture({ block: { attributes, type } }: { block: Block }) {
  const image = useRef<HTMLImageElement>(null)
  const [state, setState] = useState<PictureState>({ state: 'loading' })
  const file = fileIdOf(attributes)
  const { doc } = type
  useEffect(() => {
    const shown = new ShownPicture(image.current!, { file, document: documentIdOf(doc) }, setState)
    return () => shown.destroy()
  }, [file, doc])
  const [name, size] = [fileNameOf(attributes), pictureSizeOf(attributes)]
  const sentence = pictureSentence(state, name)
  return (
    <>
      <img
        ref={image}
        alt={altTextOf(attributes) ?? name}
        hidden={sentence !== null}
        {...(size && { width: size.width, height: size.height })}
        className="h-auto max-h-40 w-auto max-w-full rounded-lg"
      />
      {sentence !== null && <p className="text-sm text-muted">{sentence}</p>}
    </>
  )
}
