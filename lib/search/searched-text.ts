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
import { tokensOf } from './search-tokens.ts'

/** A result shows some letters of one passage, so that no more than this is read for each. */
const PASSAGE_LENGTH = 2_000
/** In UTF-16 units: 170,000 words of English. */
const MAX_TEXT_LENGTH = 1_000_000
/** What the distinct tokens of a document take in PostgreSQL's `tsvector`, which has at most 1 MiB. */
const MAX_TOKENS_BYTES = 1_000_000
const TOKEN_OVERHEAD_BYTES = 12

export function readSearchedText(body: Y.Doc, comments: Y.Doc | null): SearchedText {
  const title = body.getText('title').toJSON().slice(0, PASSAGE_LENGTH).replaceAll(/\s+/g, ' ').trim()
  const writer = new PassageWriter()
  for (const line of linesIn(treeOf(body.getXmlFragment('default')))) if (!writer.add(line)) break
  if (comments) for (const line of commentsIn(comments)) if (!writer.add(line)) break
  return { title: title.toWellFormed(), passages: writer.end() }
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

class PassageWriter {
  readonly #passages: Passage[] = []
  readonly #known = new Set<string>()
  #lines: string[] = []
  #tokens: string[] = []
  #length = 0
  #textLength = 0
  #tokensBytes = 0

  /** Returns false once there is no room for more. */
  add(text: string): boolean {
    for (const line of text.split('\n'))
      for (let at = 0; at < line.length; at += PASSAGE_LENGTH)
        if (!this.#addLine(line.slice(at, at + PASSAGE_LENGTH))) return false
    return true
  }

  end(): Passage[] {
    this.#endPassage()
    return this.#passages
  }

  #addLine(line: string): boolean {
    if (line.trim() === '') return true
    const tokens = [...tokensOf(line)].map(({ text }) => text)
    for (const token of tokens) {
      if (this.#known.has(token)) continue
      this.#known.add(token)
      this.#tokensBytes += bytesOf(token) + TOKEN_OVERHEAD_BYTES
    }
    this.#textLength += line.length
    if (this.#textLength > MAX_TEXT_LENGTH || this.#tokensBytes > MAX_TOKENS_BYTES) return false
    if (this.#length + line.length > PASSAGE_LENGTH) this.#endPassage()
    this.#lines.push(line)
    this.#tokens.push(tokens.join(' '))
    this.#length += line.length + 1
    return true
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
