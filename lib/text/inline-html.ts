/** Letters with their marks as HTML, and back. Knows the marks' own tags; does not know a browser. */
import { shownTextOf } from './plain-text.ts'
import { type Block, isTextNode, type TextRun } from './tree.ts'
import { safeHref } from './link-address.ts'
import { isHiddenMark, marks } from '../blocks/blocks.ts'
import { drawMark } from '../blocks/draw.ts'
import type { JsonMark, JsonNode } from '../blocks/json-node.ts'
import { markMarkdown } from '../blocks/markdown.ts'

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => entities[sign]!)

/** On one line: an empty one would end the HTML. */
export const writeInlineHtml = (block: Block): string =>
  block.children
    .map((node) => {
      if (isTextNode(node)) return node.runs.map(writeRun).join('')
      const text = shownTextOf(node)
      return text === '\n' ? '<br>' : escapeHtml(text)
    })
    .join('')
    .trim()

function writeRun({ text, marks: applied }: TextRun): string {
  const letters = escapeHtml(text.replaceAll('\0', '\uFFFD')).replaceAll(/\r\n?|\n/g, '<br>')
  return marks
    .filter(({ name }) => name in applied && !isHiddenMark(name, Object.keys(applied)))
    .reduceRight((inner, mark) => {
      const value = applied[mark.name]
      const attributes = typeof value === 'object' && value !== null ? value : {}
      const [tag, drawn] = drawMark(mark, attributes as Record<string, unknown>) as unknown as [
        string,
        unknown,
      ]
      if (tag === 'span') return inner
      const { href } = drawn as { readonly href?: string }
      return `<${tag}${href ? ` href="${escapeHtml(href)}"` : ''}>${inner}</${tag}>`
    }, letters)
}

export function readInlineHtml(html: string): JsonNode[] {
  const nodes: JsonNode[] = []
  const open: { readonly tag: string; readonly mark: JsonMark | null }[] = []
  for (const part of html
    .replaceAll(/\s+/g, ' ')
    .trim()
    .split(/(<[^<>]+>)/)) {
    const [, slash, name = '', rest = ''] = /^<(\/?)(\w+)([^<>]*)>$/.exec(part) ?? []
    const tag = name.toLowerCase()
    if (tag === 'br') nodes.push({ type: 'hardBreak' })
    else if (tag === '')
      addLetters(
        nodes,
        part,
        open.flatMap(({ mark }) => mark ?? []),
      )
    else if (!slash) open.push({ tag, mark: markOf(tag, rest) })
    else open.splice(open.findLastIndex((one) => one.tag === tag) >>> 0, 1)
  }
  return nodes
}

function addLetters(nodes: JsonNode[], html: string, applied: readonly JsonMark[]): void {
  const text = decodeEntities(html)
  // The same mark may be opened twice.
  const distinct = applied.filter(({ type }, at) => applied.findIndex((one) => one.type === type) === at)
  const names = distinct.map(({ type }) => type)
  const used = distinct.filter(({ type }) => !isHiddenMark(type, names))
  if (text !== '') nodes.push({ type: 'text', text, ...(used.length > 0 && { marks: used }) })
}

/** Null for a tag that stands for no mark. */
function markOf(tag: string, attributes: string): JsonMark | null {
  if (tag === 'a') {
    const href = safeHref(decodeEntities(/\bhref="([^"]*)"/i.exec(attributes)?.[1] ?? ''))
    return href === null ? null : { type: 'link', attrs: { href } }
  }
  const mark = marks.find(({ schema }) => schema.parseDOM?.some((rule) => rule.tag === tag))
  if (!mark) return null
  const attrs = markMarkdown.find(({ name }) => name === mark.name)?.readTag?.(attributes) ?? {}
  return { type: mark.name, ...(Object.keys(attrs).length > 0 && { attrs }) }
}

const namedEntities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00A0',
}

const decodeEntities = (html: string): string =>
  html.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (entity, decimal, hex, name) => {
    if (name) return namedEntities[String(name).toLowerCase()] ?? String(entity)
    const code = decimal ? Number(decimal) : Number.parseInt(String(hex), 16)
    return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : '\uFFFD'
  })
