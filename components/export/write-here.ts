/** Writes a document that is open in this page, as it stands here and without a network. Loaded late: the writers are large. */
import type { OpenDocument } from '@/lib/client.ts'
import type { PageFormat } from '@/lib/export/export-formats.ts'
import { type ExportedFile, type ExportSource, readExportSource } from '@/lib/export/export-source.ts'
import { type ExportPart, writeEntries } from '@/lib/export/write-entries.ts'
import { jsonOf } from '@/lib/export/write-json.ts'
import { fileCard } from '@/lib/blocks/file-card/file-card.ts'
import { picture } from '@/lib/blocks/picture/picture.ts'
import { browserFiles } from '@/lib/files/browser-files.ts'
import { fileIdOf, fileNameOf } from '@/lib/files/file-reference.ts'
import { filePath } from '@/lib/files/upload-file.ts'
import { type Block, blocksAmong, type TreeNode, treeOf } from '@/lib/text/tree.ts'
import type { ExportedFileData } from './download-export.ts'

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
  const pictures = format === 'html' ? await readPictures(document, shown) : new Map<string, Blob>()
  const files = shown.map((block): ExportedFile => {
    const id = fileIdOf(block.attributes)
    const bytes = pictures.get(id)
    return { id, name: fileNameOf(block.attributes), type: bytes?.type ?? '', bytes: bytes?.size ?? 0 }
  })
  const [{ name, parts }] = writeEntries(sourceOf(wanted, files), format) as [
    { name: string; parts: readonly ExportPart[] },
  ]
  const chunks = await Promise.all(parts.map((part) => chunkOf(part, pictures)))
  return { name, bytes: new Blob(chunks) }
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

/** From this device, or else from the server. Those that neither has are missing. */
async function readPictures(document: string, blocks: readonly Block[]): Promise<Map<string, Blob>> {
  const ids = blocks.filter(({ name }) => name === picture.name).map(({ attributes }) => fileIdOf(attributes))
  const found = await Promise.all([...new Set(ids)].map((id) => readPicture(document, id)))
  return new Map(found.flatMap((entry) => (entry ? [entry] : [])))
}

async function readPicture(document: string, id: string): Promise<[string, Blob] | null> {
  if (id === '') return null
  const local = await browserFiles()
    ?.read(id, document)
    .catch(() => undefined)
  if (local) return [id, new Blob([local.bytes], { type: local.type })]
  const response = await fetch(filePath(document, id)).catch(() => null)
  return response?.ok ? [id, await response.blob()] : null
}

async function chunkOf(
  part: ExportPart,
  pictures: ReadonlyMap<string, Blob>,
): Promise<string | Uint8Array<ArrayBuffer>> {
  if (typeof part === 'string' || part instanceof Uint8Array) return part
  const bytes = await pictures.get(part.file)?.arrayBuffer()
  return bytes ? base64Of(new Uint8Array(bytes)) : ''
}

/** Three bytes are four letters, and a call has room for so many arguments. */
const PIECE_BYTES = 3 * 8_192

function base64Of(bytes: Uint8Array): string {
  let letters = ''
  for (let at = 0; at < bytes.length; at += PIECE_BYTES)
    letters += btoa(String.fromCharCode(...bytes.subarray(at, at + PIECE_BYTES)))
  return letters
}
