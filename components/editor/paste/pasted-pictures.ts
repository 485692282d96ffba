/** Pictures whose bytes stand in pasted HTML, as `data:` addresses, go to this device. Nothing is fetched: a picture by address is lost. */
import { cleanAltText } from '@/lib/blocks/picture/picture-attributes.ts'
import { pictureElementOf } from '@/lib/blocks/picture/picture-element.ts'
import { decodeBase64 } from '@/lib/files/decode-base64.ts'
import { PICTURE_HEADER_BYTES, readPictureHeader } from '@/lib/files/picture-header.ts'
import { stripPictureMetadata } from '@/lib/files/picture-metadata.ts'
import { toast } from '@/components/ui/toast.ts'
import { MAX_PICTURE_BYTES, pictureProblem, storePicture } from './store-file.ts'

/** How many letters the pictures of one paste may have: base64 has four for three bytes. */
const MAX_PASTED_LETTERS = (4 * MAX_PICTURE_BYTES) / 3

/** Stores pictures until their letters are too many. */
export class PastedPictures {
  readonly #document: string
  #lettersLeft = MAX_PASTED_LETTERS

  /** @param document The id of the document that is pasted into. */
  constructor(document: string) {
    this.#document = document
  }

  /** The element that stands for the picture; null for one that is lost. */
  take(image: HTMLImageElement): HTMLElement | null {
    const [, letters] =
      /^data:image\/[\w.+-]+;base64,([\w+/=\s]+)$/i.exec(image.getAttribute('src') ?? '') ?? []
    if (letters === undefined || letters.length > this.#lettersLeft) return null
    this.#lettersLeft -= letters.length
    const bytes = decodeBase64(letters)
    const header = bytes && readPictureHeader(bytes.subarray(0, PICTURE_HEADER_BYTES))
    if (!header) return null
    const stripped = stripPictureMetadata(bytes, header.type)
    if (!stripped) return null
    const named = { name: '', bytes: new Blob([stripped]) }
    if (pictureProblem(named, header) !== null) return null
    const { block, whenStored } = storePicture(named, header, this.#document)
    whenStored.catch((error: Error) => toast(error.message, { id: 'files' }))
    const alt = cleanAltText(image.alt)
    return pictureElementOf(image.ownerDocument, { ...block.attrs, alt: alt === '' ? null : alt })
  }
}
