import type { Editor, EditorEvents } from '@tiptap/core'
import { useEffect, useState } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import type { Command } from '@/components/commands/command-registry.ts'
import { type SectionAction, sectionCommandsOf } from '@/components/editor/sections/section-actions.ts'
import { definitionOf } from '@/lib/blocks/blocks.ts'
import { loadInBackground } from '@/lib/load-in-background.ts'
import { toastNotLoaded } from '@/components/ui/toast.ts'
import { useEditorFormat } from '../use-editor-format.ts'

type SectionCode = Awaited<ReturnType<typeof loadCode>>

const loadCode = () => import('../sections/section-at-caret.ts')
const loadCodeInBackground = loadInBackground(loadCode)

/**
 * The commands for the section with the caret. What they do is loaded once the text has a heading. A command that is chosen before
 * runs when that has loaded.
 */
export function useSectionCommands(editor: Editor, opened: OpenDocument): readonly Command[] {
  const hasSections = useEditorFormat(editor, hasHeading)
  const [code, setCode] = useState<SectionCode | null>(null)
  useEffect(() => {
    if (hasSections && editor.isEditable) void loadCodeInBackground().then(setCode)
  }, [editor, hasSections])
  const run = (action: SectionAction) => {
    if (code) code.moveSectionAt(editor.state.selection.from, editor, opened, action)
    else void runWhenLoaded(editor, opened, action)
  }
  return sectionCommandsOf(
    (action) =>
      code ? code.canMoveSectionAt(editor.state.selection.from, editor, opened, action) : hasSections,
    run,
  )
}

/** The section is the one that the caret was in when the command was chosen. */
async function runWhenLoaded(editor: Editor, opened: OpenDocument, action: SectionAction): Promise<void> {
  let position = editor.state.selection.from
  const follow = ({ transaction }: EditorEvents['transaction']): void => {
    position = transaction.mapping.map(position)
  }
  editor.on('transaction', follow)
  const code = await loadCode().catch(toastNotLoaded)
  editor.off('transaction', follow)
  if (code && !editor.isDestroyed) code.moveSectionAt(position, editor, opened, action)
}

const hasHeading = ({ state }: Editor): boolean =>
  state.doc.content.content.some(({ type }) => definitionOf(type.name)?.headingLevel !== undefined)
