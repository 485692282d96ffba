/**
 * All of a document that is searched: its title, and its text in passages of some lines each: letters of all blocks, what mentions, dates
 * and formulas stand for, names of files, alternative texts, and comments. What is longer than the limits is found by its beginning.
 */
import type * as Y from 'yjs'
import { fileCard } from '../blocks/file-card/file-card.ts'
import { altTextOf } from '../blocks/picture/picture-attributes.ts'
import { picture } from '../blocks/picture/picture.ts'
import { fileNameOf } from '../files/file-reference.ts'
import { MAX_THREADS, readThread, storedThreadsOf } from '../comments/stored-thread.ts'
import { isTextBlock, shownTextOf } from '../text/plain-text.ts'
import { blocksAmong, isTextNode, type TreeNode, treeOf } from '../text/tree.ts'
import { LINE_END, type Passage, type SearchedText } from './passage.ts'
import { MAX_TOKEN_LENGTH, tokensOf } from './search-tokens.ts'

/** A result shows some letters of one passage, so that no more than this is read for each. */
const PASSAGE_LENGTH = 2_000
/** In UTF-16 units: 170,000 words of English. */
const MAX_TEXT_LENGTH = 1_000_000
/** What the distinct tokens of a document take in PostgreSQL's `tsvector`, which has at most 1 MiB. */
const MAX_TOKENS_BYTES = 1_000_000
const TOKEN_OVERHEAD_BYTES = 12
/** Of a token in a document: a phrase is looked for at each. Of 170,000 words of English, 10,000 are "the". */
const MAX_POSITIONS = 16_384
/** How much of a long line two pieces share, so that each phrase of a query is whole in one of them. */
const OVERLAP_LENGTH = 200

export function readSearchedText(body: Y.Doc, comments: Y.Doc | null): SearchedText {
  const title = body.getText('title').toJSON().slice(0, PASSAGE_LENGTH).replaceAll(/\s+/g, ' ').trim()
  const writer = new PassageWriter()
  for (const line of linesIn(treeOf(body.getXmlFragment('default')))) if (!writer.add(line)) break
  if (comments) for (const line of commentsIn(comments)) if (!writer.add(line)) break
  return { title: title.toWellFormed(), passages: writer.end() }
}

/** In UTF-16 units. */
const PREVIEW_LENGTH = 160

/** The beginning of the text, for a list. */
export function previewOf(body: Y.Doc): string {
  let preview = ''
  for (const line of linesIn(treeOf(body.getXmlFragment('default')))) {
    preview = `${preview} ${line.slice(0, 2 * PREVIEW_LENGTH)}`.replaceAll(/[\s\0]+/g, ' ').trim()
    if (preview.length >= PREVIEW_LENGTH) break
  }
  if (preview.length <= PREVIEW_LENGTH) return preview.toWellFormed()
  return `${preview.slice(0, startOfCharacter(preview, PREVIEW_LENGTH)).trimEnd()}…`.toWellFormed()
}

function* linesIn(nodes: readonly TreeNode[]): Generator<string, void, undefined> {
  for (const block of blocksAmong(nodes)) {
    const { attributes, children } = block
    if (block.name === picture.name || block.name === fileCard.name) yield fileNameOf(attributes)
    if (block.name === picture.name) yield altTextOf(attributes) ?? ''
    if (isTextBlock(block)) yield children.map(lettersOf).join('')
    else if (children.length === 0) yield shownTextOf(block)
    else yield* linesIn(children)
  }
}

const lettersOf = (node: TreeNode): string =>
  isTextNode(node) ? node.runs.map(({ text }) => text).join('') : shownTextOf(node)

function* commentsIn(comments: Y.Doc): Generator<string, void, undefined> {
  const stored = storedThreadsOf(comments)
  for (const id of [...stored.keys()].slice(0, MAX_THREADS))
    for (const { text } of readThread(id, stored.get(id))?.messages ?? []) yield text
}

/** A line of many passages, in pieces that begin and end between words, and never within a character. */
function* piecesOf(line: string): Generator<string, void, undefined> {
  let from = 0
  for (; line.length - from > PASSAGE_LENGTH;) {
    const end = from + PASSAGE_LENGTH
    const blank = line.lastIndexOf(' ', end)
    const to = blank > end - OVERLAP_LENGTH ? blank : startOfCharacter(line, end)
    yield line.slice(from, to)
    const next = to - OVERLAP_LENGTH
    const word = line.indexOf(' ', next)
    from = word !== -1 && word - next < MAX_TOKEN_LENGTH ? word + 1 : startOfCharacter(line, next)
  }
  yield line.slice(from)
}

/** Of a surrogate pair, where its first half is. */
const startOfCharacter = (line: string, at: number): number =>
  line.codePointAt(at - 1)! > 0xffff ? at - 1 : at

class PassageWriter {
  readonly #passages: Passage[] = []
  readonly #counts = new Map<string, number>()
  #lines: string[] = []
  #tokens: string[] = []
  #length = 0
  #textLength = 0
  #tokensBytes = 0

  /** Returns false once there is no room for more. */
  add(text: string): boolean {
    for (const line of text.split('\n'))
      for (const piece of piecesOf(line)) if (!this.#addLine(piece)) return false
    return true
  }

  end(): Passage[] {
    this.#endPassage()
    return this.#passages
  }

  #addLine(line: string): boolean {
    if (line.trim() === '') return true
    const tokens = Array.from(tokensOf(line), ({ text }) => this.#countToken(text))
    this.#textLength += line.length
    if (this.#textLength > MAX_TEXT_LENGTH || this.#tokensBytes > MAX_TOKENS_BYTES) return false
    if (this.#length + line.length > PASSAGE_LENGTH) this.#endPassage()
    this.#lines.push(line)
    this.#tokens.push(tokens.join(' '))
    this.#length += line.length + 1
    return true
  }

  #countToken(token: string): string {
    const count = this.#counts.get(token) ?? 0
    this.#counts.set(token, count + 1)
    if (count === 0) this.#tokensBytes += bytesOf(token) + TOKEN_OVERHEAD_BYTES
    return count < MAX_POSITIONS ? token : LINE_END
  }

  #endPassage(): void {
    if (this.#lines.length === 0) return
    // PostgreSQL stores no NUL.
    const text = this.#lines.join('\n').replaceAll('\0', ' ').toWellFormed()
    this.#passages.push({ text, tokens: ` ${this.#tokens.join(` ${LINE_END} `)} ` })
    this.#lines = []
    this.#tokens = []
    this.#length = 0
  }
}

const bytesOf = (token: string): number => (/^[a-z0-9]*$/.test(token) ? token.length : token.length * 3)
