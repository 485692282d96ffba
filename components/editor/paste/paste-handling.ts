/**
 * What becomes of a paste: HTML is converted for the schema, Markdown becomes blocks, files are inserted or refused, and a message names
 * what was lost. Knows the editor and the clipboard; lib/text/detect-markdown.ts recognises Markdown.
 */
import { parsePlainTextOrderedListPaste } from '@tiptap/extension-list/ordered-list'
import { Fragment, type ResolvedPos, type Schema, Slice } from '@tiptap/pm/model'
import type { EditorState, Transaction } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import type { JsonNode } from '@/lib/blocks/json-node.ts'
import { looksLikeMarkdown } from '@/lib/text/detect-markdown.ts'
import { limitHtmlDepth } from '@/lib/text/limit-html-depth.ts'
import { toast } from '@/components/ui/toast.ts'
import { documentOf, insertFiles, pasteFiles, type InsertOptions, type TextFile } from './dropped-files.ts'
import { InsertionPlace } from './insertion-place.ts'
import { pasteLong, pasteSlice } from './long-paste.ts'
import { limitNesting } from '@/lib/blocks/nesting-limit.ts'
import { type PasteLosses, pasteLossSentence } from './paste-losses.ts'
import { pasteCells } from './pasted-cells.ts'
import { cleanPastedHtml } from './pasted-html.ts'
import { PastedPictures } from './pasted-pictures.ts'
import { replaceSelection } from './replace-selection.ts'
import { takeOverFilesIn } from '@/lib/files/take-over-files.ts'
import { insertedTextStrings } from '@/lib/strings/inserted-text.ts'

export { isImageAlone } from './pasted-html.ts'

/** In letters. Longer text is pasted as it is, because parsing it would keep the person waiting. */
const MAX_MARKDOWN_LENGTH = 300_000

export interface PastedText {
  readonly text: string
  readonly isPlain: boolean
}

export { refuseLargeTable } from './pasted-cells.ts'

export function tidyPastedHtml(html: string, view: EditorView): string {
  const document = documentOf(view)
  takeOverFilesIn(html, document)
  const pictures = new PastedPictures(document)
  const cleaned = cleanPastedHtml(limitHtmlDepth(html), (image) => pictures.take(image))
  showLossesToast(cleaned.lost)
  return cleaned.html
}

interface PastedContent {
  /** Null if it is HTML. */
  readonly text: PastedText | null
  readonly slice: Slice
}

/** @returns Whether the paste was handled. */
export function handlePaste(
  view: EditorView,
  clipboardData: DataTransfer | null,
  { text: pastedText, slice }: PastedContent,
): boolean {
  if (!pastedText?.isPlain && !isInCode(view) && pasteCells(view, pastedText?.text ?? null, slice))
    return true
  const text = pastedText?.isPlain
    ? null
    : (copiedMarkdownIn(clipboardData) ?? textIfMarkdown(pastedText?.text))
  const files = [...(clipboardData?.files ?? [])]
  const isFile = files.length > 0 && !clipboardData!.types.some((type) => type.startsWith('text/'))
  if (isFile) void pasteFiles(view, files, insertTextFiles)
  else if (text !== null && text.length <= MAX_MARKDOWN_LENGTH && !isInCode(view))
    void insertTexts(view, [{ text, isMarkdown: true }], openSliceOf)
  else if (text === null && pastedText?.isPlain === false && insertNumberedLines(view, clipboardData))
    return true
  else return !isOfCodeEditor(clipboardData) && pasteLong(view, slice, replaceWithSlice)
  return true
}

const isOfCodeEditor = (clipboardData: DataTransfer | null): boolean =>
  (clipboardData?.getData('vscode-editor-data') ?? '') !== ''

/** As ProseMirror does it. */
function replaceWithSlice({ tr }: EditorState, slice: Slice): Transaction {
  const { content, openStart, openEnd } = slice
  const isSingle = openStart === 0 && openEnd === 0 && content.childCount === 1
  return isSingle ? tr.replaceSelectionWith(content.firstChild!, false) : tr.replaceSelection(slice)
}

/** In letters. ProseMirror makes elements of shorter text and parses them, with the same outcome. */
const MAX_PARSED_LENGTH = 50_000

/** A paragraph for each line of a long text. Null for a shorter one. */
export function parseLines(text: string, $context: ResolvedPos): Slice | null {
  if (text.length <= MAX_PARSED_LENGTH) return null
  const { schema } = $context.doc.type
  const marks = $context.marks()
  const lines = text
    .split(/(?:\r\n?|\n)+/)
    .map((line) => schema.nodes.paragraph!.create(null, line === '' ? null : schema.text(line, marks)))
  return openSliceOf(Fragment.fromArray(lines))
}

