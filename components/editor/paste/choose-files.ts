/** Opens the system's own dialog for files, or a phone's camera, and inserts what the person chooses. */
import type { EditorView } from '@tiptap/pm/view'
import { pictureTypes } from '@/lib/files/picture-types.ts'
import type { PictureChoice } from '@/components/blocks/picture/picture.ts'
import { insertDroppedFiles } from './paste-handling.ts'

export function choosePictures(
  view: EditorView,
  { isOriginal = false, isPhoto = false }: PictureChoice = {},
): void {
  const input = createInput(pictureTypes.join(','), (files) =>
    insertDroppedFiles(view, files, { isOriginal }),
  )
  if (isPhoto) input.setAttribute('capture', 'environment')
  input.click()
}

/** Who chooses a text as a file wants the file, and not its letters. */
export const chooseFiles = (view: EditorView): void =>
  createInput('', (files) => insertDroppedFiles(view, files, { isAttached: true })).click()

function createInput(accept: string, insert: (files: readonly File[]) => Promise<void>): HTMLInputElement {
  const input = document.createElement('input')
  input.type = 'file'
  input.accept = accept
  input.multiple = true
  input.addEventListener('change', () => void insert([...(input.files ?? [])]))
  return input
}
