'use client'

import { useUnknownPart } from '@/components/editor/use-unknown-part'
import { useFollowedEditor } from '@/components/following/use-followed-editor'
import { NewerText, useSecondEditor, Written, type SecondTextProps } from './second-text'

/** In a window of its own the text may move along with the other windows. */
export function FollowedText(props: SecondTextProps) {
  return useUnknownPart(props.opened) === null ? <Bound {...props} /> : <NewerText />
}

function Bound(props: SecondTextProps) {
  const editor = useSecondEditor(props)
  useFollowedEditor(editor)
  return <Written editor={editor} opened={props.opened} role={props.role} />
}
