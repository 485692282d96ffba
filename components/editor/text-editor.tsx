'use client'

import { EditorContent, useEditor, type Editor } from '@tiptap/react'
import { useEffect, useMemo } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { useSettings } from '@/components/settings/use-settings.ts'
import { pageNonce } from '@/components/ui/page-nonce.ts'
import { useUndoScope } from '@/components/undo/use-undo-scope.ts'
import { extensionsFor, readingExtensionsFor } from './extensions.ts'
import { initialContentOf } from './binding/initial-content.ts'
import { useTextFit } from './binding/use-text-fit.ts'
import { strings } from '@/lib/strings/editor.ts'

/** Addresses in pasted text become links. The rules for stars and backticks would read any text as Markdown. */
const enablePasteRules = ['link']

/**
 * The editor of one open document. It is recreated when the text begins or ceases to fit the schema; a change of document would recreate it,
 * too, but no page lives through one.
 * @param mayWrite Whether this window accepts edits, where the text fits.
 */
export function useTextEditor(opened: OpenDocument, mayWrite: boolean): Editor {
  useUndoScope(opened)
  const fit = useTextFit(opened)
  const editable = mayWrite && fit.fits
  // A text that ceased to fit for a moment has stopped the binding, so another `fit` needs another one.
  const extensions = useMemo(
    () => (fit.fits ? extensionsFor(opened) : readingExtensionsFor(opened)),
    [opened, fit],
  )
  const { language } = useSettings()
  const editorProps = useMemo(() => ({ attributes: attributesFor(editable, language) }), [editable, language])
  const editor = useEditor(
    {
      extensions,
      content: initialContentOf(opened.doc.getXmlFragment('default')) ?? '',
      editable,
      editorProps,
      immediatelyRender: true,
      injectNonce: pageNonce(),
      enablePasteRules,
    },
    [extensions],
  )
  // This needs its own effect: with dependencies given, useEditor does not pass changed options on.
  useEffect(() => editor.setOptions({ editable, editorProps }), [editor, editable, editorProps])
  return editor
}

/** False for the editor of a text that is only read, also while it is about to be replaced. */
export const isBound = (editor: Editor): boolean => editor.storage.staleText !== undefined

const attributesFor = (editable: boolean, language: string): Record<string, string> => ({
  class: 'text',
  'data-pane': 'text',
  role: 'textbox',
  'aria-label': strings.text.label,
  'aria-multiline': 'true',
  'aria-readonly': String(!editable),
  // A text that cannot be edited can still be reached and scrolled by keyboard.
  tabindex: '0',
  spellcheck: 'true',
  ...(language !== '' && { lang: language }),
})

export const TextEditorContent = ({ editor }: { editor: Editor }) => (
  <EditorContent editor={editor} id="text" />
)
