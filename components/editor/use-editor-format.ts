import type { Editor } from '@tiptap/core'
import { useSyncExternalStore } from 'react'
import { formatChangesOf } from '@/components/binding/format-changes.ts'

/**
 * Reads of an editor what no typed letter changes: marks, what the selection is in, what can be done there.
 *
 * @param read Returns the same value until something changes: no new object.
 */
export function useEditorFormat<Value>(editor: Editor, read: (editor: Editor) => Value): Value {
  const get = () => read(editor)
  return useSyncExternalStore(formatChangesOf(editor).subscribe, get, get)
}
