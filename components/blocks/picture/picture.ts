import { Node } from '@tiptap/core'
import { Camera, ImagePlus, Images, type LucideIcon } from 'lucide-react'
import { picture as definition } from '@/lib/blocks/picture/picture.ts'
import { blockItemsStrings } from '@/lib/strings/block-items.ts'
import { toastNotLoaded } from '@/components/ui/toast.ts'
import type { EditorBlock, ToolbarItem } from '../editor-block.ts'
import { nodeFields } from '../schema-fields.ts'

type ChoosePictures = Awaited<ReturnType<typeof importChoice>>['choosePictures']

const importChoice = () => import('../../editor/paste/choose-files.ts')

const insertItem = (
  words: Pick<ToolbarItem, 'name' | 'words'>,
  Icon: LucideIcon,
  choice: Parameters<ChoosePictures>[1] = {},
): ToolbarItem => ({
  ...words,
  Icon,
  run: (chain) =>
    chain.command(({ view, dispatch }) => {
      if (dispatch) importChoice().then(({ choosePictures }) => choosePictures(view, choice), toastNotLoaded)
      return true
    }),
})

/** A desk has no camera that opens by itself. */
const hasCamera = (): boolean => typeof matchMedia === 'function' && matchMedia('(pointer: coarse)').matches

export const picture: EditorBlock = {
  extension: Node.create(nodeFields(definition)),
  view: () => import('./picture-view.ts'),
  menuItems: [
    insertItem(blockItemsStrings.picture, ImagePlus),
    ...(hasCamera() ? [insertItem(blockItemsStrings.photo, Camera, { isPhoto: true })] : []),
    insertItem(blockItemsStrings.originalPicture, Images, { isOriginal: true }),
  ],
}
