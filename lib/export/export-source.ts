/** A document as all writers read it. */
import type * as Y from 'yjs'
import { LocatedThreads, type LocatedThread } from '../comments/located-threads.ts'
import { fileCard, fileTypeOf } from '../blocks/file-card/file-card.ts'
import { picture } from '../blocks/picture/picture.ts'
import { fileIdOf, fileNameOf } from '../files/file-reference.ts'
import { type Block, blocksAmong, type TreeNode, treeOf } from '../text/tree.ts'

/** A file that the document has. */
export interface ExportedFile {
  readonly id: string
  readonly name: string
  /** A media type. */
  readonly type: string
  readonly bytes: number
}

/** What is not in the shared text. */
export interface ExportContext {
  /** The document's id. */
  readonly document: string
  /** Of the server, without a slash at its end: where links to its files and documents lead. */
  readonly origin: string
  /** Of the text, in BCP 47; '' where nobody knows. */
  readonly language: string
  /** The owner's name; '' where nobody knows. */
  readonly author: string
  readonly files: readonly ExportedFile[]
}

export interface ExportSource extends Omit<ExportContext, 'files'> {
  readonly title: string
  readonly blocks: readonly Block[]
  /** In the order of the text. */
  readonly threads: readonly LocatedThread[]
  /** Those that the text shows, by their ids. */
  readonly files: ReadonlyMap<string, ExportedFile>
  /** Those that the text shows and the document does not have: they are on the device of whoever added them, or lost. */
  readonly missingFiles: readonly MissingFile[]
}

export type MissingFile = Pick<ExportedFile, 'id' | 'name' | 'type'>

/** @param comments Null to leave them out. */
export function readExportSource(body: Y.Doc, comments: Y.Doc | null, context: ExportContext): ExportSource {
  const text = body.getXmlFragment('default')
  const blocks = treeOf(text)
  const files = new Map(context.files.map((file) => [file.id, file]))
  const shown = [...filesIn(blocks).values()]
  return {
    ...context,
    title: body.getText('title').toJSON().replaceAll(/\s+/g, ' ').trim(),
    blocks,
    threads: comments ? new LocatedThreads(comments, text).get() : [],
    files: new Map(shown.flatMap(({ id }) => (files.has(id) ? [[id, files.get(id)!]] : []))),
    missingFiles: shown.filter(({ id }) => id !== '' && !files.has(id)),
  }
}

/** In the order of the text, by their ids and as the text names them. */
function filesIn(
  nodes: readonly TreeNode[],
  found = new Map<string, MissingFile>(),
): ReadonlyMap<string, MissingFile> {
  for (const { name, attributes, children } of blocksAmong(nodes)) {
    const id = fileIdOf(attributes)
    if ((name === picture.name || name === fileCard.name) && !found.has(id))
      found.set(id, { id, name: fileNameOf(attributes), type: fileTypeOf(attributes) })
    filesIn(children, found)
  }
  return found
}

/** How many pictures show no file of the source. Those that never had one are empty. */
export const countMissingPictures = ({ blocks, files }: Pick<ExportSource, 'blocks' | 'files'>): number =>
  picturesIn(blocks).filter((file) => file !== '' && !files.has(file)).length

const picturesIn = (nodes: readonly TreeNode[]): string[] =>
  blocksAmong(nodes).flatMap(({ name, attributes, children }) =>
    name === picture.name ? [fileIdOf(attributes)] : picturesIn(children),
  )

export const fileUrlOf = ({ origin, document }: ExportSource, file: string): string =>
  `${origin}/api/documents/${document}/files/${file}`

export const documentUrlOf = ({ origin }: ExportSource, document: string): string => `${origin}/d/${document}`

/** An address within this server leads there from a file, too. */
export function fullUrlOf(source: ExportSource, address: string): string {
  if (/^[a-z][a-z\d+.-]*:/i.test(address)) return address
  return URL.parse(address, documentUrlOf(source, source.document))?.href ?? ''
}
