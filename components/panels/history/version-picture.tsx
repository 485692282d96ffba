import { useRef } from 'react'
import { useShownPicture } from '@/components/blocks/picture/use-shown-picture.ts'
import { altTextOf, pictureSizeOf } from '@/lib/blocks/picture/picture-attributes.ts'
import { fileNameOf } from '@/lib/files/file-reference.ts'
import type { Block } from '@/lib/text/tree.ts'

/** Small, to be recognised. */
export function VersionPicture({ block }: { block: Block }) {
  const { attributes } = block
  const image = useRef<HTMLImageElement>(null)
  const sentence = useShownPicture(block, image)
  const [name, size] = [fileNameOf(attributes), pictureSizeOf(attributes)]
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
