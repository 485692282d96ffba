/** Letters, marks and what stands among letters, as Word has them. */
import {
  CommentRangeEnd,
  CommentRangeStart,
  CommentReference,
  ExternalHyperlink,
  ImportedXmlComponent,
  HighlightColor as WordHighlight,
  type IRunOptions,
  type ParagraphChild,
  TextRun,
} from 'docx'
import { dayOf, shownDay } from '../../blocks/date/date.ts'
import { type HighlightColor, highlightColorOf } from '../../blocks/highlight/highlight.ts'
import { inlineMath, latexOf } from '../../blocks/math/math.ts'
import { mentionOf } from '../../blocks/mention/mention.ts'
import { safeHref } from '../../text/link-address.ts'
import { shownTextOf } from '../../text/plain-text.ts'
import type { Block, TextMarks } from '../../text/tree.ts'
import { documentUrlOf, type ExportSource, fullUrlOf } from '../export-source.ts'
import { ommlOf } from './formula-omml.ts'
import { type CommentEdges, inlinePiecesOf, type ShownMark, shownMarksOf } from '../inline-pieces.ts'

export const MONOSPACE = 'Consolas'
/** Word's own style for code among letters. */
export const CODE_STYLE = 'HTMLCode'
const MATH_FONT = 'Cambria Math'

/** What Word can read: a file with any other sign is broken for it. */
export const xmlLetters = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replaceAll(/[^\t\n\r -\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')

export const isFromRight = (text: string): boolean =>
  /^\P{L}*[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(text)

const highlights: Readonly<Record<HighlightColor, (typeof WordHighlight)[keyof typeof WordHighlight]>> = {
  yellow: WordHighlight.YELLOW,
  green: WordHighlight.GREEN,
  blue: WordHighlight.CYAN,
  pink: WordHighlight.MAGENTA,
}

type RunStyle = Omit<IRunOptions, 'text' | 'children' | 'break'>

function styleOf({ definition, attributes }: ShownMark): RunStyle {
  switch (definition.name) {
    case 'bold':
      return { bold: true }
    case 'italic':
      return { italics: true }
    case 'underline':
      return { underline: {} }
    case 'strike':
      return { strike: true }
    case 'subscript':
      return { subScript: true }
    case 'superscript':
      return { superScript: true }
    case 'highlight':
      return { highlight: highlights[highlightColorOf(attributes) ?? 'yellow'] }
    case 'code':
      return { font: MONOSPACE, style: CODE_STYLE }
    default:
      return {}
  }
}

export interface LetterContext {
  readonly source: ExportSource
  readonly edges: CommentEdges
  /** The ids of a thread's comments in the file. */
  readonly commentIds: (thread: number) => readonly number[]
  /** Counts what is written. @throws {ExportTooLarge} */
  readonly count: (piece: string) => string
}

/** @param style Of all letters of the line. */
export function writeLetters(line: Block, context: LetterContext, style: RunStyle = {}): ParagraphChild[] {
  const children: ParagraphChild[] = []
  let link = null as WrittenLink | null
  for (const piece of inlinePiecesOf(line, context.edges)) {
    if ('thread' in piece) {
      link = null
      children.push(...commentSigns(piece.kind, context.commentIds(piece.thread)))
      continue
    }
    const formula = piece.kind === 'letters' ? null : formulaOf(piece.node)
    if (formula) {
      link = null
      children.push(formula)
      continue
    }
    const written = piece.kind === 'letters' ? lettersOf(piece.text) : nodeOf(piece.node, context)
    const href = hrefOf(piece.marks, context.source) ?? written.href
    const runs = runsOf(context.count(written.text), { ...style, ...written.own, ...marksStyle(piece.marks) })
    // The letters of a link may have several marks.
    const joined: WrittenLink | null = href === null ? null : link?.href === href ? link : { href, runs: [] }
    joined?.runs.push(...runs)
    if (!joined) children.push(...runs)
    else if (joined !== link)
      children.push(new ExternalHyperlink({ link: joined.href, children: joined.runs }))
    link = joined
  }
  return children
}

const formulaOf = ({ name, attributes }: Block): ParagraphChild | null =>
  name === inlineMath.name ? formulaRun(latexOf(attributes), false) : null

/** Null for a formula that Word has no form for. */
export function formulaRun(latex: string, isBlock: boolean): ParagraphChild | null {
  const xml = ommlOf(latex, isBlock)
  // The types of the package know no component that comes from XML.
  return xml === null ? null : (ImportedXmlComponent.fromXmlString(xml) as unknown as ParagraphChild)
}

interface WrittenLink {
  readonly href: string
  readonly runs: ParagraphChild[]
}

const marksStyle = (marks: TextMarks): RunStyle => {
  const style: RunStyle = Object.assign({}, ...shownMarksOf(marks).map(styleOf))
  return 'link' in marks ? { ...style, style: 'Hyperlink' } : style
}

interface WrittenNode {
  readonly text: string
  readonly own: RunStyle
  readonly href: string | null
}

const lettersOf = (text: string): WrittenNode => ({ text, own: {}, href: null })

function nodeOf(node: Block, { source }: LetterContext): WrittenNode {
  const text = shownTextOf(node)
  switch (node.name) {
    case 'inlineMath':
      return { text: text.slice(1, -1), own: { font: MATH_FONT }, href: null }
    case 'date': {
      const day = dayOf(node.attributes)
      return lettersOf(day === null ? text : shownDay(day, source.language || undefined))
    }
    case 'mention': {
      const { kind, id } = mentionOf(node.attributes)
      const href = kind === 'document' && id !== null ? documentUrlOf(source, id) : null
      return { text, own: href === null ? {} : { style: 'Hyperlink' }, href }
    }
    default:
      return lettersOf(text)
  }
}

function hrefOf({ link }: TextMarks, source: ExportSource): string | null {
  const { href = null } = (typeof link === 'object' && link !== null ? link : {}) as {
    readonly href?: unknown
  }
  const safe = safeHref(href)
  return safe === null ? null : xmlLetters(fullUrlOf(source, safe))
}

/** A line end is a break of its own. */
export function runsOf(text: string, style: RunStyle = {}): TextRun[] {
  const rightToLeft = isFromRight(text)
  return xmlLetters(text)
    .split(/\r|\n/)
    .flatMap((line, at) => [
      ...(at === 0 ? [] : [new TextRun({ break: 1 })]),
      ...(line === '' ? [] : [new TextRun({ ...style, text: line, ...(rightToLeft && { rightToLeft }) })]),
    ])
}

const commentSigns = (kind: 'comment start' | 'comment end', ids: readonly number[]): ParagraphChild[] =>
  kind === 'comment start'
    ? ids.map((id) => new CommentRangeStart(id))
    : ids.flatMap((id) => [new CommentRangeEnd(id), new TextRun({ children: [new CommentReference(id)] })])
