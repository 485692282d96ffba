/**
 * Writes a document as one HTML page that needs nothing else: its style stands in it, pictures are data: URLs, formulas are MathML, and
 * nothing in it runs. A block is what its schema draws; html-blocks.ts has those that the editor draws otherwise.
 */
import { commonStrings } from '../strings/common.ts'
import { isTextNode, type TreeNode } from '../text/tree.ts'
import type { ExportSource } from './export-source.ts'
import { htmlBlocks } from './html-blocks.ts'
import { writeHtmlComments } from './html-comments.ts'
import { pageStyle } from './html-page-style.ts'
import { escapeHtml } from './html-spec.ts'
import { FILE_SIGN, HtmlWriter } from './html-writer.ts'

/** HTML, or the id of a file whose bytes stand there in base64. */
export type HtmlPart = string | { readonly file: string }

export function writeHtml(source: ExportSource): HtmlPart[] {
  const writer = new HtmlWriter(source, htmlBlocks)
  const title = escapeHtml(source.title || commonStrings.untitled)
  const direction = directionOf(source)
  const html = `<!doctype html>
<html${source.language === '' ? '' : ` lang="${escapeHtml(source.language)}"`} dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${PAGE_POLICY}">
${source.author === '' ? '' : `<meta name="author" content="${escapeHtml(source.author)}">\n`}<title>${title}</title>
<style>${pageStyle}</style>
</head>
<body>
<main>
${source.title === '' ? '' : `<h1 class="title" dir="auto">${title}</h1>\n`}${writer.blocks(source.blocks)}
</main>
${writeHtmlComments(source)}</body>
</html>
`
  return splitAtFiles(html)
}

/** Nothing runs, and nothing is loaded but pictures that are too large to stand in the page. */
const PAGE_POLICY = "default-src 'none'; img-src data: https: http:; style-src 'unsafe-inline'"

const splitAtFiles = (html: string): HtmlPart[] =>
  html.split(FILE_SIGN).map((part, at) => (at % 2 === 1 ? { file: part } : part))

/** That of the first letter which has one. */
function directionOf({ title, blocks }: ExportSource): 'ltr' | 'rtl' {
  const firstIn = (text: string): string | undefined => /\p{L}/u.exec(text)?.[0]
  const letter = firstIn(title) ?? firstLetterIn(blocks, firstIn) ?? ''
  return /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(letter)
    ? 'rtl'
    : 'ltr'
}

function firstLetterIn(
  nodes: readonly TreeNode[],
  firstIn: (text: string) => string | undefined,
): string | undefined {
  for (const node of nodes) {
    const letter = isTextNode(node)
      ? firstIn(node.runs.map(({ text }) => text).join(''))
      : firstLetterIn(node.children, firstIn)
    if (letter !== undefined) return letter
  }
  return undefined
}
