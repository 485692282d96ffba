/**
 * Decides whether unformatted text is Markdown. Small, and without a parser: it decides whether the parser is worth loading.
 * The text is Markdown where, outside of fenced code, it contains one of these:
 * - a task (`- [ ] call`),
 * - code between two fences, each on a line of its own,
 * - a heading with an empty line, another heading or nothing before and after it,
 * - a list of two lines or more, of one kind (`- a` and `- b`, or `1. a` and `2. b`),
 * - a link in full (`[text](https://…)`),
 * - the line beneath the head of a table (`|---|---|`),
 * - the first line of a callout (`> [!NOTE]`).
 * And no line may look like code: comments of Python and shells are headings to Markdown, and lists of YAML are lists. A task and a fence
 * count all the same. Asterisks, underscores and backticks never count: they are as common in any other text.
 */
import { isFullAddress } from './link-address.ts'

export function looksLikeMarkdown(text: string): boolean {
  const { lines, isFenced } = outsideFences(text.split(/\r\n?|\n/))
  if (isFenced || lines.some((line) => task.test(line))) return true
  return (
    !looksLikeCode(lines) &&
    (hasHeading(lines) || hasList(lines) || hasLink(lines) || hasTable(lines) || hasCallout(lines))
  )
}

/** The lines without the code between fences, of which an empty line stays. A fence that is never closed does not count. */
function outsideFences(allLines: readonly string[]): { lines: readonly string[]; isFenced: boolean } {
  const lines: string[] = []
  for (let at = 0; at < allLines.length; at++) {
    const end = endOfFence(allLines, at)
    lines.push(end === null ? allLines[at]! : '')
    at = end ?? at
  }
  return { lines, isFenced: lines.length < allLines.length }
}

function endOfFence(lines: readonly string[], start: number): number | null {
  const fence = /^ {0,3}(`{3,}|~{3,})[^`]*$/.exec(lines[start]!)?.[1]
  if (!fence) return null
  const end = lines.findIndex(
    (line, at) => at > start && line.trim().startsWith(fence) && isClosingFence(line),
  )
  return end === -1 ? null : end
}

const isClosingFence = (line: string): boolean => /^ {0,3}(`+|~+)\s*$/.test(line)

const task = /^\s*(?:[-*+]|\d{1,9}[.)])\s+\[[ xX]\]\s+\S/

const heading = /^ {0,3}#{1,6}\s+\S/

const hasHeading = (lines: readonly string[]): boolean =>
  lines.some((line, at) => heading.test(line) && [lines[at - 1], lines[at + 1]].every(isHeadingBoundary))

const isHeadingBoundary = (line: string | undefined): boolean =>
  line === undefined || line.trim() === '' || heading.test(line)

const bullets = [/^ {0,3}-\s+\S/, /^ {0,3}\*\s+\S/, /^ {0,3}\+\s+\S/, /^ {0,3}\d{1,9}[.)]\s+\S/]

const hasList = (lines: readonly string[]): boolean =>
  bullets.some((bullet) => lines.filter((line) => bullet.test(line)).length > 1)

const hasLink = (lines: readonly string[]): boolean =>
  lines.some((line) =>
    [...line.matchAll(/(?<!\\)\[[^[\]]+\]\(([^\s()]+)[^()]*\)/g)].some(([, href]) => isFullAddress(href!)),
  )

const hasTable = (lines: readonly string[]): boolean =>
  lines.some((line, at) => isTableRule(line) && (lines[at - 1]?.includes('|') ?? false))

const hasCallout = (lines: readonly string[]): boolean =>
  lines.some((line) => /^ {0,3}>\s*\[!(?:note|tip|important|warning|caution)\]\s*$/i.test(line))

export const isTableRule = (line: string): boolean =>
  line.includes('|') && /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/.test(line)

const codeLine = new RegExp(
  [
    /[{}]\s*$/, // blocks of C and similar languages
    /[=(].*;\s*$/, // their statements
    /=>/,
    /^\s*(?:\/\/|\/\*|#!|#include\b|@\w+\(|\$ |@@ |--- \S|\+\+\+ \S)/, // comments, prompts, differences
    /^\s*(?:import|export|const|let|var|def|class|function|func|fn|public|private|using|from)\s.*[=({:;]/,
    /^\s*(?:import|package|sudo|apt|npm|git|cd)\s+[\w@./-]+(?:\s+[\w@./-]+)?\s*$/,
    /^\s*[\w.[\]]+\s*[:+-]?=\s*\S/, // assignments
    /^\s*(?:if|for|while|elif|else|try)\b.*:\s*$/,
  ]
    .map(({ source }) => source)
    .join('|'),
)

/** A key of YAML. A single one is a word with a colon. */
const keyLine = /^\s*(?:-\s+)?[a-z_][\w-]*:(?:\s|$)/

const looksLikeCode = (lines: readonly string[]): boolean =>
  lines.some((line) => codeLine.test(line)) || lines.filter((line) => keyLine.test(line)).length > 1
