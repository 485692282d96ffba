/** Writes a document that is open in this page, as it stands here and without a network. Loaded late: the writers are large. */
import type { OpenDocument } from '@/lib/client.ts'
import type { Zippable } from 'fflate'
import { exportFileName, type PageFormat } from '@/lib/export/export-formats.ts'
import { type ExportedFile, type ExportSource, readExportSource } from '@/lib/export/export-source.ts'
import { type ExportEntry, type ExportPart, writeEntries } from '@/lib/export/write-entries.ts'
import { jsonOf } from '@/lib/export/write-json.ts'
import { fileBytesOf, fileCard, fileTypeOf } from '@/lib/blocks/file-card/file-card.ts'
import { picture } from '@/lib/blocks/picture/picture.ts'
import { browserFiles } from '@/lib/files/browser-files.ts'
import { fileIdOf, fileNameOf } from '@/lib/files/file-reference.ts'
import { filePath } from '@/lib/files/upload-file.ts'
import { type Block, blocksAmong, type TreeNode, treeOf } from '@/lib/text/tree.ts'
import type { ExportedFileData } from './download-export.ts'
import { officePictureOf } from './office-pictures.ts'

interface OpenedExport {
  readonly document: string
  readonly opened: OpenDocument
  readonly format: PageFormat
  readonly hasComments: boolean
  /** In BCP 47; '' where nobody knows. */
  readonly language: string
}

export async function writeOpenDocument(wanted: OpenedExport): Promise<ExportedFileData> {
  const { document, format, opened } = wanted
  const shown = filesIn(treeOf(opened.doc.getXmlFragment('default')))
  const embedded = format === 'html' || format === 'docx' ? pictureIdsIn(shown) : []
  const pictures = await readPictures(document, embedded)
  const missing = new Set(embedded.filter((id) => !pictures.has(id)))
  if (format === 'docx') for (const [id, found] of pictures) pictures.set(id, await officePictureOf(found))
  const source = sourceOf(
    wanted,
    shown.map((block) => fileOf(block, pictures)).filter(({ id }) => !missing.has(id)),
  )
  const missingPictures = missing.size
  if (format === 'docx') return { ...(await writeWord(source, pictures)), missingPictures }
  const [{ name, parts }] = writeEntries(source, format) as [ExportEntry]
  const chunks = await Promise.all(parts.map((part) => chunkOf(part, pictures)))
  return { name, bytes: new Blob(chunks), missingPictures }
}

/** What the block says of it, unless its bytes are here. */
function fileOf({ attributes }: Block, pictures: ReadonlyMap<string, Blob>): ExportedFile {
  const id = fileIdOf(attributes)
  const found = pictures.get(id)
  return {
    id,
    name: fileNameOf(attributes),
    type: found?.type ?? fileTypeOf(attributes),
    bytes: found?.size ?? fileBytesOf(attributes) ?? 0,
  }
}

async function writeWord(
  source: ExportSource,
  pictures: ReadonlyMap<string, Blob>,
): Promise<Omit<ExportedFileData, 'missingPictures'>> {
  const [{ writeDocx }, { zipSync }] = await Promise.all([
    import('@/lib/export/docx/write-docx.ts'),
    import('fflate'),
  ])
  const files: Zippable = {}
  for (const { name, parts } of await writeDocx(source)) {
    const [part] = parts as [ExportPart]
    const bytes = part instanceof Uint8Array ? part : await bytesOf(part, pictures)
    // Pictures are as small as they get.
    files[name] = part instanceof Uint8Array ? bytes : [bytes, { level: 0 }]
  }
  return { name: exportFileName(source.title, 'docx'), bytes: new Blob([zipSync(files)]) }
}

/** The document as JSON, without its files. */
export const readOpenDocument = (wanted: Omit<OpenedExport, 'format'>) => jsonOf(sourceOf(wanted, []))

const sourceOf = (
  { document, opened, hasComments, language }: Omit<OpenedExport, 'format'>,
  files: readonly ExportedFile[],
): ExportSource =>
  readExportSource(opened.doc, hasComments ? opened.comments.doc : null, {
    document,
    origin: location.origin,
    language,
    author: '',
    files,
  })

const filesIn = (nodes: readonly TreeNode[]): Block[] =>
  blocksAmong(nodes).flatMap((block) =>
    block.name === picture.name || block.name === fileCard.name ? [block] : filesIn(block.children),
  )

const pictureIdsIn = (blocks: readonly Block[]): readonly string[] => {
  const ids = blocks.filter(({ name }) => name === picture.name).map(({ attributes }) => fileIdOf(attributes))
  return [...new Set(ids)].filter((id) => id !== '')
}

/** From this device, or else from the server. Those that neither has are missing. */
async function readPictures(document: string, ids: readonly string[]): Promise<Map<string, Blob>> {
  const found = await Promise.all(ids.map((id) => readPicture(document, id)))
  return new Map(found.flatMap((entry) => (entry ? [entry] : [])))
}

async function readPicture(document: string, id: string): Promise<[string, Blob] | null> {
  const local = await browserFiles()
    ?.read(id, document)
    .catch(() => undefined)
  if (local) return [id, new Blob([local.bytes], { type: local.type })]
  const response = await fetch(filePath(document, id)).catch(() => null)
  const blob = response?.ok ? await response.blob().catch(() => null) : null
  return blob && [id, blob]
}

const chunkOf = async (
  part: ExportPart,
  pictures: ReadonlyMap<string, Blob>,
): Promise<string | Uint8Array<ArrayBuffer>> =>
  typeof part === 'string' || part instanceof Uint8Array ? part : base64Of(await bytesOf(part, pictures))

async function bytesOf(
  part: Exclude<ExportPart, Uint8Array>,
  pictures: ReadonlyMap<string, Blob>,
): Promise<Uint8Array<ArrayBuffer>> {
  if (typeof part === 'string') return new TextEncoder().encode(part)
  return new Uint8Array((await pictures.get(part.file)?.arrayBuffer()) ?? new ArrayBuffer(0))
}

/** Three bytes are four letters, and a call has room for so many arguments. */
const PIECE_BYTES = 3 * 8_192

function base64Of(bytes: Uint8Array): string {
  let letters = ''
  for (let at = 0; at < bytes.length; at += PIECE_BYTES)
    letters += btoa(String.fromCharCode(...bytes.subarray(at, at + PIECE_BYTES)))
  return letters
}
