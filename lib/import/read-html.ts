/**
 * Reads HTML by the same converters as paste, and by the schema's own parser. No script runs, and nothing is fetched: the DOM is a tree of
 * objects without a window.
 */
import { parseHTML } from 'linkedom'
import { DOMParser } from 'prosemirror-model'
import type { JsonNode } from '../blocks/json-node.ts'
import { pictureElementOf } from '../blocks/picture/picture-element.ts'
import { strings } from '../strings/import.ts'
import { convertForeignHtml } from '../text/foreign-html.ts'
import { isFullAddress } from '../text/link-address.ts'
import { importSchema } from './fit-to-schema.ts'
import { MAX_TAGS } from './import-limits.ts'
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
  if (hasMoreTags(html)) throw new ImportRefused(strings.refused.tooManyParts(name))
  const body = parseHTML('<!doctype html><html><body></body></html>').document.createElement('div')
  body.innerHTML = html.replaceAll(/<!doctype[^>]*>/gi, '')
  const title = titleIn(body)
  // A parser of a browser leaves them out within an element.
  for (const page of body.querySelectorAll('html, head, body')) page.replaceWith(...page.childNodes)
  removeComments(body, losses)
  readOwnPage(body)
  const takePicture = (image: HTMLImageElement): HTMLElement | null => {
    const address = image.getAttribute('src') ?? ''
    const taken = dataAt(address) ?? findFile(address)
    const attributes = taken && pictures.takePicture(taken, image.getAttribute('alt'))
    if (attributes) return pictureElementOf(image.ownerDocument, attributes)
    return isFullAddress(address) ? linkTo(image, address, losses) : null
  }
  removeDeadLinks(body, losses)
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

function hasMoreTags(html: string): boolean {
  const tags = /</g
  let count = 0
  while (tags.exec(html)) if (++count > MAX_TAGS) return true
  return false
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

/** The bytes of a `data:` address; null for any other. */
function dataAt(address: string): TakenFile | null {
  const [head] = /^data:image\/[\w.+-]+;base64,/i.exec(address) ?? []
  if (head === undefined) return null
  try {
    const letters = atob(address.slice(head.length))
    return { name: '', bytes: Uint8Array.from(letters, (letter) => letter.charCodeAt(0)) }
  } catch {
    return null
  }
}
