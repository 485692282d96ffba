/** Counts words, characters and paragraphs: once for each block, and again when it changes. */
import { runLater } from '../run-later.ts'
import type * as Y from 'yjs'
import { headingLevelOf } from '../blocks/blocks.ts'
import { blockTextOf, textBlocksOf } from './plain-text.ts'
import { type Block, treeOf, watchTree } from './tree.ts'

export interface TextCounts {
  readonly words: number
  /** Characters as a person counts them: 👩‍🚀 and é are one each, however many units they are made of. Line ends do not count. */
  readonly characters: number
  readonly withoutSpaces: number
  /** Paragraphs that are not empty, without headings. */
  readonly paragraphs: number
}

const noCounts: TextCounts = { words: 0, characters: 0, withoutSpaces: 0, paragraphs: 0 }

/** The speed of silent readers of non-fiction in English: Brysbaert 2019, a mean over 190 studies. */
const WORDS_A_MINUTE = 238

export const readingMinutes = ({ words }: TextCounts): number => words / WORDS_A_MINUTE

export interface CountResult {
  readonly counts: TextCounts
  /** False while there is more to count: the counts then cover only the beginning. */
  readonly isWhole: boolean
}

/** Counts until there is no time left. What was counted is not counted again. */
export function countBlocks(blocks: readonly Block[], hasTime: () => boolean): CountResult {
  const sum = { ...noCounts }
  for (const block of blocks) {
    const cached = countsByBlock.get(block)
    if (!cached && !hasTime()) return { counts: sum, isWhole: false }
    addCounts(sum, cached ?? countBlock(block))
  }
  return { counts: sum, isWhole: true }
}

const countsByBlock = new WeakMap<Block, TextCounts>()

function countBlock(block: Block): TextCounts {
  const sum = { ...noCounts }
  for (const textBlock of textBlocksOf([block])) {
    const counts = countText(blockTextOf(textBlock))
    const isParagraph =
      counts.withoutSpaces > 0 && headingLevelOf(textBlock.name, textBlock.attributes) === null
    addCounts(sum, { ...counts, paragraphs: isParagraph ? 1 : 0 })
  }
  countsByBlock.set(block, sum)
  return sum
}

type MutableTextCounts = { -readonly [Name in keyof TextCounts]: number }

function addCounts(sum: MutableTextCounts, counts: TextCounts): void {
  sum.words += counts.words
  sum.characters += counts.characters
  sum.withoutSpaces += counts.withoutSpaces
  sum.paragraphs += counts.paragraphs
}

/** Counts letters without blocks, such as a selection. A line that is not empty is a paragraph. */
export function countText(text: string): TextCounts {
  const lines = text.split('\n')
  return {
    words: wordsIn(text),
    characters: lines.reduce((sum, line) => sum + charactersIn(line), 0),
    withoutSpaces: charactersIn(text.replaceAll(/\s+/g, '')),
    paragraphs: lines.filter((line) => line.trim() !== '').length,
  }
}

// No language is set: the dictionaries that separate words (Thai, Chinese, Japanese) go by script.
const wordSegmenter = new Intl.Segmenter(undefined, { granularity: 'word' })
const graphemeSegmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

function wordsIn(text: string): number {
  let sum = 0
  for (const { isWordLike } of wordSegmenter.segment(text)) if (isWordLike) sum += 1
  return sum
}

/** Latin and CJK, where each unit is a character: a hundred times as fast. */
const singleUnitText =
  /^[\t\u0020-\u02ff\u2010-\u2027\u3000-\u3029\u3041-\u3096\u30a1-\u30ff\u4e00-\u9fff\uff01-\uff5e]*$/

function charactersIn(text: string): number {
  if (singleUnitText.test(text)) return text.length
  let sum = 0
  for (const _character of graphemeSegmenter.segment(text)) sum += 1
  return sum
}

/** How often counts are reported, in ms: nobody can read more. */
const COUNT_DELAY_MS = 100
/** How long one turn counts, in ms: shorter than a frame. */
const SLICE_MS = 8

/** Counts a text, now and after each change, in turns that keep nothing else waiting. Returns a function that stops it. */
export function watchCounts(fragment: Y.XmlFragment, listener: (result: CountResult) => void): () => void {
  let cancel = (): void => {}
  const countSlice = (): void => {
    const deadline = performance.now() + SLICE_MS
    const result = countBlocks(treeOf(fragment), () => performance.now() < deadline)
    cancel()
    if (!result.isWhole) cancel = runLater(0, countSlice)
    listener(result)
  }
  const stop = watchTree(fragment, countSlice, scheduleCount)
  countSlice()
  return () => {
    cancel()
    stop()
  }
}

const scheduleCount = (run: () => void): (() => void) => runLater(COUNT_DELAY_MS, run)
