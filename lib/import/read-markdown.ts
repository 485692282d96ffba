/** Reads a file of Markdown. A heading of the first level that it begins with is the title, as the export writes it. */
import type { Root } from 'mdast'
import { codeBlock } from '../blocks/code-block/code-block.ts'
import type { JsonNode } from '../blocks/json-node.ts'
import { importStrings } from '../strings/import.ts'
import { type ParsedMarkdown, parseMarkdown } from '../text/from-markdown.ts'
import { type MarkdownLimits, TooMuchMarkdown } from '../text/markdown-tree.ts'
import { checkMarkdown } from './check-markup.ts'
import { MAX_BLOCK_SIGNS, MAX_DEFINITIONS, MAX_NODES } from './import-limits.ts'
import { ImportRefused } from './imported-document.ts'
import { lettersOfJson } from './json-letters.ts'
import type { ImportLosses } from './import-losses.ts'
import { readFrontMatter } from './read-front-matter.ts'

export interface ReadText {
  readonly title: string
  readonly blocks: readonly JsonNode[]
}

const markdownLimits: MarkdownLimits = {
  nodes: MAX_NODES,
  definitions: MAX_DEFINITIONS,
  blockSigns: MAX_BLOCK_SIGNS,
}

export function readMarkdown(
  text: string,
  name: string,
  losses: ImportLosses,
  placeFiles?: (root: Root) => void,
): ReadText {
  checkMarkdown(text, name)
  const { title, properties, body } = readFrontMatter(text)
  const { blocks, lost } = parseWithin(body, name, placeFiles)
  losses.count('table', lost.table)
  const read = takeTitle(blocks)
  const isSaidTwice = title === '' || title === read.title
  return {
    title: title || read.title,
    blocks: [...propertiesBlock(properties), ...(isSaidTwice ? read.blocks : blocks)],
  }
}

function parseWithin(body: string, name: string, placeFiles?: (root: Root) => void): ParsedMarkdown {
  try {
    return parseMarkdown(body, placeFiles, markdownLimits)
  } catch (error) {
    if (error instanceof TooMuchMarkdown) throw new ImportRefused(importStrings.refused.tooManyParts(name))
    throw error
  }
}

/** The document has no properties of its own, so that they stay as letters. */
const propertiesBlock = (properties: string): JsonNode[] =>
  properties.trim() === ''
    ? []
    : [
        {
          type: codeBlock.name,
          attrs: { language: 'yaml' },
          content: [{ type: 'text', text: properties }],
        },
      ]

export function takeTitle(blocks: readonly JsonNode[]): ReadText {
  const [first, ...rest] = blocks
  if (first?.type !== 'heading' || first.attrs?.['level'] !== 1) return { title: '', blocks }
  return { title: lettersOfJson(first).trim(), blocks: rest }
}
