/**
 * What a document can have, and what becomes of it in each format: exact, or a loss that is said before somebody exports. The table of
 * docs/FORMATS.md is made of this, and features.test.ts holds both against what the writers write. JSON, which a zip has, loses nothing.
 */
import { alignmentOf } from '../blocks/alignment.ts'
import { definitionOf, markDefinitionOf } from '../blocks/blocks.ts'
import { codeLanguageOf } from '../blocks/code-block/code-block.ts'
import type { JsonNode } from '../blocks/json-node.ts'
import { latexOf } from '../blocks/math/math.ts'
import { mentionOf } from '../blocks/mention/mention.ts'
import { pictureWidthOf } from '../blocks/picture/picture-attributes.ts'
import { spanOf } from '../blocks/table/merges.ts'
import { parseColumns } from '../blocks/table/table-columns.ts'
import { exportStrings } from '../strings/export.ts'
import { ommlOf } from './docx/formula-omml.ts'
import type { ExportFormat } from './export-formats.ts'
import type { JsonThread } from './write-json.ts'

const { losses } = exportStrings

/** Those that lose something. */
export type LossyFormat = Exclude<ExportFormat, 'json' | 'zip'>

export type Losses = Readonly<Partial<Record<LossyFormat, string>>>

interface FeatureFacts {
  /** Whether a node is one, or has it. */
  readonly isIn: (node: JsonNode, parent: JsonNode | null) => boolean
  /** A sentence for each format that cannot hold it as it is. */
  readonly losses: Losses
}

const isOneOf =
  (...types: readonly string[]) =>
  ({ type }: JsonNode): boolean =>
    types.includes(type)

const hasMark =
  (...names: readonly string[]) =>
  ({ marks = [] }: JsonNode): boolean =>
    marks.some(({ type }) => names.includes(type))

const hasAttribute =
  (type: string, isSet: (attrs: NonNullable<JsonNode['attrs']>) => boolean) =>
  (node: JsonNode): boolean =>
    node.type === type && isSet(node.attrs ?? {})

const table = { txt: losses.table }

