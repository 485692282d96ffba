/**
 * Reads comments of a DOCX as threads. Where one begins and ends, a mark of letters is put into the text before mammoth reads it, and taken
 * out of the blocks that came of it.
 */
import { holdsLetters } from '../blocks/blocks.ts'
import type { JsonNode } from '../blocks/json-node.ts'
import type { JsonThread } from '../export/write-json.ts'
import { elementsIn, lettersIn, parseXml, type XmlElement } from '../text/xml-tree.ts'

/** Signs that stand in no text: of private use, and in no font. */
const [START, END, CLOSE] = ['\u{F8D0}', '\u{F8D1}', '\u{F8D2}']
const mark = new RegExp(`(${START}|${END})(\\d{1,9})${CLOSE}`, 'gu')

/** A run in a paragraph may be letters; between paragraphs there is no place for any. */
export function markComments(xml: string): string {
  let depth = 0
  return xml.replaceAll(
    /<w:p[\s>]|<\/w:p>|<w:commentRange(Start|End) w:id="(\d{1,9})"\s*\/>/g,
    (found, side?: string, id?: string) => {
      if (id === undefined) depth += found.startsWith('</') ? -1 : 1
      if (id === undefined || depth <= 0) return found
      return `<w:r><w:t>${side === 'Start' ? START : END}${id}${CLOSE}</w:t></w:r>`
    },
  )
}

/** @param extended Says which comment answers which, and which are done; '' where there is none. */
export function readWordComments(comments: string, extended: string): JsonThread[] {
  const root = parseXml(withoutHead(comments))
  const all = root ? elementsIn(root).filter(({ name }) => name === 'w:comment') : []
  const links = readLinks(extended)
  const threads = new Map<string, JsonThread>()
  for (const comment of all) {
    const paragraph = paragraphsOf(comment).at(-1)?.attributes['w14:paraId'] ?? ''
    const { parent, isDone } = links.get(paragraph) ?? { parent: '', isDone: false }
    const message = messageOf(comment)
    const before = threads.get(parent)
    if (before) threads.set(parent, { ...before, messages: [...before.messages, message] })
    else {
      const resolved = isDone ? { resolved: { by: message.author, at: message.at } } : {}
      const id = comment.attributes['w:id'] ?? ''
      threads.set(paragraph || `comment ${id}`, {
        id,
        range: null,
        quote: '',
        messages: [message],
        ...resolved,
      })
    }
  }
  return [...threads.values()]
}

const withoutHead = (xml: string): string => xml.replace(/^\uFEFF?<\?xml[^<>]*\?>\s*/, '').trim()

const paragraphsOf = (comment: XmlElement): XmlElement[] =>
  elementsIn(comment).filter(({ name }) => name === 'w:p')

function messageOf(comment: XmlElement): JsonThread['messages'][number] {
  const { 'w:author': author = '', 'w:date': date = '', 'w:id': id = '' } = comment.attributes
  const text = paragraphsOf(comment)
    .map((line) => decodeXml(textIn(line)))
    .join('\n')
    .trim()
  return { id, author: decodeXml(author), at: Number.isNaN(Date.parse(date)) ? NO_DATE : date, text }
}

/** Of a comment that names none. */
const NO_DATE = new Date(0).toISOString()

const textIn = (node: XmlElement): string =>
  node.name === 'w:t' ? lettersIn(node) : elementsIn(node).map(textIn).join('')

const decodeXml = (text: string): string =>
  text
    .replaceAll(/&#(x[\da-fA-F]{1,6}|\d{1,7});/g, (_all, code: string) => letterOf(code))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&')

function letterOf(code: string): string {
  const point = code.startsWith('x') ? Number.parseInt(code.slice(1), 16) : Number(code)
  return point > 0 && point <= 0x10_ff_ff ? String.fromCodePoint(point) : ''
}

interface CommentLink {
  /** The last paragraph of the comment that this one answers. */
  readonly parent: string
  readonly isDone: boolean
}

function readLinks(extended: string): ReadonlyMap<string, CommentLink> {
  const root = extended === '' ? null : parseXml(withoutHead(extended))
  const entries = (root ? elementsIn(root) : []).map(({ attributes }): [string, CommentLink] => [
    attributes['w15:paraId'] ?? '',
    {
      parent: attributes['w15:paraIdParent'] ?? '',
      isDone: /^(?:1|true)$/.test(attributes['w15:done'] ?? ''),
    },
  ])
  return new Map(entries)
}

type Place = NonNullable<JsonThread['range']>['from']

/** Takes the marks out of the blocks, and gives the threads their places. */
export function placeComments(blocks: readonly JsonNode[], threads: readonly JsonThread[]) {
  const [starts, ends] = [new Map<string, Place>(), new Map<string, Place>()]
  const texts: string[] = []
  const strip = (node: JsonNode): JsonNode => {
    if (!holdsLetters(node.type)) return node.content ? { ...node, content: node.content.map(strip) } : node
    const line = texts.length
    let letters = ''
    const content = (node.content ?? []).flatMap((inline): JsonNode[] => {
      if (inline.text === undefined) {
        letters += inline.type === 'hardBreak' ? '\n' : '\uFFFC'
        return [inline]
      }
      let [done, text] = [0, '']
      for (const { 0: all, 1: side, 2: id, index } of inline.text.matchAll(mark)) {
        text += inline.text.slice(done, index)
        done = index + all.length
        const places = side === START ? starts : ends
        places.set(id!, { line, offset: letters.length + text.length })
      }
      text += inline.text.slice(done)
      letters += text
      return text === '' ? [] : [{ ...inline, text }]
    })
    texts.push(letters)
    const { content: _marked, ...rest } = node
    return content.length > 0 ? { ...rest, content } : rest
  }
  const stripped = blocks.map(strip)
  return { blocks: stripped, threads: threads.map((thread) => placeThread(thread, starts, ends, texts)) }
}

function placeThread(
  thread: JsonThread,
  starts: ReadonlyMap<string, Place>,
  ends: ReadonlyMap<string, Place>,
  texts: readonly string[],
): JsonThread {
  const [from, to] = [starts.get(thread.id), ends.get(thread.id)]
  if (!from || !to) return thread
  const lines = texts.slice(from.line, to.line + 1)
  const quote = lines
    .map((text, at) =>
      text.slice(at === 0 ? from.offset : 0, at === lines.length - 1 ? to.offset : undefined),
    )
    .join('\n')
  return quote === '' ? thread : { ...thread, range: { from, to }, quote }
}

export const withoutMarks = (text: string): string => text.replaceAll(mark, '')
