/** How each block is written in Word. What stands in no list is a paragraph of its letters, or what is within it. */
import {
  Bookmark,
  BorderStyle,
  CheckBox,
  ExternalHyperlink,
  HeadingLevel,
  ImageRun,
  InternalHyperlink,
  type IParagraphOptions,
  type ParagraphChild,
} from 'docx'
import { strToU8 } from 'fflate'
import { type CalloutKind, calloutKindOf, calloutNames } from '../../blocks/callout/callout-kinds.ts'
import { fileLabelOf } from '../../blocks/file-card/file-card.ts'
import { headingLevelOf } from '../../blocks/heading/heading.ts'
import { cardAddressOf, hostOf } from '../../blocks/link-card/link-card.ts'
import { latexOf } from '../../blocks/math/math.ts'
import { altTextOf, pictureSizeOf, pictureWidthOf } from '../../blocks/picture/picture-attributes.ts'
import { isTaskDone } from '../../blocks/task-list/is-task-done.ts'
import { fileIdOf, fileNameOf } from '../../files/file-reference.ts'
import { exportStrings } from '../../strings/export.ts'
import { headingsOf } from '../../text/headings.ts'
import { type Block, blocksAmong } from '../../text/tree.ts'
import { fileUrlOf, fullUrlOf } from '../export-source.ts'
import { formulaRun, MONOSPACE, runsOf, xmlLetters } from './docx-letters.ts'
import { writeDocxTable } from './docx-table.ts'
import { alignmentFields, type DocxPlace, INDENT } from './docx-place.ts'
import type { BlockWriter, DocxWriter, WrittenBlock } from './docx-writer.ts'

const headingLevels = [
  HeadingLevel.HEADING_1,
  HeadingLevel.HEADING_2,
  HeadingLevel.HEADING_3,
  HeadingLevel.HEADING_4,
  HeadingLevel.HEADING_5,
  HeadingLevel.HEADING_6,
] as const

const writeHeading: BlockWriter = (block, place, writer) => {
  const bookmark = new Bookmark({ id: writer.anchors.get(block) ?? '', children: writer.letters(block) })
  const heading = headingLevels[headingLevelOf(block.attributes) - 1]!
  return [writer.paragraph({ ...alignmentFields(block), heading, children: [bookmark] }, place)]
}

const deeper = (place: DocxPlace): DocxPlace => ({
  ...place,
  indent: place.indent + INDENT,
  depth: place.depth + 1,
  width: Math.max(60, place.width - 38),
})

/** The first line of an item has its number, and the rest stands below it. */
function writeItem(
  { children }: Block,
  place: DocxPlace,
  writer: DocxWriter,
  numbering: NonNullable<IParagraphOptions['numbering']>,
): WrittenBlock[] {
  const [first, ...rest] = blocksAmong(children)
  return [...(first ? [writer.line(first, place, { numbering })] : []), ...writer.blocks(rest, deeper(place))]
}

const writeList =
  (
    numberingOf: (
      list: Block,
      place: DocxPlace,
      writer: DocxWriter,
    ) => NonNullable<IParagraphOptions['numbering']>,
  ): BlockWriter =>
  (list, place, writer) => {
    const numbering = numberingOf(list, place, writer)
    return blocksAmong(list.children).flatMap((item) => writeItem(item, place, writer, numbering))
  }

const writeTasks: BlockWriter = ({ children }, place, writer) =>
  blocksAmong(children).flatMap((item) => {
    const [first, ...rest] = blocksAmong(item.children)
    const box = new CheckBox({ checked: isTaskDone(item.attributes), alias: exportStrings.task })
    const indent = { start: place.indent + INDENT, hanging: 360 }
    return [
      ...(first ? [writer.line(first, place, { before: [box, ...runsOf(' ')], indent })] : []),
      ...writer.blocks(rest, deeper(place)),
    ]
  })

const QUOTE_BAR = 'BBB5AC'

/** Word's own style for quotes, by which other programs know them. */
const QUOTE = 'Quote'

const calloutBars: Readonly<Record<CalloutKind, string>> = {
  note: '3949AB',
  tip: '3D8F62',
  important: 'A8327F',
  warning: 'B4791C',
}

const writeCallout: BlockWriter = ({ attributes, children }, place, writer) => {
  const kind = calloutKindOf(attributes)
  const inner = { ...deeper(place), depth: place.depth, bar: calloutBars[kind], fill: 'F4F1ED', style: QUOTE }
  const label = writer.paragraph({ children: runsOf(calloutNames[kind], { bold: true }) }, inner)
  return [label, ...writer.blocks(children, inner)]
}

const writeToggle: BlockWriter = ({ children }, place, writer) => {
  const [summary, ...rest] = blocksAmong(children)
  return [
    ...(summary ? [writer.line(summary, place, { before: runsOf('▾ '), run: { bold: true } })] : []),
    ...writer.blocks(rest, { ...deeper(place), depth: place.depth }),
  ]
}

