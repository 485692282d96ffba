import { type RefObject, useEffect, useState } from 'react'
import { documentIdOf } from '@/components/open-documents.ts'
import { fileIdOf, fileNameOf } from '@/lib/files/file-reference.ts'
import type { Block } from '@/lib/text/tree.ts'
import { pictureSentence } from './picture-sentence.ts'
import { type PictureState, ShownPicture } from './shown-picture.ts'

/**
 * Shows the bytes of a picture, of this device or of the server, in an image.
 * @param target The image, or an element with it. @returns what is said in its place; null while there is nothing to say.
 */
export function useShownPicture(
  { attributes, type }: Block,
  target: RefObject<HTMLElement | null>,
): string | null {
  const [state, setState] = useState<PictureState>({ state: 'loading' })
  const file = fileIdOf(attributes)
  const { doc } = type
  useEffect(() => {
    const { current } = target
    const image = current instanceof HTMLImageElement ? current : current?.querySelector('img')
    if (!image) return
    const shown = new ShownPicture(image, { file, document: documentIdOf(doc) }, setState)
    return () => shown.destroy()
  }, [file, doc, target])
  return pictureSentence(state, fileNameOf(attributes))
}
