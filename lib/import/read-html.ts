/**
 * Reads HTML by the same converters as paste, and by the schema's own parser. No script runs, and nothing is fetched: the DOM is a tree of
 * objects without a window.
 */
import { parseHTML } from 'linkedom'
import { DOMParser } from 'prosemirror-model'
import type { JsonNode } from '../blocks/json-node.ts'
import { pictureElementOf } from '../blocks/picture/picture-element.ts'
import { decodeBase64 } from '../files/decode-base64.ts'
import { importStrings } from '../strings/import.ts'
import { convertForeignHtml } from '../text/foreign-html.ts'
import { isFullAddress } from '../text/link-address.ts'
import { importSchema } from './fit-to-schema.ts'
import { checkHtml } from './check-markup.ts'
import { MAX_MARKUP_LETTERS } from './import-limits.ts'
import type { ImportLosses } from './import-losses.ts'
import type { ImportPictures, TakenFile } from './import-pictures.ts'
import { ImportRefused } from './imported-document.ts'
import { type ReadText, takeTitle } from './read-markdown.ts'

export interface HtmlSource {
  readonly html: string
  /** Of the file, for a sentence. */
  readonly name: string
  readonly losses: ImportLosses
  readonly pictures: ImportPictures
  /** The file at an address of the HTML; null where there is none. */
  findFile(address: string): TakenFile | null
}

/** @throws {ImportRefused} */
export function readHtml({ html, name, losses, pictures, findFile }: HtmlSource): ReadText {
  const { text, embedded } = takeEmbedded(html)
  if (text.length > MAX_MARKUP_LETTERS)
    throw new ImportRefused(importStrings.refused.tooLong(name, MAX_MARKUP_LETTERS))
  checkHtml(text, name)
  const body = parseHTML('<!doctype html><html><body></body></html>').document.createElement('div')
  body.innerHTML = removeDoctypes(text)
  const title = titleIn(body)
  // A parser of a browser leaves them out within an element.
  for (const page of body.querySelectorAll('html, head, body')) page.replaceWith(...page.childNodes)
  removeComments(body, losses)
  readOwnPage(body)
  const takePicture = (image: HTMLImageElement): HTMLElement | null => {
    const address = image.getAttribute('src') ?? ''
    const taken = embedded.get(address)?.() ?? findFile(address)
    const attributes = taken && pictures.takePicture(taken, image.getAttribute('alt'))
    if (attributes) return pictureElementOf(image.ownerDocument, attributes)
    return isFullAddress(address) ? linkTo(image, address, losses) : null
  }
  removeDeadLinks(body, losses)
  // Letters in them stay. What is hidden from readers of a page is decoration.
  losses.count('drawing', body.querySelectorAll('svg:not([aria-hidden=true]), canvas').length)
  losses.count('object', body.querySelectorAll('object, embed').length)
  const { image, ...lost } = convertForeignHtml(body, takePicture)
  // A caption of nothing is a line.
  for (const caption of body.querySelectorAll('[data-caption]'))
    if (!caption.closest('[data-picture], [data-file], [data-link-card]'))
      caption.removeAttribute('data-caption')
  losses.count('image', image)
  for (const [kind, count] of Object.entries(lost)) losses.count(kind as keyof typeof lost, count)
  const parsed = DOMParser.fromSchema(importSchema).parse(body)
  const { content = [] } = parsed.toJSON() as JsonNode
  const read = takeTitle(content)
  return read.title === '' ? { title, blocks: content } : read
}

/** Each search for `>` finds one, so that the letters are gone over once. */
function removeDoctypes(text: string): string {
  const last = text.lastIndexOf('>')
  return text.slice(0, last + 1).replaceAll(/<!doctype[^>]*>/gi, '') + text.slice(last + 1)
}

const titleIn = (body: HTMLElement): string => body.querySelector('title')?.textContent.trim() ?? ''

/** Those that the export has written below the text. */
function removeComments(body: HTMLElement, losses: ImportLosses): void {
  for (const comments of body.querySelectorAll('aside.comments')) {
    losses.count('comment', comments.querySelectorAll(':scope > ol > li').length)
    comments.remove()
  }
  for (const place of body.querySelectorAll('a[href^="#comment-"]')) place.replaceWith(...place.childNodes)
}

/** What they lead to stays behind: another file, or a place that the page names. */
function removeDeadLinks(body: HTMLElement, losses: ImportLosses): void {
  for (const link of body.querySelectorAll('a[href]')) {
    const address = link.getAttribute('href')!.trim()
    if (isFullAddress(address)) continue
    if (!address.startsWith('#')) losses.count('link')
    link.replaceWith(...link.childNodes)
  }
}

/** What the export draws otherwise than the schema (lib/export/html-blocks.ts) is drawn as the schema has it. */
function readOwnPage(body: HTMLElement): void {
  for (const list of body.querySelectorAll('ul[data-type=taskList]'))
    if (list.querySelector(':scope > li > input')) list.removeAttribute('data-type')
  for (const formula of body.querySelectorAll('.math[title] > math')) {
    const box = formula.parentElement!
    box.setAttribute('data-math', box.localName === 'div' ? 'block' : 'inline')
    box.textContent = box.getAttribute('title')
  }
  for (const contents of body.querySelectorAll('nav[aria-label]'))
    if (contents.querySelector('li[class^=level-]')) contents.setAttribute('data-contents', '')
}

function linkTo(image: HTMLImageElement, address: string, losses: ImportLosses): HTMLElement {
  losses.count('remoteImage')
  const link = image.ownerDocument.createElement('a')
  link.setAttribute('href', address)
  link.textContent = image.getAttribute('alt')?.trim() || address
  return link
}

/** Pictures whose bytes stand in the page, by the address that stands for them: a parser need not go over their letters. */
function takeEmbedded(html: string) {
  const embedded = new Map<string, () => TakenFile | null>()
  const text = html.replaceAll(
    /data:image\/[\w.+-]{1,40};base64,([\w+/=]+)/gi,
    (_address, letters: string) => {
      const address = `embedded-picture:${embedded.size}`
      embedded.set(address, () => {
        const bytes = decodeBase64(letters)
        return bytes && { name: '', bytes }
      })
      return address
    },
  )
  return { text, embedded }
}