export const features = {
  paragraphs: { isIn: isOneOf('paragraph'), losses: {} },
  emptyParagraphs: {
    isIn: ({ type, content = [] }, parent) =>
      type === 'paragraph' && content.length === 0 && (parent === null || parent.type === 'doc'),
    losses: { markdown: losses.emptyParagraphs },
  },
  headings: { isIn: isOneOf('heading'), losses: { txt: losses.headings } },
  alignment: {
    isIn: ({ attrs = {} }) => alignmentOf(attrs) !== null,
    losses: { markdown: losses.alignment, txt: losses.alignment },
  },
  letters: {
    isIn: hasMark('bold', 'italic', 'underline', 'strike', 'code', 'highlight', 'subscript', 'superscript'),
    losses: { txt: losses.letters },
  },
  links: { isIn: hasMark('link'), losses: {} },
  lineBreaks: { isIn: isOneOf('hardBreak'), losses: {} },
  breaksInHeadings: {
    isIn: ({ type }, parent) => type === 'hardBreak' && parent?.type === 'heading',
    losses: { markdown: losses.breaksInHeadings },
  },
  lists: { isIn: isOneOf('bulletList', 'orderedList'), losses: {} },
  numbering: {
    isIn: hasAttribute('orderedList', ({ type }) => typeof type === 'string' && type !== '1'),
    losses: { markdown: losses.numbering, txt: losses.numbering },
  },
  tasks: { isIn: isOneOf('taskList'), losses: {} },
  quotes: { isIn: isOneOf('blockquote'), losses: {} },
  callouts: { isIn: isOneOf('callout'), losses: { docx: losses.callouts, txt: losses.callouts } },
  toggles: { isIn: isOneOf('toggle'), losses: { docx: losses.toggles, txt: losses.toggles } },
  code: { isIn: isOneOf('codeBlock'), losses: { txt: losses.code } },
  codeLanguages: {
    isIn: hasAttribute('codeBlock', (attrs) => codeLanguageOf(attrs) !== null),
    losses: { docx: losses.codeLanguages, txt: losses.codeLanguages },
  },
  formulas: {
    isIn: isOneOf('inlineMath', 'blockMath'),
    losses: { txt: losses.formulas },
  },
  rareFormulas: {
    isIn: (node) =>
      isOneOf('inlineMath', 'blockMath')(node) && ommlOf(latexOf(node.attrs ?? {}), false) === null,
    losses: { docx: losses.rareFormulas, txt: losses.formulas },
  },
  tables: { isIn: isOneOf('table'), losses: table },
  headerColumns: {
    isIn: hasAttribute('table', ({ headerColumn }) => headerColumn === true),
    losses: { ...table, markdown: losses.headerColumns },
  },
  columnWidths: {
    isIn: hasAttribute('table', ({ columns }) => parseColumns(columns).some(({ width }) => width !== null)),
    losses: { ...table, markdown: losses.columnWidths },
  },
  mergedCells: {
    isIn: hasAttribute('tableCell', ({ rowspan, colspan }) => spanOf(rowspan) * spanOf(colspan) > 1),
    losses: { ...table, markdown: losses.mergedCells },
  },
  blocksInCells: {
    isIn: ({ type, content = [] }) =>
      type === 'tableCell' && (content.length > 1 || content.some((block) => block.type !== 'paragraph')),
    losses: { ...table, markdown: losses.blocksInCells },
  },
  pictures: { isIn: isOneOf('picture'), losses: { markdown: losses.picturesByLink, txt: losses.pictures } },
  newerPictures: {
    isIn: hasAttribute('picture', ({ type }) => type === 'image/webp' || type === 'image/avif'),
    losses: { markdown: losses.picturesByLink, docx: losses.newerPictures, txt: losses.pictures },
  },
  pictureSizes: {
    isIn: hasAttribute('picture', (attrs) => pictureWidthOf(attrs) !== null),
    losses: { markdown: losses.pictureSizes, txt: losses.pictures },
  },
  captions: {
    isIn: ({ type, content = [] }) =>
      type === 'caption' && content.some((node) => (node.marks ?? []).length > 0 || node.type !== 'text'),
    losses: { markdown: losses.captions, txt: losses.letters },
  },
  files: {
    isIn: isOneOf('fileCard'),
    losses: {
      markdown: losses.filesByLink,
      html: losses.filesByLink,
      docx: losses.filesByLink,
      txt: losses.files,
    },
  },
  linkCards: {
    isIn: isOneOf('linkCard'),
    losses: { docx: losses.linkCards, txt: losses.linkCards },
  },
  dividers: { isIn: isOneOf('horizontalRule'), losses: {} },
  contents: {
    isIn: isOneOf('tableOfContents'),
    losses: { docx: losses.contents, txt: losses.contents },
  },
  mentions: {
    isIn: hasAttribute('mention', (attrs) => mentionOf(attrs).kind === 'person'),
    losses: { markdown: losses.mentions, html: losses.mentions, docx: losses.mentions, txt: losses.mentions },
  },
  dates: { isIn: isOneOf('date'), losses: { docx: losses.dates, txt: losses.dates } },
  comments: { isIn: () => false, losses: { markdown: losses.comments, txt: losses.comments } },
  detachedComments: {
    isIn: () => false,
    losses: { markdown: losses.comments, docx: losses.detachedComments, txt: losses.comments },
  },
  unknown: {
    isIn: (node) => !isKnown(node),
    losses: { markdown: losses.unknown, html: losses.unknown, docx: losses.unknown, txt: losses.unknown },
  },
} as const satisfies Readonly<Record<string, FeatureFacts>>

export type Feature = keyof typeof features

export const featureNames = Object.keys(features) as Feature[]

export const lossesOf = (feature: Feature): Losses => features[feature].losses

const isKnown = ({ type, marks = [] }: JsonNode): boolean =>
  (type === 'doc' || type === 'text' || definitionOf(type) !== undefined) &&
  marks.every((mark) => markDefinitionOf(mark.type) !== undefined)

/** @param text The node of type `doc`. @param comments Without a range where the text that they are about is gone. */
export function featuresIn(
  text: JsonNode,
  comments: readonly Pick<JsonThread, 'range'>[],
): ReadonlySet<Feature> {
  const found = new Set<Feature>(comments.length > 0 ? ['comments'] : [])
  if (comments.some(({ range }) => range === null)) found.add('detachedComments')
  const walk = (node: JsonNode, parent: JsonNode | null): void => {
    for (const feature of featureNames) {
      const { isIn }: FeatureFacts = features[feature]
      if (!found.has(feature) && isIn(node, parent)) found.add(feature)
    }
    for (const child of node.content ?? []) walk(child, node)
  }
  walk(text, null)
  return found
}

/** The sentences for a format, each once. */
export function lossSentences(found: ReadonlySet<Feature>, format: ExportFormat): readonly string[] {
  if (format === 'json' || format === 'zip') return []
  const sentences = featureNames
    .filter((feature) => found.has(feature))
    .map((feature) => lossesOf(feature)[format])
  return [...new Set(sentences.filter((sentence) => sentence !== undefined))]
}
