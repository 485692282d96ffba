'use client'

import { EditorContent, type Editor } from '@tiptap/react'
import { canWrite } from '@/components/opening/can-write.ts'
import type { PanelProps } from '@/components/panels/panel-props.ts'
import { StoppedBanner } from '@/components/editor/stopped-banner.tsx'
import { useTextEditor } from '@/components/editor/text-editor.tsx'
import { useUnknownSchemaName } from '@/components/editor/use-unknown-schema-name.ts'
import { strings } from '@/lib/strings/second-editor.ts'

export type SecondTextProps = Pick<PanelProps, 'opened' | 'status' | 'role' | 'user'>

/** Shown instead of a text with unknown nodes or marks, because the binding would delete them: see `schema-guard.ts`. */
export const NewerText = () => <p className="p-4 text-sm text-muted">{strings.newerText}</p>

export function SecondText(props: SecondTextProps) {
  return useUnknownSchemaName(props.opened) === null ? <BoundSecondText {...props} /> : <NewerText />
}

function BoundSecondText(props: SecondTextProps) {
  return <SecondTextContent editor={useSecondEditor(props)} opened={props.opened} role={props.role} />
}

export const useSecondEditor = ({ opened, status, role }: SecondTextProps): Editor =>
  useTextEditor(opened, canWrite({ role, status }))

interface SecondTextContentProps extends Pick<PanelProps, 'opened' | 'role'> {
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
