/**
 * Reads a document of Word: mammoth makes HTML of it, which is read as any other. The zip is unpacked here first and packed again without
 * compression, so that mammoth inflates nothing that was not counted.
 */
import { zipSync } from 'fflate'
import mammoth from 'mammoth'
import { importStrings } from '../strings/import.ts'
import { MAX_WORD_XML_BYTES } from './import-limits.ts'
import type { ImportLosses } from './import-losses.ts'
import { type ImportedDocument, ImportRefused, type ImportSource } from './imported-document.ts'
import type { TakenFile } from './import-pictures.ts'
import { DIVIDER_STYLE, FORMULA_STYLE, prepareWordXml, QUOTE_STYLE } from './word-xml.ts'
import { tidyWordHtml, wordHighlights } from './word-html.ts'
import type { JsonThread } from '../export/write-json.ts'
import { readThreads } from './read-json.ts'
import { markComments, readWordComments } from './word-comments.ts'
import { readOwnDocx } from './read-own-docx.ts'
import { newZipBudget, readZip, type ZipBudget } from './read-zip.ts'

/** Of a DOCX of this program, as it was. */
export interface OwnDocx {
  readonly own: ImportedDocument
}

export interface DocxAsHtml {
  readonly html: string
  /** By the address that stands for them in the HTML. */
  readonly pictures: ReadonlyMap<string, TakenFile>
  /** Their places are marks among the letters. */
  readonly threads: readonly JsonThread[]
}

const MAIN_PART = 'word/document.xml'

/** A name that no program gives to a style of its own. */
const CODE_LETTERS = 'letters of code in the import'

const styleMap = [
  "p[style-name='Title'] => h1.title:fresh",
  "p[style-name='Subtitle'] => p:fresh",
  "p[style-name='Quote'] => blockquote > p:fresh",
  "p[style-name='Intense Quote'] => blockquote > p:fresh",
  "p[style-name='Block Text'] => blockquote > p:fresh",
  "p[style-name='HTML Preformatted'] => pre:separator('\\n')",
  "p[style-name='Preformatted Text'] => pre:separator('\\n')",
  "p[style-name='Source Code'] => pre:separator('\\n')",
  "p[style-name='Code'] => pre:separator('\\n')",
  "r[style-name='Source Text'] => code",
  "r[style-name='HTML Code'] => code",
  "r[style-name='Verbatim Char'] => code",
  `r[style-name='${CODE_LETTERS}'] => code`,
  `r.${FORMULA_STYLE} => span.formula:fresh`,
  `p.${QUOTE_STYLE} => blockquote > p:fresh`,
  `p.${DIVIDER_STYLE} => hr:fresh`,
  "p[style-name='caption'] => p.caption:fresh",
  "p[style-name='Caption'] => p.caption:fresh",
  'u => u',
  ...wordHighlights.map((color) => `highlight[color='${color}'] => mark.${color}`),
  'highlight => mark',
  ...['center', 'end', 'justify'].flatMap((align) => [
    `p[style-name='${alignedStyle(align)}'] => p.${align}:fresh`,
    ...['1', '2', '3', '4', '5', '6'].map(
      (level) => `p[style-name='${alignedStyle(align, level)}'] => h${level}.${align}:fresh`,
    ),
  ]),
]

/** A name that no program gives to a style of its own. */
function alignedStyle(align: string, level = ''): string {
  return `line${level} aligned to ${align} by the import`
}

const alignments: Readonly<Record<string, string>> = {
  center: 'center',
  right: 'end',
  end: 'end',
  both: 'justify',
}

