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

/** Skips what may come before the root element: a byte order mark, spaces, `<?…?>`, comments and a DOCTYPE without entities. */
function rootElementOf(text: string): string | null {
  let at = 0
  for (;;) {
    while (/[\s\uFEFF]/.test(text[at] ?? '')) at += 1
    const end = ['<?', '?>', '<!--', '-->', '<!DOCTYPE', '>'] as const
    const skipped = [0, 2, 4].find((index) => text.startsWith(end[index]!, at))
    if (skipped === undefined) break
    const closing = text.indexOf(end[skipped + 1]!, at)
    if (closing === -1) return null
    at = closing + end[skipped + 1]!.length
  }
  const end = text.indexOf('>', at)
  return /^<svg[\s>]/.test(text.slice(at, at + 5)) && end !== -1 ? text.slice(at, end) : null
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