const writeCode: BlockWriter = (block, place, writer) => [
  writer.line(block, place, { style: 'Code', run: { font: MONOSPACE, noProof: true } }),
]

const writeFormula: BlockWriter = ({ attributes }, place, writer) => {
  const latex = latexOf(attributes)
  const formula = formulaRun(latex, true)
  return [
    writer.paragraph({ children: formula ? [formula] : runsOf(latex, { font: 'Cambria Math' }) }, place),
  ]
}

/** Those that Word opens. */
const pictureTypes: Readonly<Record<string, 'png' | 'jpg' | 'gif'>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
}

const writePicture: BlockWriter = (block, place, writer) => {
  const [caption] = blocksAmong(block.children)
  const shown = writer.paragraph(
    { ...alignmentFields(block), keepNext: true, children: pictureRuns(block, place, writer) },
    place,
  )
  if (!caption || caption.children.length === 0) return [shown]
  return [shown, writer.line(caption, place, { ...alignmentFields(block), style: 'Caption' })]
}

function pictureRuns({ attributes }: Block, place: DocxPlace, { source }: DocxWriter): ParagraphChild[] {
  const file = fileIdOf(attributes)
  const found = source.files.get(file)
  const alt = xmlLetters(altTextOf(attributes) ?? fileNameOf(attributes))
  const type = found && pictureTypes[found.type]
  if (type) {
    // In the place of its bytes.
    const data = strToU8(file)
    const transformation = pictureBox(attributes, place.width)
    return [
      new ImageRun({
        type,
        data,
        transformation,
        altText: { name: fileNameOf(attributes), description: alt },
      }),
    ]
  }
  const words = runsOf(found ? exportStrings.pictureNamed(alt) : exportStrings.missingPicture(alt), {
    italics: true,
  })
  return found ? [new ExternalHyperlink({ link: fileUrlOf(source, file), children: words })] : words
}

/** In pixels, no wider than its place. */
function pictureBox(attributes: Block['attributes'], room: number) {
  const { width, height } = pictureSizeOf(attributes) ?? { width: 400, height: 300 }
  const percent = pictureWidthOf(attributes)
  const shown = percent === null ? Math.min(width, room) : (room * percent) / 100
  return { width: Math.max(1, Math.round(shown)), height: Math.max(1, Math.round((shown * height) / width)) }
}

const linkTo = (link: string, text: string): ParagraphChild =>
  new ExternalHyperlink({ link: xmlLetters(link), children: runsOf(text, { style: 'Hyperlink' }) })

const writeFileCard: BlockWriter = ({ attributes, children }, place, writer) => {
  const [caption] = blocksAmong(children)
  const [file, label] = [fileIdOf(attributes), fileLabelOf(attributes)]
  const link = file === '' ? runsOf(label) : [linkTo(fileUrlOf(writer.source, file), label)]
  const name = caption ? writer.letters(caption) : []
  return [writer.paragraph({ children: [...name, ...runsOf(' '), ...link] }, place)]
}

const writeLinkCard: BlockWriter = ({ attributes, children }, place, writer) => {
  const [caption] = blocksAmong(children)
  const address = cardAddressOf(attributes)
  const link = address === '' ? [] : [linkTo(fullUrlOf(writer.source, address), hostOf(address))]
  return [
    writer.paragraph(
      { children: [...(caption ? writer.letters(caption) : []), ...runsOf(' '), ...link] },
      place,
    ),
  ]
}

const writeDivider: BlockWriter = (_block, place, writer) => [
  writer.paragraph(
    { border: { bottom: { style: BorderStyle.SINGLE, size: 6, space: 1, color: QUOTE_BAR } } },
    place,
  ),
]

const writeContents: BlockWriter = (_block, place, writer) =>
  headingsOf(writer.source.blocks).map(({ block, level, text }) => {
    const link = new InternalHyperlink({
      anchor: writer.anchors.get(block)!,
      children: runsOf(text, { style: 'Hyperlink' }),
    })
    return writer.paragraph(
      { children: [link], indent: { start: place.indent + (level - 1) * 284 } },
      place,
      text,
    )
  })

export const docxBlocks: Readonly<Record<string, BlockWriter>> = {
  paragraph: (block, place, writer) => [writer.line(block, place)],
  heading: writeHeading,
  bulletList: writeList((_list, { depth }, { lists }) => lists.bulletsAt(depth)),
  orderedList: writeList(({ attributes }, { depth }, { lists }) => lists.numbersAt(depth, attributes)),
  taskList: writeTasks,
  blockquote: ({ children }, place, writer) =>
    writer.blocks(children, { ...deeper(place), depth: place.depth, bar: QUOTE_BAR, style: QUOTE }),
  callout: writeCallout,
  toggle: writeToggle,
  codeBlock: writeCode,
  blockMath: writeFormula,
  table: (block, place, writer) => writeDocxTable(block, place, writer),
  picture: writePicture,
  fileCard: writeFileCard,
  linkCard: writeLinkCard,
  horizontalRule: writeDivider,
  tableOfContents: writeContents,
}
