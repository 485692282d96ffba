'use client'

import type { Editor } from '@tiptap/react'
import { canWrite } from '@/components/opening/can-write.ts'
import type { PanelProps } from '@/components/panels/panel-props.ts'
import { useIsActive } from '@/components/editor/active-editor.ts'
import { EditorToolbar } from '@/components/editor/menus/editor-toolbar.tsx'
import { useTextForms } from '@/components/editor/menus/text-forms.tsx'
import { EditingCommands } from '@/components/editor/menus/editing-commands.ts'
import { StoppedBanner } from '@/components/editor/save-state/stopped-banner.tsx'
import { TextEditorContent, useTextEditor } from '@/components/editor/text-editor.tsx'
import { secondEditorStrings } from '@/lib/strings/second-editor.ts'

export type SecondTextProps = Pick<PanelProps, 'opened' | 'status' | 'role' | 'user'>

export function SecondText(props: SecondTextProps) {
  return <SecondTextContent {...props} editor={useSecondEditor(props)} />
}

export const useSecondEditor = ({ opened, status, role }: SecondTextProps): Editor =>
  useTextEditor(opened, canWrite({ role, status }))

interface SecondTextContentProps extends SecondTextProps {
  readonly editor: Editor
}

export function SecondTextContent({ editor, opened, status, role, user }: SecondTextContentProps) {
  const { actions, forms } = useTextForms({ editor, opened, user })
  const isActive = useIsActive(editor)
  // Tiptap ends an editor that waits for its first effect, and makes another one then.
  const hasToolbar = canWrite({ role, status }) && !editor.isDestroyed
  return (
    <>
      {hasToolbar && (
        <div className="sticky top-0 z-10 border-b border-line bg-paper">
          <EditorToolbar editor={editor} {...actions} />
        </div>
      )}
      <div className="text-column flex-1 py-4">
        {role === 'viewer' && <p className="pb-3 text-sm text-muted">{secondEditorStrings.viewOnly}</p>}
        <TextEditorContent editor={editor} hasCommands={isActive} {...actions} />
        {isActive && canWrite({ role, status }) && <EditingCommands editor={editor} {...actions} />}
        {forms}
        <StoppedBanner editor={editor} opened={opened} />
      </div>
    </>
  )
}
