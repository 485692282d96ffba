'use client'

import { EditorContent, useEditor, type Editor } from '@tiptap/react'
import { useEffect, useMemo } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { useSettings } from '@/components/settings/use-settings.ts'
import { pageNonce } from '@/components/ui/page-nonce.ts'
import { useUndoScope } from '@/components/undo/use-undo-scope.ts'
import type { TextFormActions } from './menus/text-forms.tsx'
import { useActivation } from './active-editor.ts'
import { extensionsFor } from './extensions.ts'
import { LazyTextMenus } from './suggestions/lazy-text-menus.tsx'
import { editorStrings } from '@/lib/strings/editor.ts'

/** Addresses in pasted text become links. The rules for stars and backticks would read any text as Markdown. */
const enablePasteRules = ['link']

/** Those whose events nobody listens to: `delete` would apply each edit once more, in a task of its own. */
const enableCoreExtensions = { delete: false, drop: false, paste: false } as const

/** The editor of one open document. A change of document would recreate it, but no page lives through one. */
export function useTextEditor(opened: OpenDocument, editable: boolean): Editor {
  useUndoScope(opened)
  const extensions = useMemo(() => extensionsFor(opened), [opened])
  const { language } = useSettings()
  const editorProps = useMemo(() => ({ attributes: attributesFor(editable, language) }), [editable, language])
  const editor = useEditor(
    {
      extensions,
      editable,
      editorProps,
      immediatelyRender: true,
      injectNonce: pageNonce(),
      enablePasteRules,
      enableCoreExtensions,
    },
    [extensions],
  )
  useActivation(editor)
  // This needs its own effect: with dependencies given, useEditor does not pass changed options on.
  useEffect(() => editor.setOptions({ editable, editorProps }), [editor, editable, editorProps])
  return editor
}

const attributesFor = (editable: boolean, language: string): Record<string, string> => ({
  class: 'text',
  'data-pane': 'text',
  role: 'textbox',
  'aria-label': editorStrings.text.label,
  'aria-multiline': 'true',
  'aria-readonly': String(!editable),
  // A text that cannot be edited can still be reached and scrolled by keyboard.
  tabindex: '0',
  spellcheck: 'true',
  ...(language !== '' && { lang: language }),
})

interface TextEditorContentProps extends TextFormActions {
  readonly editor: Editor
  /** That of the element around the page's main text. */
  readonly id?: string
  /** Whether the commands of this page are about this text. */
  readonly hasCommands: boolean
}

export const TextEditorContent = ({ editor, id, ...rest }: TextEditorContentProps) => (
  <div className="relative">
    <EditorContent editor={editor} {...(id && { id })} />
    <LazyTextMenus editor={editor} {...rest} />
  </div>
)
