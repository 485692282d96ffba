/**
 * Converts HTML that was pasted or imported for the schema's parser: what other programs write becomes what the schema has for it, in the folder of each block.
 * Counts what the text has no place for. The HTML is never shown: the parser takes only what the schema knows.
 */
import { convertAlignment } from '../blocks/foreign-alignment.ts'
import { convertCallouts } from '../blocks/callout/foreign-callouts.ts'
import { convertCode } from '../blocks/code-block/foreign-code.ts'
import { convertHighlights } from '../blocks/highlight/foreign-highlights.ts'
import { convertWordLists } from '../blocks/list-item/foreign-word-lists.ts'
import { replaceTables } from '../blocks/table/foreign-tables.ts'
import { convertTaskLists } from '../blocks/task-list/foreign-task-lists.ts'
import { convertToggles } from '../blocks/toggle/foreign-toggles.ts'

/** In this order: Word's lists may hold boxes, and what has become a line has its alignment. */
const converters: readonly ((body: HTMLElement) => void)[] = [
  convertWordLists,
  convertTaskLists,
  convertHighlights,
  convertCallouts,
  convertToggles,
  convertCode,
  convertAlignment,
]

/** How many of each kind. */
export type HtmlLosses = Readonly<Record<'table' | 'image' | 'video' | 'recording' | 'page', number>>

/** @param takePicture Returns what stands for an image; null for one that is lost. */
export function convertForeignHtml(
  body: HTMLElement,
  takePicture: (image: HTMLImageElement) => HTMLElement | null,
): HtmlLosses {
  for (const element of body.querySelectorAll('style, title, meta, link, base')) element.remove()
  for (const convert of converters) convert(body)
  return { table: replaceTables(body), image: replaceImages(body, takePicture), ...removeMedia(body) }
}

/** Returns how many images were lost. */
function replaceImages(
  body: HTMLElement,
  takePicture: (image: HTMLImageElement) => HTMLElement | null,
): number {
  let count = 0
  for (const image of body.querySelectorAll<HTMLImageElement>('img')) {
    // A picture of this program.
    if (image.closest('figure[data-picture]')) continue
    const alt = image.getAttribute('alt') ?? ''
    // Many pages draw emoji as images, with the emoji as alternative text.
    const isEmoji =
      /^\p{Extended_Pictographic}[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F\u200D]*$/u.test(alt)
    // Bytes that stand in the page tell nobody that it was opened.
    const isRemote = !/^(?:data|embedded-picture|word-picture):/.test(image.getAttribute('src') ?? '')
    const isTrackingPixel =
      isRemote && ['width', 'height'].some((side) => /^[01](?:px)?$/.test(image.getAttribute(side) ?? ''))
    const taken = isEmoji || isTrackingPixel ? null : takePicture(image)
    if (!isEmoji && !isTrackingPixel && !taken) count++
    if (isEmoji) image.replaceWith(alt)
    else if (taken) (figureOf(image, taken) ?? lineOfAlone(image, body)).replaceWith(taken)
    else removeWithEmptyBlocks(image, body)
  }
  return count
}

/** Gives the caption of a figure with one image to its picture. Null for an image in no such figure. */
function figureOf(image: Element, taken: HTMLElement): Element | null {
  const figure = image.closest('figure')
  const target = taken.querySelector('[data-caption]')
  if (!figure || !target || figure.querySelectorAll('img').length !== 1) return null
  const caption = figure.querySelector('figcaption')
  for (const block of caption?.querySelectorAll('p, div') ?? []) block.replaceWith(...block.childNodes)
  target.append(...(caption?.childNodes ?? []))
  for (const field of ['data-align', 'data-percent']) {
    const value = figure.getAttribute(field)
    if (value !== null) taken.setAttribute(field, value)
  }
  return figure
}

/** The paragraph of an image that stands alone in it, or the image: a picture is a block of its own. */
function lineOfAlone(image: Element, body: HTMLElement): Element {
  const { parentElement: parent } = image
  const isAlone =
    parent !== null &&
    parent !== body &&
    /^(?:p|a|span)$/.test(parent.localName) &&
    parent.children.length === 1 &&
    parent.textContent.trim() === ''
  return isAlone ? lineOfAlone(parent, body) : image
}

function removeMedia(body: HTMLElement): Pick<HtmlLosses, 'video' | 'recording' | 'page'> {
  const removeAll = (selector: string): number => {
    const found = body.querySelectorAll(selector)
    for (const element of found) removeWithEmptyBlocks(element, body)
    return found.length
  }
  return { video: removeAll('video'), recording: removeAll('audio'), page: removeAll('iframe') }
}

/** Removes an element and what held nothing else, so that no empty paragraph is left in its place. */
function removeWithEmptyBlocks(element: Element, body: HTMLElement): void {
  const parent = element.parentElement
  element.remove()
  if (parent && parent !== body && parent.textContent.trim() === '' && !parent.querySelector(keptWithoutText))
    removeWithEmptyBlocks(parent, body)
}

const keptWithoutText = 'img, video, audio, iframe, hr, input'
