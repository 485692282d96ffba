/** Collects the pictures and files of one document as its blocks name them. What a picture is, and its size, is read from its bytes. */
import { createCaption } from '../blocks/caption/create-caption.ts'
import { fileCard } from '../blocks/file-card/file-card.ts'
import type { JsonNode } from '../blocks/json-node.ts'
import { cleanAltText, isShowable } from '../blocks/picture/picture-attributes.ts'
import { picture } from '../blocks/picture/picture.ts'
import { cleanFileName, createFileId } from '../files/file-reference.ts'
import { PICTURE_HEADER_BYTES, readPictureHeader } from '../files/picture-header.ts'
import { MAX_FILES } from './import-limits.ts'
import type { ImportedFile } from './imported-document.ts'

export interface TakenFile {
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

export class ImportPictures {
  readonly #files: ImportedFile[] = []

  get files(): readonly ImportedFile[] {
    return this.#files
  }

  /** The attributes of a picture; null for bytes that no browser shows. @param alt Null where there is none. */
  takePicture({ name, bytes }: TakenFile, alt: string | null): NonNullable<JsonNode['attrs']> | null {
    const header = readPictureHeader(bytes.subarray(0, PICTURE_HEADER_BYTES))
    if (!header || !isShowable(header) || this.#files.length >= MAX_FILES) return null
    const { type, width, height } = header
    const file = this.#add(name, bytes)
    const text = alt === null ? '' : cleanAltText(alt)
    return { file, name: cleanFileName(name), type, width, height, alt: text === '' ? null : text }
  }

  /** A picture, or else a card. Null where there are too many. */
  takeBlock(taken: TakenFile, alt: string | null, caption: string): JsonNode | null {
    const attrs = this.takePicture(taken, alt)
    if (attrs) return { type: picture.name, attrs, content: [createCaption(caption)] }
    if (this.#files.length >= MAX_FILES) return null
    const { name, bytes } = taken
    const file = this.#add(name, bytes)
    return {
      type: fileCard.name,
      attrs: { file, name: cleanFileName(name), type: '', bytes: bytes.length },
      content: [createCaption(caption || cleanFileName(name))],
    }
  }

  #add(name: string, bytes: Uint8Array<ArrayBuffer>): string {
    const id = createFileId()
    this.#files.push({ id, name: cleanFileName(name), bytes })
    return id
  }
}
