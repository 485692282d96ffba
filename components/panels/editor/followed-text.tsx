'use client'

import { useFollowedEditor } from '@/components/following/use-followed-editor.ts'
import { useSecondEditor, SecondTextContent, type SecondTextProps } from './second-text.tsx'

/** In a window of its own, the text can be linked to the other windows. */
export function FollowedText(props: SecondTextProps) {
  const editor = useSecondEditor(props)
  useFollowedEditor(editor)
  return <SecondTextContent {...props} editor={editor} />
}
