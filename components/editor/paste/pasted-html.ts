/**
 * Converts pasted HTML for the editor's parser: what other programs write becomes what the schema has for it, in the folder of each block.
 * Counts what the text has no place for. The HTML is never shown: the parser takes only what the schema knows.
 */
import { convertAlignment } from '@/components/blocks/alignment/pasted-alignment.ts'
import { convertCallouts } from '@/components/blocks/callout/pasted-callouts.ts'
import { convertCode } from '@/components/blocks/code-block/pasted-code.ts'
import { convertHighlights } from '@/components/blocks/highlight/pasted-highlights.ts'
import { convertWordLists } from '@/components/blocks/list-item/pasted-word-lists.ts'
import { replaceTables } from '@/components/blocks/table/pasted-tables.ts'
import { convertTaskLists } from '@/components/blocks/task-list/pasted-task-lists.ts'
import { convertToggles } from '@/components/blocks/toggle/pasted-toggles.ts'
import type { PasteLosses } from './paste-losses.ts'

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

interface CleanedHtml {
  readonly html: string
  readonly lost: PasteLosses
}

/** In letters: an address may be long, and what is longer holds more than an address. */
const MAX_IMAGE_HTML_LENGTH = 10_000

/** Whether the HTML holds nothing but one image. */
export function isImageAlone(html: string): boolean {
  if (html === '' || html.length > MAX_IMAGE_HTML_LENGTH) return false
  const body = document.implementation.createHTMLDocument().createElement('div')
  body.innerHTML = html
  return body.textContent.trim() === '' && body.querySelectorAll('img').length === 1
}

/** @param takePicture Returns what stands for an image whose bytes are in the HTML; null for any other. */
export function cleanPastedHtml(
  html: string,
  takePicture: (image: HTMLImageElement) => HTMLElement | null,
): CleanedHtml {
  // In no document's tree: a style sheet in one, even in one that is never shown, violates the page's security policy.
  const body = document.implementation.createHTMLDocument().createElement('div')
  body.innerHTML = html
  const before = body.innerHTML
  for (const element of body.querySelectorAll('style, title, meta, link, base')) element.remove()
  for (const convert of converters) convert(body)
  const lost = { table: replaceTables(body), image: replaceImages(body, takePicture), ...removeMedia(body) }
  return { html: body.innerHTML === before ? html : body.innerHTML, lost }
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
    const isTrackingPixel = ['width', 'height'].some((side) =>
      /^[01](?:px)?$/.test(image.getAttribute(side) ?? ''),
    )
    const taken = isEmoji || isTrackingPixel ? null : takePicture(image)
    if (!isEmoji && !isTrackingPixel && !taken) count++
    if (isEmoji) image.replaceWith(alt)
    else if (taken) image.replaceWith(taken)
    else removeWithEmptyBlocks(image, body)
  }
  return count
}

function removeMedia(body: HTMLElement): PasteLosses {
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
