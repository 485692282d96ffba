/** Recognizes an SVG by its root element, and reads its size there. Nothing of it is parsed as XML. */

export const SVG_TYPE = 'image/svg+xml'

/** The root element has to begin and end within so many bytes. */
const MAX_BYTES = 16 * 1024

interface SvgHeader {
  readonly width: number | null
  readonly height: number | null
}

/** Null for what is no SVG. */
export function readSvgHeader(bytes: Buffer): SvgHeader | null {
  const root = rootElementOf(bytes.toString('utf8', 0, MAX_BYTES))
  if (root === null) return null
  const [width, height] = [lengthOf(root, 'width'), lengthOf(root, 'height')]
  if (width !== null && height !== null) return { width, height }
  const [, , boxWidth, boxHeight] = (attributeOf(root, 'viewBox') ?? '').trim().split(/[\s,]+/)
  return { width: sideOf(boxWidth), height: sideOf(boxHeight) }
}

/** What may come before the root element, by how it begins and ends. A DOCTYPE with entities ends too early, and is no SVG then. */
const prologue = [
  ['<?', '?>'],
  ['<!--', '-->'],
  ['<!DOCTYPE', '>'],
] as const

function rootElementOf(text: string): string | null {
  let at = skipSpaces(text, 0)
  for (let part = partAt(text, at); part; part = partAt(text, at)) {
    const [, ending] = part
    const end = text.indexOf(ending, at)
    if (end === -1) return null
    at = skipSpaces(text, end + ending.length)
  }
  const end = text.indexOf('>', at)
  return /^<svg[\s>]/.test(text.slice(at, at + 5)) && end !== -1 ? text.slice(at, end) : null
}

const partAt = (text: string, at: number) => prologue.find(([beginning]) => text.startsWith(beginning, at))

function skipSpaces(text: string, from: number): number {
  let at = from
  while (/[\s\uFEFF]/.test(text[at] ?? '')) at += 1
  return at
}

const attributeOf = (element: string, name: string): string | undefined =>
  new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)["']`).exec(element)?.[1]

/** In pixels; a part of the window's width has none. */
const lengthOf = (element: string, name: string): number | null => {
  const [, digits] = /^\s*([\d.]+)(?:px)?\s*$/.exec(attributeOf(element, name) ?? '') ?? []
  return sideOf(digits)
}

function sideOf(digits: string | undefined): number | null {
  const side = Math.round(Number(digits))
  return side > 0 && side <= 1_000_000 ? side : null
}
