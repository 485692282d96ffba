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
  readonly #idsOfTaken = new Map<TakenFile, string>()

  get files(): readonly ImportedFile[] {
    return this.#files
  }

  /** The attributes of a picture; null for bytes that no browser shows. @param alt Null where there is none. */
  takePicture(taken: TakenFile, alt: string | null): NonNullable<JsonNode['attrs']> | null {
    const { name, bytes } = taken
    const header = readPictureHeader(bytes.subarray(0, PICTURE_HEADER_BYTES))
    if (!header || !isShowable(header) || !this.#hasRoom(taken)) return null
    const { type, width, height } = header
    const file = this.#add(taken)
    const text = alt === null ? '' : cleanAltText(alt)
    return { file, name: cleanFileName(name), type, width, height, alt: text === '' ? null : text }
  }

  /** A picture, or else a card. Null where there are too many. */
  takeBlock(taken: TakenFile, alt: string | null, caption: string): JsonNode | null {
    const attrs = this.takePicture(taken, alt)
    if (attrs) return { type: picture.name, attrs, content: [createCaption(caption)] }
    if (!this.#hasRoom(taken)) return null
    const { name, bytes } = taken
    const file = this.#add(taken)
    return {
      type: fileCard.name,
      attrs: { file, name: cleanFileName(name), type: '', bytes: bytes.length },
      content: [createCaption(caption || cleanFileName(name))],
    }
  }

  #hasRoom(taken: TakenFile): boolean {
    return this.#idsOfTaken.has(taken) || this.#files.length < MAX_FILES
  }

  /** A file that the document shows more than once is stored once. */
  #add(taken: TakenFile): string {
    const known = this.#idsOfTaken.get(taken)
    if (known !== undefined) return known
    const id = createFileId()
    this.#idsOfTaken.set(taken, id)
    this.#files.push({ id, name: cleanFileName(taken.name), bytes: taken.bytes })
    return id
  }
}
