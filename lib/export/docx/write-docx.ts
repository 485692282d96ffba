/** Writes a document as DOCX: for Word, LibreOffice and Google Docs. Loaded when it is first needed. */
import {
  Document,
  HeadingLevel,
  type ICommentOptions,
  type IStylesOptions,
  LineRuleType,
  Packer,
  Paragraph,
} from 'docx'
import { strFromU8, unzipSync } from 'fflate'
import type { LocatedThread } from '../../comments/located-threads.ts'
import type { ExportSource } from '../export-source.ts'
import type { ExportEntry } from '../write-entries.ts'
import { docxBlocks } from './docx-blocks.ts'
import { CODE_STYLE, isFromRight, MONOSPACE, runsOf, xmlLetters } from './docx-letters.ts'
import { HEAD_STYLE } from './docx-table.ts'
import { DocxWriter } from './docx-writer.ts'
import { OWN_PART, writeOwnPart } from './own-part.ts'

/** The folder of pictures in a DOCX. */
const PICTURES = 'word/media/'

/**
 * Returns the files that a DOCX is a zip of. Pictures are among them by their ids: their bytes stay where they are until they are sent.
 * @throws {ExportTooLarge}
 */
export async function writeDocx(source: ExportSource): Promise<ExportEntry[]> {
  const firstIds: number[] = []
  const comments = source.threads.flatMap((located) => {
    const first =
      firstIds.length === 0
        ? 0
        : firstIds.at(-1)! + source.threads[firstIds.length - 1]!.thread.messages.length
    firstIds.push(first)
    return located.range ? commentsOf(located, first) : []
  })
  const idsOf = (thread: number): readonly number[] =>
    source.threads[thread]!.thread.messages.map((_message, at) => firstIds[thread]! + at)
  const writer = new DocxWriter({ source, commentIds: idsOf }, docxBlocks)
  const title = xmlLetters(source.title)
  const children = [...(title === '' ? [] : [titleParagraph(title)]), ...writer.write()]
  const file = new Document({
    title,
    creator: xmlLetters(source.author),
    styles: stylesOf(source.language),
    numbering: writer.lists.numbering,
    ...(comments.length > 0 && { comments: { children: comments } }),
    sections: [{ children }],
  })
  const parts = new Map(Object.entries(unzipSync(new Uint8Array(await Packer.toArrayBuffer(file)))))
  const pictures = new Map(
    [...parts].flatMap(([name, bytes]) => (name.startsWith(PICTURES) ? [[name, strFromU8(bytes)]] : [])),
  )
  const own = writeOwnPart(source, parts, pictures)
  if (own) parts.set(OWN_PART, own)
  return [...parts].map(([name, bytes]) => {
    const picture = pictures.get(name)
    return { name, parts: [picture === undefined ? bytes : { file: picture, encoding: 'bytes' }] }
  })
}

const titleParagraph = (title: string): Paragraph =>
  new Paragraph({
    heading: HeadingLevel.TITLE,
    children: runsOf(title),
    ...(isFromRight(title) && { bidirectional: true }),
  })

const commentsOf = ({ thread }: LocatedThread, first: number): ICommentOptions[] =>
  thread.messages.map(({ author, at, text }, index) => ({
    id: first + index,
    author: xmlLetters(author.name),
    date: new Date(at),
    children: text.split(/\r\n?|\n/).map((line) => new Paragraph({ children: runsOf(line) })),
    ...(index > 0 && { parentId: first }),
    ...(thread.resolved && { resolved: true }),
  }))

/** Sizes are in half points, distances in twentieths of a point. */
const stylesOf = (language: string): IStylesOptions => ({
  default: {
    document: {
      run: { font: 'Calibri', size: 22, ...(language !== '' && { language: { value: language } }) },
      paragraph: { spacing: { after: 120, line: 276, lineRule: LineRuleType.AUTO } },
    },
    ...Object.fromEntries(headingSizes.map((size, at) => [`heading${at + 1}`, headingStyle(size)])),
  },
  characterStyles: [{ id: CODE_STYLE, name: 'HTML Code', run: { font: MONOSPACE } }],
  paragraphStyles: [
    { id: HEAD_STYLE, name: 'Table Heading', basedOn: 'Normal', run: { bold: true } },
    { id: 'Quote', name: 'Quote', basedOn: 'Normal', quickFormat: true },
    {
      id: 'Code',
      name: 'Code',
      basedOn: 'Normal',
      run: { font: MONOSPACE, size: 19 },
      paragraph: { spacing: { before: 120, after: 120 }, shading: { fill: 'F4F1ED' } },
    },
    {
      id: 'Caption',
      name: 'caption',
      basedOn: 'Normal',
      run: { italics: true, size: 19, color: '6D655C' },
    },
  ],
})

const headingSizes = [36, 30, 26, 24, 22, 22] as const

const headingStyle = (size: number) => ({
  run: { bold: true, size, color: '2B2620' },
  paragraph: { spacing: { before: 280, after: 100 }, keepNext: true },
})
