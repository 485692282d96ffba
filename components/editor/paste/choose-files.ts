/** Opens the system's own dialog for files, and inserts what the person chooses. */
import type { EditorView } from '@tiptap/pm/view'
import { pictureTypes } from '@/lib/files/picture-types.ts'
import { insertDroppedFiles } from './paste-handling.ts'

export const choosePictures = (view: EditorView): void => choose(view, pictureTypes.join(','))

export const chooseFiles = (view: EditorView): void => choose(view, '')

function choose(view: EditorView, accept: string): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.accept = accept
  input.multiple = true
  input.addEventListener('change', () => void insertDroppedFiles(view, [...(input.files ?? [])]))
  input.click()
}
