/** Words, characters and paragraphs: counted once a block, and anew when it changes. */
import type * as Y from 'yjs'
import { plainOf, textBlocksOf } from './plain.ts'
import { type Block, treeOf, watchTree } from './tree.ts'

export interface Counts {
  readonly words: number
  /** As a person counts: 👩‍🚀 and é are one, however many units they are made of. Line ends are none. */
  readonly characters: number
  readonly withoutSpaces: number
  /** Those that say something. Headings are none. */
  readonly paragraphs: number
}

const none: Counts = { words: 0, characters: 0, withoutSpaces: 0, paragraphs: 0 }

/** Of readers of non-fiction in English, silently: Brysbaert 2019, a mean over 190 studies. */
const WORDS_A_MINUTE = 238

export const readingMinutes = ({ words }: Counts): number => words / WORDS_A_MINUTE

export interface Counted {
  readonly counts: Counts
  /** False while there is more to count: the counts are then of what came first. */
  readonly isWhole: boolean
}

/** Counts until there is no time left. What was counted is not counted again. */
export function count(blocks: readonly Block[], hasTime: () => boolean): Counted {
  const sum = { ...none }
  for (const block of blocks) {
    const known = counted.get(block)
    if (!known && !hasTime()) return { counts: sum, isWhole: false }
    add(sum, known ?? countBlock(block))
  }
  return { counts: sum, isWhole: true }
}

const counted = new WeakMap<Block, Counts>()

function countBlock(block: Block): Counts {
  const sum = { ...none }
  for (const part of textBlocksOf([block])) {
    const counts = countText(plainOf(part))
    const isParagraph = counts.withoutSpaces > 0 && part.name !== 'heading'
    add(sum, { ...counts, paragraphs: isParagraph ? 1 : 0 })
  }
  counted.set(block, sum)
  return sum
}

type Sum = { -readonly [Name in keyof Counts]: number }

function add(sum: Sum, counts: Counts): void {
  sum.words += counts.words
  sum.characters += counts.characters
  sum.withoutSpaces += counts.withoutSpaces
  sum.paragraphs += counts.paragraphs
}

/** Of letters without blocks: a selection. A line that says something is a paragraph. */
export function countText(text: string): Counts {
  const lines = text.split('\n')
  return {
    words: wordsIn(text),
    characters: lines.reduce((sum, line) => sum + charactersIn(line), 0),
    withoutSpaces: charactersIn(text.replaceAll(/\s+/g, '')),
    paragraphs: lines.filter((line) => line.trim() !== '').length,
  }
}

// No language: what tells words apart (dictionaries of Thai, Chinese, Japanese) goes by script.
const words = new Intl.Segmenter(undefined, { granularity: 'word' })
const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

function wordsIn(text: string): number {
  let sum = 0
  for (const { isWordLike } of words.segment(text)) if (isWordLike) sum += 1
  return sum
}

/** Latin and CJK, of which each unit is a character: a hundred times as fast. */
const simple =
  /^[\t\u0020-\u02ff\u2010-\u2027\u3000-\u3029\u3041-\u3096\u30a1-\u30ff\u4e00-\u9fff\uff01-\uff5e]*$/

function charactersIn(text: string): number {
  if (simple.test(text)) return text.length
  let sum = 0
  for (const _character of characters.segment(text)) sum += 1
  return sum
}

/** How often counts are told, in ms: more cannot be read. */
const PAUSE_MS = 100
/** How long one turn counts, in ms: shorter than a frame. */
const TURN_MS = 8

/** Counts a text, now and after each change, in turns that keep nobody waiting. Returns its undo. */
export function watchCounts(fragment: Y.XmlFragment, listener: (counted: Counted) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const turn = (): void => {
    const until = performance.now() + TURN_MS
    const result = count(treeOf(fragment), () => performance.now() < until)
    clearTimeout(timer)
    timer = result.isWhole ? undefined : setTimeout(turn, 0)
    listener(result)
  }
  const stop = watchTree(fragment, turn, later)
  turn()
  return () => {
    clearTimeout(timer)
    stop()
  }
}

function later(run: () => void): () => void {
  const timer = setTimeout(run, PAUSE_MS)
  return () => clearTimeout(timer)
}
