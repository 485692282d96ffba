/**
 * Parses Markdown part by part: the parser holds some kilobytes for each line until it is done, and takes time with the square of the
 * blocks. The tree is that of the whole source.
 */
import type { Nodes, Root, RootContent } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { mathOptions } from './math-syntax.ts'

export interface MarkdownLimits {
  /** Of the tree. */
  readonly nodes: number
  readonly definitions: number
  /** Lines and signs that may begin something in one block of the root, which is parsed at once. Code between fences does not count. */
  readonly blockSigns: number
}

export class TooMuchMarkdown extends Error {
  override readonly name = 'TooMuchMarkdown'
}

/** In UTF-16 units, of what is parsed at once, where one block is not longer. */
const PART_LETTERS = 8_000

const noLimits: MarkdownLimits = { nodes: Infinity, definitions: Infinity, blockSigns: Infinity }

/** @throws {TooMuchMarkdown} */
export function parseMarkdownTree(source: string, limits = noLimits, partLetters = PART_LETTERS): Root {
  const parser = new TreeParser(source, limits)
  parser.parse(partLetters)
  return { type: 'root', children: parser.resolve().flatMap(({ nodes }) => nodes) }
}

/** Some blocks of the root. */
interface Part {
  readonly from: number
  readonly to: number
  /** Counted from 0. */
  readonly line: number
  readonly nodes: readonly RootContent[]
}

class TreeParser {
  readonly #source: string
  readonly #limits: MarkdownLimits
  readonly #parts: Part[] = []
  readonly #definitions = new Set<string>()
  #definitionCount = 0
  #nodes = 0

  constructor(source: string, limits: MarkdownLimits) {
    this.#source = source
    this.#limits = limits
  }

  parse(partLetters: number): void {
    let [from, line, letters] = [0, 0, partLetters]
    while (from < this.#source.length) {
      const end = endOfPart(this.#source, from + letters)
      if (countSigns(this.#source.slice(from, end)) > this.#limits.blockSigns) throw new TooMuchMarkdown()
      const nodes = this.#parse({ from, to: end, line }, [])
      // What comes later may belong to the last block, which the next part therefore begins with.
      const last = end === this.#source.length ? undefined : takeLast(nodes)
      if (last && nodes.length === 0) {
        letters *= 2
        continue
      }
      const to = last ? lineStart(this.#source, last.position!.start.offset!) : end
      this.#parts.push({ from, to, line, nodes })
      for (const node of nodes) this.#count(node)
      line += countLines(this.#source.slice(from, to))
      ;[from, letters] = [to, partLetters]
    }
  }

  /** Parses again what names a definition of another part. */
  resolve(): readonly Part[] {
    if (this.#definitions.size === 0 || this.#parts.length === 1) return this.#parts
    return this.#parts.map((part) => {
      const labels = labelsIn(this.#source.slice(part.from, part.to))
      const named = [...labels].filter((label) => this.#definitions.has(label))
      return named.length === 0 ? part : { ...part, nodes: this.#parse(part, named) }
    })
  }

  #parse({ from, to, line }: Omit<Part, 'nodes'>, definitions: readonly string[]): RootContent[] {
    // The parser would take away a byte order mark that a text begins with.
    const prefix = from === 0 && definitions.length === 0 ? '' : definitions.map(define).join('') + '\n'
    const nodes = fromMarkdown(prefix + this.#source.slice(from, to), mathOptions).children
    const read = nodes.filter(({ position }) => position!.start.offset! >= prefix.length)
    for (const node of read) shift(node, from - prefix.length, line - countLines(prefix))
    return read
  }

  #count(node: Nodes): void {
    if (++this.#nodes > this.#limits.nodes) throw new TooMuchMarkdown()
    if (node.type === 'definition') {
      if (++this.#definitionCount > this.#limits.definitions) throw new TooMuchMarkdown()
      this.#definitions.add(node.identifier)
    }
    if ('children' in node) for (const child of node.children) this.#count(child)
  }
}

/** With the definitions right above it, which begin its paragraph: what goes on in a paragraph may begin other blocks elsewhere. */
function takeLast(nodes: RootContent[]): RootContent | undefined {
  let last = nodes.pop()
  for (let above = nodes.at(-1); last && above?.type === 'definition'; above = nodes.at(-1)) {
    if (above.position!.end.line + 1 < last.position!.start.line) break
    last = nodes.pop()
  }
  return last
}

const define = (name: string): string => `[${name}]: x\n`

function shift(node: Nodes, offset: number, line: number): void {
  for (const point of node.position ? [node.position.start, node.position.end] : []) {
    point.offset! += offset
    point.line += line
  }
  if ('children' in node) for (const child of node.children) shift(child, offset, line)
}

/** What stands between brackets. */
function labelsIn(part: string): Set<string> {
  const labels = part.matchAll(/\[((?:[^[\]\\]|\\.)+)\]/g)
  return new Set(Array.from(labels, ([, label]) => identifierOf(label!)))
}

/** As the parser compares labels. In a quote they go on behind its sign. */
const identifierOf = (label: string): string =>
  label
    .replaceAll(/[\n\r][\t >]+/g, ' ')
    .replaceAll(/[\t\n\r ]+/g, ' ')
    .trim()
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()

/** Lines, and signs that may begin something, but for those of code between fences. */
function countSigns(part: string): number {
  let [count, fence] = [0, '']
  for (const line of part.split('\n')) {
    const [, ticks = ''] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? []
    if (fence === '') fence = ticks
    else if (ticks.startsWith(fence)) fence = ''
    if (fence === '') count += 1 + (line.match(/[*_~`[\]<&\\$]/g)?.length ?? 0)
  }
  return count
}

/** Ends with a blank line, which no line of a paragraph or a definition goes on after. */
function endOfPart(source: string, from: number): number {
  const blank = /(?:\r\n|\n|\r(?!\n))[ \t]*(?:\r\n|\n|\r)/g
  blank.lastIndex = Math.min(from, source.length)
  return blank.test(source) ? blank.lastIndex : source.length
}

const countLines = (text: string): number => text.match(/\r\n|\n|\r/g)?.length ?? 0

function lineStart(text: string, at: number): number {
  while (at > 0 && text[at - 1] !== '\n' && text[at - 1] !== '\r') at--
  return at
}
