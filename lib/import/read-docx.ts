/**
 * Reads a document of Word: mammoth makes HTML of it, which is read as any other. The zip is unpacked here first and packed again without
 * compression, so that mammoth inflates nothing that was not counted.
 */
import { zipSync } from 'fflate'
import mammoth from 'mammoth'
import { parseHTML } from 'linkedom'
import { strings } from '../strings/import.ts'
import type { ImportLosses } from './import-losses.ts'
import { ImportRefused, type ImportSource } from './imported-document.ts'
import type { TakenFile } from './import-pictures.ts'
import { newZipBudget, readZip, type ZipBudget } from './read-zip.ts'

export interface DocxAsHtml {
  readonly html: string
  readonly title: string
  /** By the address that stands for them in the HTML. */
  readonly pictures: ReadonlyMap<string, TakenFile>
}

const MAIN_PART = 'word/document.xml'

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
  'u => u',
  'highlight => mark',
  ...['center', 'end', 'justify'].map(
    (align) => `p[style-name='${alignedStyle(align)}'] => p.${align}:fresh`,
  ),
]

/** A name that no program gives to a style of its own. */
function alignedStyle(align: string): string {
  return `aligned to ${align} by the import`
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
): Promise<DocxAsHtml> {
  const parts = new Map(readZip(bytes, name, budget).map((entry) => [entry.name, entry.read()]))
  const main = textOf(parts.get(MAIN_PART))
  if (main === null) throw new ImportRefused(strings.refused.tooHard(name))
  for (const [path, part] of parts)
    if (/\.(?:xml|rels)$/i.test(path) && /<!(?:DOCTYPE|ENTITY)/i.test(textOf(part)!))
      throw new ImportRefused(strings.refused.tooHard(name))
  countLosses(main, textOf(parts.get('word/comments.xml')) ?? '', losses)
  parts.set(MAIN_PART, new TextEncoder().encode(withLettersOfEquations(main)))
  const buffer = Buffer.from(zipSync(Object.fromEntries(parts), { level: 0 }))
  const pictures = new Map<string, TakenFile>()
  const { value } = await mammoth.convertToHtml(
    { buffer },
    {
      styleMap,
      transformDocument: alignParagraphs,
      convertImage: mammoth.images.imgElement(async (image) => {
        const src = `word-picture:${pictures.size}`
        pictures.set(src, { name: '', bytes: Uint8Array.from(await image.readAsBuffer()) })
        return { src }
      }),
    },
  )
  return { ...tidy(value, main), pictures }
}

const textOf = (part: Uint8Array | undefined): string | null =>
  part === undefined ? null : new TextDecoder().decode(part)

const countIn = (xml: string, pattern: RegExp): number => xml.match(pattern)?.length ?? 0

function countLosses(main: string, comments: string, losses: ImportLosses): void {
  losses.count('comment', countIn(comments, /<w:comment\s/g))
  losses.count('equation', countIn(main, /<m:oMath[\s>]/g))
  losses.count('footnote', countIn(main, /<w:(?:foot|end)noteReference\s/g))
  losses.count('drawing', countIn(main, /<(?:c:chart|dgm:relIds|wps:wsp)[\s>]/g))
}

/** Its letters stay, which mammoth would leave out. */
const withLettersOfEquations = (xml: string): string =>
  xml.replaceAll(/<m:oMath[\s>][\s\S]*?<\/m:oMath>/g, (equation) => {
    const letters = [...equation.matchAll(/<m:t(?:\s[^>]*)?>([^<]*)<\/m:t>/g)]
      .map(([, text]) => text)
      .join('')
    return `<w:r><w:t xml:space="preserve">${letters}</w:t></w:r>`
  })

/** A part of a document as mammoth has it. */
interface WordElement {
  readonly type: string
  readonly children?: readonly WordElement[]
  readonly alignment?: string | null
  readonly styleName?: string | null
  readonly numbering?: unknown
}

function alignParagraphs(element: WordElement): WordElement {
  const { children } = element
  const aligned = children ? { ...element, children: children.map(alignParagraphs) } : element
  if (element.type !== 'paragraph') return aligned
  const align = alignments[element.alignment ?? '']
  const isPlain = !element.numbering && /^(?:Normal|Body Text|)$/i.test(element.styleName ?? '')
  return align && isPlain ? { ...aligned, styleName: alignedStyle(align) } : aligned
}

/** Says in HTML what mammoth leaves to a style sheet or leaves out. */
function tidy(html: string, main: string): Pick<DocxAsHtml, 'html' | 'title'> {
  const body = parseHTML('<!doctype html><html><body></body></html>').document.createElement('div')
  body.innerHTML = html
  for (const align of new Set(Object.values(alignments)))
    for (const line of body.querySelectorAll(`p.${align}`)) line.setAttribute('data-align', align)
  for (const back of body.querySelectorAll('a[href^="#footnote-ref-"], a[href^="#endnote-ref-"]'))
    back.remove()
  for (const note of body.querySelectorAll('a[href^="#footnote-"], a[href^="#endnote-"]'))
    note.replaceWith(...note.childNodes)
  addWidths(body, main)
  const [first] = body.querySelectorAll('h1.title')
  const title = first?.textContent.trim() ?? ''
  first?.remove()
  return { html: body.innerHTML, title }
}

/** In CSS pixels, where Word has twentieths of a point. */
function addWidths(body: HTMLElement, main: string): void {
  const grids = [...main.matchAll(/<w:tblGrid>([\s\S]*?)<\/w:tblGrid>/g)].map(([, grid]) =>
    [...grid!.matchAll(/<w:gridCol\s[^>]*?w:w="(\d{1,5})"/g)].map(([, width]) =>
      Math.round(Number(width) / 15),
    ),
  )
  const tables = [...body.querySelectorAll('table')]
  if (tables.length !== grids.length) return
  for (const [at, table] of tables.entries()) {
    const group = table.ownerDocument.createElement('colgroup')
    for (const width of grids[at]!) {
      const column = table.ownerDocument.createElement('col')
      column.setAttribute('width', String(width))
      group.append(column)
    }
    table.prepend(group)
  }
}
