/**
 * What becomes of something pasted: HTML is made readable for the schema, Markdown becomes blocks, files are inserted or refused, and
 * what cannot be kept is told. Knows the editor and the clipboard; what is Markdown lib/text/markdown-signs.ts knows.
 */
import { Extension } from '@tiptap/core'
import { Fragment, type Schema, Slice } from '@tiptap/pm/model'
import { Plugin } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import type { JsonNode } from '@/lib/text/from-markdown.ts'
import { isMarkdown } from '@/lib/text/markdown-signs.ts'
import { toast } from '@/components/ui/toast'
import { pasteFiles, takeFiles, type TextFile } from './dropped-files'
import { type LostParts, lostSentence } from './lost-parts'
import { tidyHtml } from './pasted-html'

/** Letters. More are pasted as they are: to parse them would keep the person waiting. */
const MAX_MARKDOWN = 300_000

export const Paste = Extension.create({
  name: 'tidyPaste',
  // Before the code block's own, which makes code of whatever an editor of code copied.
  priority: 200,
  addProseMirrorPlugins: () => [pastePlugin()],
})

function pastePlugin(): Plugin {
  /** Of the paste or drop that is on its way. Null where it is HTML. */
  let letters: { readonly text: string; readonly isPlain: boolean } | null = null
  return new Plugin({
    view: (view) => ({ destroy: takeFiles(view, insertTexts) }),
    props: {
      transformPastedHTML(html) {
        letters = null
        const tidy = tidyHtml(html)
        tell(tidy.lost)
        return tidy.html
      },
      transformPastedText(text, isPlain) {
        letters = { text, isPlain }
        return text
      },
      handlePaste(view, { clipboardData }) {
        const text = letters?.isPlain ? null : (markdownIn(clipboardData) ?? markdownOf(letters?.text))
        letters = null
        const files = [...(clipboardData?.files ?? [])]
        const isFile = files.length > 0 && !clipboardData!.types.some((type) => type.startsWith('text/'))
        if (isFile) pasteFiles(view, files, insertTexts)
        else if (text !== null && text.length <= MAX_MARKDOWN && !isInCode(view))
          void insertTexts(view, [{ text, isMarkdown: true }])
        else return false
        return true
      },
    },
  })
}

const markdownOf = (text: string | undefined): string | null =>
  text !== undefined && isMarkdown(text) ? text : null

/** Visual Studio Code says in which language it copied. */
function markdownIn(clipboardData: DataTransfer | null): string | null {
  const facts = clipboardData?.getData('vscode-editor-data') ?? ''
  return /"mode"\s*:\s*"markdown"/.test(facts) ? clipboardData!.getData('text/plain') : null
}

const isInCode = ({ state }: EditorView): boolean => state.selection.$from.parent.type.spec.code === true

function tell(lost: LostParts): void {
  const sentence = lostSentence(lost)
  if (sentence) toast(sentence, { id: 'pasted' })
}

/** As they stand where the parser cannot be had, or makes what the text cannot hold. */
async function insertTexts(view: EditorView, files: readonly TextFile[]): Promise<void> {
  const read = isInCode(view) ? null : await readTexts(files, view.state.schema).catch(() => null)
  if (view.isDestroyed) return
  if (!read) return void view.pasteText(files.map(({ text }) => text).join('\n'))
  tell(read.lost)
  if (read.content.size > 0) insertPasted(view, Slice.maxOpen(read.content, true))
}

interface ReadTexts {
  readonly content: Fragment
  readonly lost: LostParts
}

/** @throws Where the parser cannot be had, or makes what the schema does not know. */
async function readTexts(files: readonly TextFile[], schema: Schema): Promise<ReadTexts> {
  const { readMarkdown } = await import('@/lib/text/from-markdown.ts')
  const read = files.map(({ text, isMarkdown: isMarked }) =>
    isMarked ? readMarkdown(text) : { blocks: paragraphsOf(text), lost: { table: 0, image: 0 } },
  )
  const sum = (part: 'table' | 'image') => read.reduce((count, { lost }) => count + lost[part], 0)
  const nodes = read.flatMap(({ blocks }) => blocks).map((block) => schema.nodeFromJSON(block))
  for (const node of nodes) node.check()
  return { content: Fragment.from(nodes), lost: { table: sum('table'), image: sum('image') } }
}

/** A line each, as of pasted text. */
const paragraphsOf = (text: string): JsonNode[] =>
  text
    .split(/[\r\n]+/)
    .filter((line) => line !== '')
    .map((line) => ({ type: 'paragraph', content: [{ type: 'text', text: line }] }))

/** Known as pasted, so that addresses in it become links. */
const insertPasted = (view: EditorView, slice: Slice): void =>
  view.dispatch(
    view.state.tr.replaceSelection(slice).scrollIntoView().setMeta('paste', true).setMeta('uiEvent', 'paste'),
  )
