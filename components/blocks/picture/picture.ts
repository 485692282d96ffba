import { Node } from '@tiptap/core'
import { Camera, ImagePlus, Images, type LucideIcon } from 'lucide-react'
import { picture as definition } from '@/lib/blocks/picture/picture.ts'
import { blockItemsStrings } from '@/lib/strings/block-items.ts'
import type { EditorBlock, ToolbarItem } from '../editor-block.ts'
import { nodeFields } from '../schema-fields.ts'

export interface PictureChoice {
  /** Inserts each byte as it is. */
  readonly isOriginal?: boolean
  readonly isPhoto?: boolean
}

const insertItem = (
  words: Pick<ToolbarItem, 'name' | 'words'>,
  Icon: LucideIcon,
  choice?: PictureChoice,
): ToolbarItem => ({
  ...words,
  Icon,
  run: (chain) => chain.choosePictures(choice),
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
