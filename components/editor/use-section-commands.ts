import { useEditorState, type Editor } from '@tiptap/react'
import { useEffect, useState } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import type { Command } from '@/components/commands/command-registry.ts'
import { type SectionAction, sectionCommandsOf } from '@/components/panels/outline/section-actions.ts'
import { loadInBackground } from '@/lib/load-in-background.ts'
import { toastNotLoaded } from '@/components/ui/toast.ts'

type SectionCode = Awaited<ReturnType<typeof loadCode>>

const loadCode = () => import('./section-at-caret.ts')
const loadCodeInBackground = loadInBackground(loadCode)

/**
 * The commands for the section with the caret. What they do is loaded once the text has a heading. A command that is chosen before
 * runs when that has loaded.
 */
export function useSectionCommands(editor: Editor, opened: OpenDocument): readonly Command[] {
  const hasSections = useEditorState({ editor, selector: hasHeading })
  const [code, setCode] = useState<SectionCode | null>(null)
  useEffect(() => {
    if (hasSections) void loadCodeInBackground().then(setCode)
  }, [hasSections])
  const run = (action: SectionAction) => {
    if (code) code.moveSectionAtCaret(editor, opened, action)
    else void loadCode().then((loaded) => loaded.moveSectionAtCaret(editor, opened, action), toastNotLoaded)
  }
  return sectionCommandsOf(
    (action) => (code ? code.canMoveSectionAtCaret(editor, opened, action) : hasSections),
    run,
  )
}

const hasHeading = ({ editor }: { readonly editor: Editor }): boolean =>
  editor.state.doc.content.content.some(({ type }) => type.name === 'heading')
