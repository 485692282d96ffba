/** The comments of a document below its text, as a list to which numbers in the text lead. */
import { exportStrings } from '../strings/export.ts'
import type { LocatedThread } from '../comments/located-threads.ts'
import type { CommentMessage } from '../comments/stored-thread.ts'
import type { ExportSource } from './export-source.ts'
import { escapeHtml, writeElement } from './html-spec.ts'

export function writeHtmlComments(source: ExportSource): string {
  if (source.threads.length === 0) return ''
  const items = source.threads.map((located, at) => threadHtml(located, at + 1, source.language))
  const title = `<h2>${escapeHtml(exportStrings.comments)}</h2>`
  return `<aside class="comments">\n${title}\n<ol>\n${items.join('\n')}\n</ol>\n</aside>\n`
}

function threadHtml({ thread, range }: LocatedThread, number: number, language: string): string {
  const quote = writeElement('blockquote', { dir: 'auto' }, escapeHtml(thread.anchor.quote))
  const shownQuote = range
    ? writeElement('a', { href: `#comment-${number}-place`, class: 'place' }, quote)
    : quote
  const resolved = thread.resolved
    ? writeElement('p', { class: 'resolved' }, escapeHtml(exportStrings.resolved))
    : ''
  const messages = thread.messages.map((message) => messageHtml(message, language)).join('\n')
  return writeElement('li', { id: `comment-${number}` }, shownQuote + resolved + messages)
}

function messageHtml({ author, at, text }: CommentMessage, language: string): string {
  const day = new Date(at)
  const when = day.toLocaleDateString(language || undefined, { dateStyle: 'medium', timeZone: 'UTC' })
  const head = exportStrings.commentBy(author.name, when)
  const lines = escapeHtml(text).replaceAll(/\r\n?|\n/g, '<br>')
  return `<p class="by" dir="auto">${escapeHtml(head)}</p><p dir="auto">${lines}</p>`
}
