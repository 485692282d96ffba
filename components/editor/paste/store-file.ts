/** Puts a file on this device, and says what shows it in the text. What a picture is, and its size, is read from its bytes. */
import { MAX_PICTURE_SIDE } from '@/lib/blocks/picture/picture-attributes.ts'
import { createCaption } from '@/lib/blocks/caption/create-caption.ts'
import { fileCard, fileTypeOf } from '@/lib/blocks/file-card/file-card.ts'
import { picture } from '@/lib/blocks/picture/picture.ts'
import type { JsonNode } from '@/lib/blocks/json-node.ts'
import { browserFiles, browserUploads } from '@/lib/files/browser-files.ts'
import { cleanFileName, createFileId } from '@/lib/files/file-reference.ts'
import { LocalFilesFull } from '@/lib/files/local-files.ts'
import {
  isHeicHeader,
  PICTURE_HEADER_BYTES,
  type PictureHeader,
  readPictureHeader,
} from '@/lib/files/picture-header.ts'
import { rememberedPrincipal } from '@/lib/sync/local/remembered-principal.ts'
import { insertedTextStrings } from '@/lib/strings/inserted-text.ts'

/** In bytes: more than a camera makes. */
export const MAX_PICTURE_BYTES = 25 * 1024 * 1024

/** A browser takes 4 bytes for each to draw it. */
const MAX_PICTURE_PIXELS = 100_000_000

export interface NamedBytes {
  readonly name: string
  readonly bytes: Blob
}

/** In bytes: what a device keeps for a document without being asked. */
const MAX_STORED_BYTES = 100 * 1024 * 1024

/** Null for what is no picture that browsers show. */
export const headerOf = async ({ bytes }: NamedBytes): Promise<PictureHeader | null> =>
  readPictureHeader(new Uint8Array(await bytes.slice(0, PICTURE_HEADER_BYTES).arrayBuffer()))

/** Phones store photos as HEIC, which no browser but Safari shows. */
export const isHeic = async (bytes: Blob): Promise<boolean> =>
  isHeicHeader(new Uint8Array(await bytes.slice(0, 64).arrayBuffer()))

/** The sentence for a person; null if the picture can be stored. */
export function pictureProblem({ name, bytes }: NamedBytes, { width, height }: PictureHeader): string | null {
  if (bytes.size > MAX_PICTURE_BYTES)
    return insertedTextStrings.files.tooLarge(name, MAX_PICTURE_BYTES / 1024)
  const isTooWide = Math.max(width, height) > MAX_PICTURE_SIDE || width * height > MAX_PICTURE_PIXELS
  return isTooWide ? insertedTextStrings.files.tooManyPixels(name, width, height) : null
}

/** A file as it stands in the text, and when its bytes are on this device. */
export interface StoredFile {
  readonly block: JsonNode
  /** Rejects with a sentence for a person. */
  readonly whenStored: Promise<void>
}

export function storePicture(
  { name, bytes }: NamedBytes,
  { type, width, height }: PictureHeader,
  document: string,
): StoredFile {
  const file = createFileId()
  const stored = { file, name: cleanFileName(name), type, width, height }
  return {
    block: { type: picture.name, attrs: stored, content: [{ type: 'caption' }] },
    whenStored: addFile({ id: file, name: stored.name, type, bytes: new Blob([bytes], { type }) }, document),
  }
}

/** The sentence for a person; null if the file can be stored. */
export const fileProblem = ({ name, bytes }: NamedBytes): string | null =>
  bytes.size > MAX_STORED_BYTES ? insertedTextStrings.files.tooLarge(name, MAX_STORED_BYTES / 1024) : null

export function storeFile({ name, bytes }: NamedBytes, document: string): StoredFile {
  const [file, cleanName, type] = [createFileId(), cleanFileName(name), fileTypeOf({ type: bytes.type })]
  const attrs = { file, name: cleanName, type, bytes: bytes.size }
  return {
    block: { type: fileCard.name, attrs, content: [createCaption(cleanName)] },
    whenStored: addFile({ id: file, name: cleanName, type, bytes }, document),
  }
}

interface NewFile {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly bytes: Blob
}

async function addFile(file: NewFile, document: string): Promise<void> {
  const files = browserFiles()
  if (!files) throw new Error(insertedTextStrings.files.noStorage(file.name))
  try {
    const documents = document === '' ? [] : [document]
    const unsent = Object.fromEntries(documents.map((one) => [one, 'wanted' as const]))
    await files.add({ ...file, documents, principal: rememberedPrincipal(), unsent })
    if (document !== '') browserUploads()?.added({ file: file.id, document })
  } catch (error) {
    const sentence =
      error instanceof LocalFilesFull
        ? insertedTextStrings.files.deviceFull
        : insertedTextStrings.files.notStored
    throw new Error(sentence(file.name), { cause: error })
  }
}
