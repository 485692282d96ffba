/** Reads a file of Markdown. A heading of the first level that it begins with is the title, as the export writes it. */
import type { Root } from 'mdast'
import type { JsonNode } from '../blocks/json-node.ts'
import { parseMarkdown } from '../text/from-markdown.ts'
import { checkMarkdown } from './check-markup.ts'
import { lettersOfJson } from './json-letters.ts'
import type { ImportLosses } from './import-losses.ts'

export interface ReadText {
  readonly title: string
  readonly blocks: readonly JsonNode[]
}

export function readMarkdown(
  text: string,
  name: string,
  losses: ImportLosses,
  placeFiles?: (root: Root) => void,
): ReadText {
  checkMarkdown(text, name)
  // Other programs begin a file with its properties, as YAML.
  const { blocks, lost } = parseMarkdown(
    text.replace(/^---\n(?:[\w-]+:.*\n|[ \t-].*\n)*---\n/, ''),
    placeFiles,
  )
  losses.count('table', lost.table)
  return takeTitle(blocks)
}

export function takeTitle(blocks: readonly JsonNode[]): ReadText {
  const [first, ...rest] = blocks
  if (first?.type !== 'heading' || first.attrs?.['level'] !== 1) return { title: '', blocks }
  return { title: lettersOfJson(first).trim(), blocks: rest }
}
