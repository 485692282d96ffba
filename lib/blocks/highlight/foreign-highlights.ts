/** Letters on a coloured ground, as Word and Google Docs write a highlight, become highlighted letters. */
import type { HighlightColor } from './highlight.ts'

export function convertHighlights(body: HTMLElement): void {
  for (const mark of body.querySelectorAll<HTMLElement>('mark[class*=highlight-]')) convertNotionMark(mark)
  for (const span of body.querySelectorAll<HTMLElement>(coloured)) {
    const [, css = ''] = /\bbackground(?:-color)?:\s*([^;]+)/i.exec(span.getAttribute('style')!) ?? []
    const color = highlightColorOfCss(css.trim())
    if (color === null || span.textContent.trim() === '') continue
    const mark = span.ownerDocument.createElement('mark')
    mark.dataset.color = color
    mark.append(...span.childNodes)
    span.append(mark)
  }
}

const coloured = ':is(span, font, strong, b, em, i, u, a)[style*=background]'

/** Notion writes a mark for the colour of letters, too, which the text does not have. */
function convertNotionMark(mark: HTMLElement): void {
  const [, name, isGround] = /\bhighlight-([a-z]+)(_background)?/.exec(mark.className) ?? []
  const color = isGround && notionColors[name!]
  if (color) mark.dataset.color = color
  else mark.replaceWith(...mark.childNodes)
}

const notionColors: Readonly<Record<string, HighlightColor>> = {
  yellow: 'yellow',
  orange: 'yellow',
  brown: 'yellow',
  green: 'green',
  teal: 'green',
  blue: 'blue',
  purple: 'pink',
  pink: 'pink',
  red: 'pink',
}

/** The names that Word writes; all others are colours in numbers. */
const namedColors: Readonly<Record<string, HighlightColor>> = {
  yellow: 'yellow',
  lime: 'green',
  aqua: 'blue',
  cyan: 'blue',
  fuchsia: 'pink',
  magenta: 'pink',
  red: 'pink',
}

/** Null for grey, and for what is too dark for letters in the colour of the text. */
export function highlightColorOfCss(css: string): HighlightColor | null {
  const name = css.toLowerCase()
  if (Object.hasOwn(namedColors, name)) return namedColors[name]!
  const channels = channelsOf(name)
  if (!channels) return null
  const [least, most] = [Math.min(...channels), Math.max(...channels)]
  return most - least < 40 || most + least < 250 ? null : colorOfHue(hueOf(channels, least, most))
}

type Channels = readonly [red: number, green: number, blue: number]

/** From 0 to 255 each. */
function channelsOf(css: string): Channels | null {
  const hex = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/.exec(css)
  if (hex) return [1, 2, 3].map((at) => Number.parseInt(hex[at]!, 16)) as unknown as Channels
  const rgb = /^rgb\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})\s*\)$/.exec(css)
  return rgb ? ([1, 2, 3].map((at) => Number(rgb[at])) as unknown as Channels) : null
}

/** In degrees. */
function hueOf([red, green, blue]: Channels, least: number, most: number): number {
  const range = most - least
  if (most === red) return (60 * ((green - blue) / range) + 360) % 360
  return most === green ? 60 * ((blue - red) / range) + 120 : 60 * ((red - green) / range) + 240
}

function colorOfHue(hue: number): HighlightColor {
  if (hue < 20 || hue >= 265) return 'pink'
  if (hue < 72) return 'yellow'
  return hue < 165 ? 'green' : 'blue'
}