/** @throws {ImportRefused} */
export async function readDocx(
  { name, bytes }: ImportSource,
  losses: ImportLosses,
  budget: ZipBudget = newZipBudget(),
): Promise<DocxAsHtml | OwnDocx> {
  const parts = new Map(readZip(bytes, name, budget).map((entry) => [entry.name, entry.read()]))
  for (const [path, part] of parts) {
    if (!/\.(?:xml|rels)$/i.test(path)) continue
    if (part.length > MAX_WORD_XML_BYTES) throw new ImportRefused(importStrings.refused.tooManyParts(name))
    if (/<!(?:DOCTYPE|ENTITY)/i.test(textOf(part)!))
      throw new ImportRefused(importStrings.refused.tooHard(name))
  }
  const own = readOwnDocx(parts, name, losses)
  if (own) return { own }
  const main = textOf(parts.get(MAIN_PART))
  if (main === null) throw new ImportRefused(importStrings.refused.tooHard(name))
  countLosses(main, losses)
  const threads = readWordComments(
    textOf(parts.get('word/comments.xml')) ?? '',
    textOf(parts.get('word/commentsExtended.xml')) ?? '',
  )
  for (const [path, part] of parts)
    if (/^word\/(?:header|footer)\d*\.xml$/.test(path) && hasLetters(textOf(part)!)) losses.count('margin')
  if (main.includes('<w:numPr>') && hasOtherNumbers(textOf(parts.get('word/numbering.xml')) ?? ''))
    losses.count('numbering')
  const marked = threads.length > 0 ? markComments(main) : main
  const prepared = prepareWordXml(marked, () => losses.count('equation'))
  parts.set(MAIN_PART, new TextEncoder().encode(prepared))
  const buffer = Buffer.from(zipSync(Object.fromEntries(parts), { level: 0 }))
  const pictures = new Map<string, TakenFile>()
  let pictureCount = 0
  const { value, messages } = await mammoth.convertToHtml(
    { buffer },
    {
      styleMap,
      ignoreEmptyParagraphs: false,
      transformDocument: nameStyles,
      convertImage: mammoth.images.imgElement(async (image) => {
        const src = `word-picture:${pictureCount++}`
        // One that is linked is on another computer, and one that is named may be missing.
        const bytes = await image.readAsBuffer().catch(() => null)
        if (bytes) pictures.set(src, { name: '', bytes: Uint8Array.from(bytes) })
        return { src }
      }),
    },
  )
  losses.count('wordPart', messages.filter(({ message }) => isLost(message)).length)
  return { html: tidyWordHtml(value, main), pictures, threads: readThreads(threads, losses) }
}

const textOf = (part: Uint8Array | undefined): string | null =>
  part === undefined ? null : new TextDecoder().decode(part)

const countIn = (xml: string, pattern: RegExp): number => xml.match(pattern)?.length ?? 0

function countLosses(main: string, losses: ImportLosses): void {
  losses.count('footnote', countIn(main, /<w:(?:foot|end)noteReference\s/g))
  losses.count('drawing', countIn(main, /<(?:c:chart|dgm:relIds|wps:wsp)[\s>]/g))
  losses.count('object', countIn(main, /<w:object[\s/>]/g))
  losses.count('deletion', countIn(main, /<w:delText[\s>]/g))
}

/** Numbers of pages are not the document's. */
const hasLetters = (xml: string): boolean => /<w:t(?:\s[^<>]*)?>[^<]*\p{L}/u.test(xml)

/** What mammoth says of styles loses no letters, and neither do marks of where something begins or ends. */
const isLost = (message: string): boolean =>
  /^(?:An unrecognised element was ignored: (?!\S+(?:Start|End|Tab|tab)$)|Could not find image file|A v:imagedata)/.test(
    message,
  )

/** Whether the first level of a list begins elsewhere than at 1, or is numbered by letters or Roman numerals. */
const hasOtherNumbers = (numbering: string): boolean =>
  numbering
    .split('<w:lvl w:ilvl="0"')
    .slice(1)
    .map((level) => level.slice(0, 500))
    .some(
      (level) =>
        /<w:numFmt w:val="(?:lower|upper)/.test(level) ||
        (/<w:numFmt w:val="decimal"/.test(level) && !/<w:start w:val="1"/.test(level)),
    )

/** A part of a document as mammoth has it. */
interface WordElement {
  readonly type: string
  /** Of a run. */
  readonly font?: string | null
  readonly children?: readonly WordElement[]
  readonly alignment?: string | null
  readonly styleName?: string | null
  readonly numbering?: unknown
}

const isMonospace = (font: string | null | undefined): boolean =>
  /^(?:Consolas|Courier|Courier New|Menlo|Monaco|Source Code Pro|Roboto Mono|Liberation Mono|DejaVu Sans Mono)$/i.test(
    font ?? '',
  )

function nameStyles(element: WordElement): WordElement {
  const { children } = element
  const aligned = children ? { ...element, children: children.map(nameStyles) } : element
  if (element.type === 'run' && !element.styleName && isMonospace(element.font))
    return { ...aligned, styleName: CODE_LETTERS }
  if (element.type !== 'paragraph') return aligned
  const align = alignments[element.alignment ?? '']
  if (!align || element.numbering) return aligned
  const [, level] = /^heading ([1-6])$/i.exec(element.styleName ?? '') ?? []
  if (level !== undefined) return { ...aligned, styleName: alignedStyle(align, level) }
  const isPlain = /^(?:Normal|Body Text|Table Heading|Table Contents|)$/i.test(element.styleName ?? '')
  return isPlain ? { ...aligned, styleName: alignedStyle(align) } : aligned
}
