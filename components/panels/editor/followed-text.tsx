'use client'

import { useUnknownSchemaName } from '@/components/editor/use-unknown-schema-name.ts'
import { useFollowedEditor } from '@/components/following/use-followed-editor.ts'
import { NewerText, useSecondEditor, SecondTextContent, type SecondTextProps } from './second-text.tsx'

/** In a window of its own, the text can be linked to the other windows. */
export function FollowedText(props: SecondTextProps) {
  return useUnknownSchemaName(props.opened) === null ? <BoundFollowedText {...props} /> : <NewerText />
}

function BoundFollowedText(props: SecondTextProps) {
  const editor = useSecondEditor(props)
  useFollowedEditor(editor)
  return <SecondTextContent editor={editor} opened={props.opened} role={props.role} />
}