/** Lines such as `a. one` and `b. two`, which Markdown does not know, become a list. What an editor of code copied does not. */
function insertNumberedLines(view: EditorView, clipboardData: DataTransfer | null): boolean {
  if (isInCode(view) || !clipboardData || isOfCodeEditor(clipboardData)) return false
  const list = parsePlainTextOrderedListPaste(clipboardData.getData('text/plain'))
  if (list) view.dispatch(view.state.tr.replaceSelectionWith(view.state.schema.nodeFromJSON(list)))
  return list !== null
}

export const insertDroppedFiles = (
  view: EditorView,
  files: readonly File[],
  options?: InsertOptions,
): Promise<void> => insertFiles(view, files, insertTextFiles, options)

const textIfMarkdown = (text: string | undefined): string | null =>
  text !== undefined && text.length <= MAX_MARKDOWN_LENGTH && looksLikeMarkdown(text) ? text : null

/** Visual Studio Code adds the language of what it copied. */
function copiedMarkdownIn(clipboardData: DataTransfer | null): string | null {
  const editorData = clipboardData?.getData('vscode-editor-data') ?? ''
  return /"mode"\s*:\s*"markdown"/.test(editorData) ? clipboardData!.getData('text/plain') : null
}

const isInCode = ({ state }: EditorView): boolean => state.selection.$from.parent.type.spec.code === true

function showLossesToast(losses: PasteLosses): void {
  const sentence = pasteLossSentence(losses)
  if (sentence) toast(sentence, { id: 'pasted' })
}

/** Pasted text continues the paragraph at the caret. A table that it begins or ends with stays one, as where HTML is pasted. */
const openSliceOf = (content: Fragment): Slice => Slice.maxOpen(content, false)

/** The blocks of a file stay blocks of their own, and replace an empty paragraph. */
export const closedSliceOf = (content: Fragment): Slice => new Slice(content, 0, 0)

/** Plain text continues the paragraph at the caret, as if it were pasted. */
const insertTextFiles = (view: EditorView, files: readonly TextFile[]): Promise<void> =>
  insertTexts(view, files, files.some(({ isMarkdown }) => isMarkdown) ? closedSliceOf : openSliceOf)

/** Inserts the texts as plain lines if the parser cannot be loaded or makes something the text cannot hold. */
async function insertTexts(
  view: EditorView,
  texts: readonly TextFile[],
  sliceOf: (content: Fragment) => Slice,
): Promise<void> {
  const place = new InsertionPlace(view)
  const parsed = isInCode(view) ? null : await parseTexts(texts, view.state.schema).catch(() => null)
  if (view.isDestroyed) return
  view.dispatch(view.state.tr.setSelection(place.take()))
  if (!parsed) return void view.pasteText(texts.map(({ text }) => text).join('\n'))
  showLossesToast(parsed.lost)
  if (parsed.content.size > 0) insertSlice(view, sliceOf(parsed.content))
}

interface ParsedTexts {
  readonly content: Fragment
  readonly lost: PasteLosses
}

/** @throws If the parser cannot be loaded or makes something that the schema does not know. */
async function parseTexts(texts: readonly TextFile[], schema: Schema): Promise<ParsedTexts> {
  const { parseMarkdown } = await import('@/lib/text/from-markdown.ts')
  const parsed = texts.map(({ text, isMarkdown }) =>
    isMarkdown ? parseMarkdown(text) : { blocks: paragraphsOf(text), lost: { table: 0, image: 0 } },
  )
  const sum = (part: 'table' | 'image') => parsed.reduce((count, { lost }) => count + lost[part], 0)
  const nodes = parsed.flatMap(({ blocks }) => blocks).map((block) => schema.nodeFromJSON(block))
  for (const node of nodes) node.check()
  return { content: Fragment.from(nodes), lost: { table: sum('table'), image: sum('image') } }
}

/** One paragraph per line, as for pasted text. */
const paragraphsOf = (text: string): JsonNode[] =>
  text
    .split(/[\r\n]+/)
    .filter((line) => line !== '')
    .map((line) => ({ type: 'paragraph', content: [{ type: 'text', text: line }] }))

/** Of what was pasted or dropped, blocks that stand too deep in others become lines. */
export function tidyPastedSlice(slice: Slice, { state }: EditorView): Slice {
  const { $from } = state.selection
  const limited = limitNesting(slice, $from.depth)
  if (limited !== slice) toast(insertedTextStrings.pasted.flattened, { id: 'pasted' })
  return $from.parent.isTextblock && $from.parent.content.size === 0 ? keepAlignment(limited) : limited
}

/** An empty line gives its place to a line that is aligned. It would else take in the letters alone. */
const keepAlignment = (slice: Slice): Slice =>
  slice.content.firstChild?.attrs.align ? closedSliceOf(slice.content) : slice

function insertSlice(view: EditorView, pasted: Slice): void {
  const slice = tidyPastedSlice(pasted, view)
  if (pasteCells(view, null, slice)) return
  pasteSlice(view, slice, replaceSelection)
}
