/** The blocks that a page for itself has otherwise than the schema draws them: what a view or a style sheet adds in the editor. */
import { alignmentFields } from '../blocks/alignment.ts'
import { definitionOf } from '../blocks/blocks.ts'
import { dayOf, shownDay } from '../blocks/date/date.ts'
import { fileLabelOf } from '../blocks/file-card/file-card.ts'
import { cardAddressOf, hostOf } from '../blocks/link-card/link-card.ts'
import { latexOf } from '../blocks/math/math.ts'
import { mentionOf, mentionText } from '../blocks/mention/mention.ts'
import { altTextOf, pictureSizeOf, pictureWidthOf } from '../blocks/picture/picture-attributes.ts'
import { drawBlock } from '../blocks/draw.ts'
import { colElementOf } from '../blocks/table/table.ts'
import { spanOf } from '../blocks/table/merges.ts'
import { parseColumns } from '../blocks/table/table-columns.ts'
import { isTaskDone } from '../blocks/task-list/is-task-done.ts'
import { fileIdOf, fileNameOf } from '../files/file-reference.ts'
import { exportStrings } from '../strings/export.ts'
import { headingsOf } from '../text/headings.ts'
import { type Block, blocksAmong } from '../text/tree.ts'
import { documentUrlOf, fileUrlOf, fullUrlOf } from './export-source.ts'
import { formulaHtml } from './formula-html.ts'
import { escapeHtml, fieldsHtml, writeElement, writeSpec } from './html-spec.ts'
import type { BlockHtml } from './html-writer.ts'

const writeFormula =
  (isBlock: boolean): BlockHtml =>
  ({ name, attributes }, writer) => {
    const latex = latexOf(attributes)
    const mathml = formulaHtml(latex, isBlock)
    if (mathml === null) return writeSpec(drawBlock(definitionOf(name)!, attributes), '')
    return writer.counted(
      writeElement(isBlock ? 'div' : 'span', { class: 'math', dir: 'ltr', title: latex }, mathml),
    )
  }

const writePicture: BlockHtml = (block, writer) => {
  const { attributes, children } = block
  const [src, size] = [writer.pictureSource(fileIdOf(attributes)), pictureSizeOf(attributes)]
  const alt = altTextOf(attributes) ?? fileNameOf(attributes)
  const image =
    src === null
      ? writeElement('p', { class: 'missing' }, escapeHtml(exportStrings.missingPicture(alt)))
      : `<img src="${src}"${fieldsHtml({ alt, width: size?.width, height: size?.height })}>`
  const caption = writer.blocks(children)
  const fields = { ...alignmentFields(attributes), 'data-percent': pictureWidthOf(attributes) }
  return writeElement('figure', fields, image + writeElement('figcaption', {}, caption))
}

const writeFileCard: BlockHtml = ({ attributes, children }, writer) => {
  const file = fileIdOf(attributes)
  const name = writer.blocks(children)
  const label = escapeHtml(fileLabelOf(attributes))
  const link =
    file === '' ? '' : writeElement('a', { href: fileUrlOf(writer.source, file), rel: 'nofollow' }, label)
  return writeElement('div', { class: 'card' }, `${name}${link || writeElement('small', {}, label)}`)
}

const writeLinkCard: BlockHtml = ({ attributes, children }, writer) => {
  const address = cardAddressOf(attributes)
  const href = address && fullUrlOf(writer.source, address)
  const link =
    href && writeElement('a', { href, rel: 'noopener noreferrer nofollow' }, escapeHtml(hostOf(href)))
  return writeElement('div', { class: 'card' }, writer.blocks(children) + link)
}

const writeContents: BlockHtml = (_block, writer) => {
  const items = headingsOf(writer.source.blocks).map(({ block, level, text }) =>
    writer.counted(
      writeElement(
        'li',
        { class: `level-${level}`, dir: 'auto' },
        writeElement('a', { href: `#${writer.anchorOf(block)}` }, escapeHtml(text)),
      ),
    ),
  )
  return writeElement(
    'nav',
    { 'aria-label': exportStrings.contents },
    writeElement('ul', {}, items.join('\n')),
  )
}

const writeMention: BlockHtml = ({ attributes }, writer) => {
  const mention = mentionOf(attributes)
  const letters = escapeHtml(mentionText(mention))
  return mention.kind === 'document' && mention.id !== null
    ? writeElement('a', { class: 'mention', href: documentUrlOf(writer.source, mention.id) }, letters)
    : writeElement('span', { class: 'mention' }, letters)
}

const writeDate: BlockHtml = ({ attributes }, { source }) => {
  const day = dayOf(attributes)
  if (day === null) return '…'
  return writeElement(
    'time',
    { datetime: day, 'data-date': day },
    escapeHtml(shownDay(day, source.language || undefined)),
  )
}

const writeTask: BlockHtml = (block, writer) => {
  const checked = isTaskDone(block.attributes)
  const box = writeElement('input', { type: 'checkbox', checked, disabled: true }, '')
  return writeElement('li', { dir: 'auto' }, `${box}<div>${writer.blocks(block.children)}</div>`)
}

/** A head that no merge leaves is repeated on each page of paper. */
const writeTable: BlockHtml = ({ attributes, children }, writer) => {
  const columns = parseColumns(attributes['columns'])
    .map((column) => colElementOf(column)[1]['width'])
    .map((width) => writeElement('col', { width }, ''))
  const rows = blocksAmong(children)
  const [first, ...rest] = rows
  const hasHead = attributes['headerRow'] === true && first !== undefined && !spansRows(first)
  const head = hasHead ? writeElement('thead', {}, writer.block(first)) : ''
  const body = writeElement('tbody', {}, writer.blocks(hasHead ? rest : rows))
  const table = writeElement('table', {}, writeElement('colgroup', {}, columns.join('')) + head + body)
  return writeElement('div', { class: 'table' }, table)
}

const spansRows = ({ children }: Block): boolean =>
  blocksAmong(children).some((cell) => spanOf(cell.attributes['rowspan']) > 1)

export const htmlBlocks: Readonly<Record<string, BlockHtml>> = {
  inlineMath: writeFormula(false),
  blockMath: writeFormula(true),
  picture: writePicture,
  fileCard: writeFileCard,
  linkCard: writeLinkCard,
  tableOfContents: writeContents,
  mention: writeMention,
  date: writeDate,
  taskItem: writeTask,
  table: writeTable,
  toggle: (block, writer) => writer.drawn(block, { open: true }),
}
