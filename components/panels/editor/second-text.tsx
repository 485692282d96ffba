'use client'

import { EditorContent, type Editor } from '@tiptap/react'
import { canWrite } from '@/components/opening/can-write.ts'
import type { PanelProps } from '@/components/panels/panel-props.ts'
import { StoppedBanner } from '@/components/editor/save-state/stopped-banner.tsx'
import { useTextEditor } from '@/components/editor/text-editor.tsx'
import { strings } from '@/lib/strings/second-editor.ts'

export type SecondTextProps = Pick<PanelProps, 'opened' | 'status' | 'role' | 'user'>

export function SecondText(props: SecondTextProps) {
  return <SecondTextContent {...props} editor={useSecondEditor(props)} />
}

export const useSecondEditor = ({ opened, status, role }: SecondTextProps): Editor =>
  useTextEditor(opened, canWrite({ role, status }))

interface SecondTextContentProps extends SecondTextProps {
  readonly editor: Editor
}

export function SecondTextContent({ editor, opened, role }: SecondTextContentProps) {
  return (
    <div className="text-column flex-1 py-4">
      {role === 'viewer' && <p className="pb-3 text-sm text-muted">{strings.viewOnly}</p>}
      <EditorContent editor={editor} />
      <StoppedBanner editor={editor} opened={opened} />
    </div>
  )
}
