/** Reads pasted HTML: what other programs write becomes what the schema has for it. The HTML is never shown. */
import { convertForeignHtml, type HtmlLosses } from '@/lib/text/foreign-html.ts'

interface CleanedHtml {
  readonly html: string
  readonly lost: HtmlLosses
}

/** In letters: an address may be long, and what is longer holds more than an address. */
const MAX_IMAGE_HTML_LENGTH = 10_000

/** In no document's tree: a style sheet in one, even in one that is never shown, violates the page's security policy. */
function parse(html: string): HTMLElement {
  const body = document.implementation.createHTMLDocument().createElement('div')
  body.innerHTML = html
  return body
}

/** Whether the HTML holds nothing but one image. */
export function isImageAlone(html: string): boolean {
  if (html === '' || html.length > MAX_IMAGE_HTML_LENGTH) return false
  const body = parse(html)
  return body.textContent.trim() === '' && body.querySelectorAll('img').length === 1
}

/** @param takePicture Returns what stands for an image whose bytes are in the HTML; null for any other. */
export function cleanPastedHtml(
  html: string,
  takePicture: (image: HTMLImageElement) => HTMLElement | null,
): CleanedHtml {
  const body = parse(html)
  const before = body.innerHTML
  const lost = convertForeignHtml(body, takePicture)
  return { html: body.innerHTML === before ? html : body.innerHTML, lost }
}
